import { Submit } from '../components/button.tsx';
import { FieldError } from '../components/field-faults.tsx';
import { Field, fieldStates, RequiredMark, Select } from '../components/form.tsx';
import { Problem } from '../components/page-parts.tsx';
import { countOf } from '../components/quantities.ts';
import type { RefusedForm } from '../pages/refused-form.ts';
import { codesFor } from './invalid-codes.ts';
import { type LineFields, type ReviewFields, withEmptyLines } from './review-form.ts';

interface ReviewFieldsProps {
  readonly fields: ReviewFields;
  readonly refused: RefusedForm;
  readonly validationType: string;
  /** The points that a valid record earns besides those of its lines, if they are known. */
  readonly points: number | undefined;
  /** The number of empty lines after the existing ones. */
  readonly emptyLines: number;
}

/** The fields of a review: the verdict, and the correct values of the record. */
export function ReviewFormFields({ fields, refused, validationType, points, emptyLines }: ReviewFieldsProps) {
  const { wrong, failure } = refused;
  const state = fieldStates(fields, wrong);
  return (
    <>
      {failure && <Problem failure={failure} />}
      <fieldset>
        <legend>
          Verdict <RequiredMark />
        </legend>
        <div class="verdicts">
          <Verdict value="valid" label="Valid" chosen={fields.verdict} />
          <Verdict value="invalid" label="Invalid" chosen={fields.verdict} />
        </div>
        <FieldError id="verdict-valid" label="Verdict" error={wrong['verdict']} />
        {points !== undefined && <p class="hint">{pointsText(points, validationType)}</p>}
      </fieldset>
      <div data-shown-for="verdict=invalid">
        <Select {...state('code')} label="Invalid reason" options={[['', 'Choose…'], ...codesFor(validationType)]} />
      </div>
      {validationType === 'receipt' && (
        <div class="stack" data-shown-for="verdict=valid|">
          <div class="pair">
            <Field {...state('storeName')} label="Store" maxLength={200} />
            <Field {...state('receiptDate')} label="Date" type="date" />
          </div>
          <Lines lines={withEmptyLines(fields.lines, emptyLines)} wrong={wrong} />
        </div>
      )}
    </>
  );
}

/** The award of a valid record, in words. */
function pointsText(points: number, validationType: string): string {
  const own = `If valid, the customer gets ${countOf(points, 'point')}`;
  return validationType === 'receipt' ? `${own}, and the points of the lines.` : `${own}.`;
}

interface VerdictProps {
  readonly value: string;
  readonly label: string;
  readonly chosen: string;
}

const Verdict = ({ value, label, chosen }: VerdictProps) => (
  <label class="tick" for={`verdict-${value}`}>
    <input id={`verdict-${value}`} type="radio" name="verdict" value={value} checked={value === chosen} required />
    <span>{label}</span>
  </label>
);

interface LinesProps {
  readonly lines: readonly LineFields[];
  readonly wrong: Readonly<Record<string, string>>;
}

/** The lines that count. A line is removed by clearing its name. */
function Lines({ lines, wrong }: LinesProps) {
  return (
    <fieldset class="stack-s">
      <legend>Lines that count for the campaign</legend>
      {lines.map((line, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines have no other name, and are drawn once
        <div key={at} class="line">
          <Cell at={at} name="name" label="Name" value={line.name} error={wrong[`results.${at}.name`]} />
          <Cell at={at} name="price" label="Price" value={line.price} error={wrong[`results.${at}.price`]} />
          <Cell at={at} name="quantity" label="Count" value={line.quantity} error={wrong[`results.${at}.quantity`]} />
          <Cell at={at} name="points" label="Points" value={line.points} error={wrong[`results.${at}.points`]} />
          <input type="hidden" name="line-description" value={line.description} />
        </div>
      ))}
      <FieldError id="line-0-name" label="Lines" error={wrong['results']} />
      <div class="head">
        <p class="hint">Clear the name of a line to remove it.</p>
        <Submit kind="small" label="Add lines" name="act" value="lines" formNoValidate />
      </div>
    </fieldset>
  );
}

interface CellProps {
  readonly at: number;
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
}

const Cell = ({ at, name, label, value, error }: CellProps) => (
  <Field id={`line-${at}-${name}`} name={`line-${name}`} label={label} value={value} error={error} />
);
