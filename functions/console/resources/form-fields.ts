import type { ManagementFailure } from '../management/management.ts';
import type { Form } from '../pages/form.ts';
import { type RefusedForm, refusedForm } from '../pages/refused-form.ts';
import type { FieldKind } from './field-kinds.ts';

/** A field of a form, which states one member of the API's body. */
export interface FormField {
  /** The name of the member. */
  readonly name: string;
  readonly label: string;
  readonly kind: FieldKind;
  /** @default a line of text */
  readonly control?: 'area' | 'code' | 'check' | 'time' | 'email' | 'url';
  /** The choices, each with its label. */
  readonly options?: readonly (readonly [value: string, label: string])[];
  readonly hint?: string;
  readonly isRequired?: boolean;
  readonly maxLength?: number;
  /** True if the value can be stated only when the resource is created. */
  readonly isFinal?: boolean;
  /** The text in the form of a new resource. @default empty */
  readonly initial?: string;
  /** The text of a new resource in place of an empty one. @default the empty text */
  readonly derived?: (texts: FieldTexts) => string;
}

/** Fields under a heading. Fields in an inner list share a row. */
export interface FormSection {
  readonly title?: string;
  readonly rows: readonly (FormField | readonly FormField[])[];
}

/** The texts of a form, by field. */
export type FieldTexts = Readonly<Record<string, string>>;

export const fieldsIn = (sections: readonly FormSection[]): readonly FormField[] =>
  sections.flatMap(({ rows }) => rows.flat());

const byName = <Value>(fields: readonly FormField[], valueOf: (field: FormField) => Value): Record<string, Value> =>
  Object.fromEntries(fields.map((field) => [field.name, valueOf(field)]));

export const initialTexts = (fields: readonly FormField[]): FieldTexts => byName(fields, ({ initial = '' }) => initial);

export const textsOf = (fields: readonly FormField[], resource: object): FieldTexts =>
  byName(fields, ({ name, kind }) => kind.textOf((resource as Readonly<Record<string, unknown>>)[name]));

/** The texts of a new resource, of which empty ones may follow from others. */
export const derivedTexts = (fields: readonly FormField[], texts: FieldTexts): FieldTexts =>
  byName(fields, ({ name, derived }) => texts[name] || (derived?.(texts) ?? ''));

export const textsIn = (fields: readonly FormField[], form: Form): FieldTexts =>
  byName(fields, ({ name }) => form.text(name).trim());

interface StatedBody {
  /** A text that states no value stands in it as it is: the API refuses it, and with it says all else that is wrong. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The fields whose texts state no value. */
  readonly wrong: Readonly<Record<string, string>>;
}

/**
 * The body that the form states. Empty optional fields are left out of a new resource.
 * @param stored the texts before a change: only members whose text differs are stated
 */
export function bodyOf(fields: readonly FormField[], texts: FieldTexts, stored?: FieldTexts): StatedBody {
  const body: Record<string, unknown> = {};
  const wrong: Record<string, string> = {};
  for (const { name, kind } of fields) {
    const text = texts[name] ?? '';
    if (stored && text === stored[name]) continue;
    const reading = kind.valueIn(text);
    if ('wrong' in reading) {
      wrong[name] = reading.wrong;
      body[name] = text;
    } else if (stored || reading.value !== null) body[name] = reading.value;
  }
  return { body, wrong };
}

/** The faults that the API found, at their fields, in which the labels stand for the names of members. */
export function refusedFields(
  failure: ManagementFailure,
  {
    fields,
    codes = {},
    wrong = {},
  }: {
    readonly fields: readonly FormField[];
    readonly codes?: Readonly<Record<string, string>> | undefined;
    /** The faults that the form itself has, which say more than the API's of the same field. */
    readonly wrong?: Readonly<Record<string, string>>;
  },
): RefusedForm {
  const refused = refusedForm(failure, { codes });
  const labels = new Map(fields.map(({ name, label }) => [name, label.replace(' (UTC)', '')]));
  const labelled = (fault: string) => fault.replaceAll(/\b[a-z]+[A-Z]\w*/g, (word) => labels.get(word) ?? word);
  const faults = Object.entries(refused.wrong).map(([name, fault]) => {
    const [, list, place = ''] = /^(\w+)\.(.+)$/.exec(name) ?? [];
    if (list !== undefined) return [list, `${placeText(place)}: ${labelled(fault)}`];
    // Most faults go on from the name of the field: "must be later".
    const label = /^[a-z]/.test(fault) ? `${labels.get(name) ?? ''} ` : '';
    return [name, `${label}${labelled(fault)}`];
  });
  const unplaced = Object.keys(wrong).length > 0 ? undefined : refused.failure;
  return { ...refused, failure: unplaced, wrong: { ...Object.fromEntries(faults), ...wrong } };
}

/** `Line 3` of a list, or the name of a member. */
const placeText = (place: string): string => {
  const [, line] = /^(\d+)\b/.exec(place) ?? [];
  return line === undefined ? place : `Line ${Number(line) + 1}`;
};
