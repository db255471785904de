import { Checkbox, Field, Select, TextArea } from '../components/form.tsx';
import { Problem } from '../components/page-parts.tsx';
import type { RefusedForm } from '../pages/refused-form.ts';
import type { FieldTexts, FormField, FormSection } from './form-fields.ts';

interface ControlsProps {
  readonly sections: readonly FormSection[];
  readonly texts: FieldTexts;
  readonly refused: RefusedForm;
}

/** All fields of a form, under their headings. */
export function FormControls({ sections, texts, refused: { failure, wrong } }: ControlsProps) {
  const control = (field: FormField) => (
    <FormControl key={field.name} field={field} text={texts[field.name] ?? ''} error={wrong[field.name]} />
  );
  return (
    <>
      {failure && <Problem failure={failure} />}
      {sections.map(({ title, rows }) => (
        <div key={title} class="stack">
          {title !== undefined && <h2>{title}</h2>}
          {rows.map((row) =>
            'name' in row ? (
              control(row)
            ) : (
              <div key={row[0]?.name} class="pair">
                {row.map(control)}
              </div>
            ),
          )}
        </div>
      ))}
    </>
  );
}

interface ControlProps {
  readonly field: FormField;
  readonly text: string;
  readonly error: string | undefined;
}

function FormControl({ field, text, error }: ControlProps) {
  const { name, label, hint, control, options, isRequired = false, maxLength } = field;
  const said = { name, label, hint, error };
  if (options) return <Select {...said} value={text} options={options} />;
  if (control === 'check')
    return <Checkbox name={name} label={label} hint={hint} error={error} isChecked={text !== ''} />;
  if (control === 'area' || control === 'code') {
    return <TextArea {...said} value={text} rows={4} isCode={control === 'code'} isRequired={isRequired} />;
  }
  const typed =
    control === 'time' ? { type: 'datetime-local' as const, step: 'any' as const } : control && { type: control };
  return (
    <Field {...said} {...typed} value={text} isRequired={isRequired} {...(maxLength !== undefined && { maxLength })} />
  );
}
