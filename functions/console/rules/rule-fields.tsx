import { FieldError } from '../components/field-faults.tsx';
import { Checkbox, Field, fieldStates, Select, TextArea } from '../components/form.tsx';
import { Problem } from '../components/page-parts.tsx';
import type { RefusedForm } from '../pages/refused-form.ts';
import type { Configurations, Modules } from './rule-answers.ts';
import { type RuleFields, triggerValue } from './rule-form.ts';

interface RuleFieldsProps {
  readonly fields: RuleFields;
  readonly refused: RefusedForm;
  readonly modules: Modules;
  readonly configurations: Configurations;
  /** The sample event of the trigger, as the initial value. */
  readonly sample: string;
}

const BODY_HINT =
  'A JSON object. Put variables in quotes, e.g. "{{requestId}}". A string that is only a variable keeps the type of its value. A body without a timestamp gets one.';

export function RuleFormFields({
  fields,
  refused: { wrong, failure },
  modules,
  configurations,
  sample,
}: RuleFieldsProps) {
  const state = fieldStates(fields, wrong);
  const options = configurations.items.map(({ id, name }) => [id, name] as const);
  const isListed = options.some(([id]) => id === fields.apiConfigurationId);
  return (
    <>
      {failure && <Problem failure={failure} />}
      <Field
        {...state('name')}
        label="Name"
        maxLength={50}
        hint="Optional. Without one, the rule is known by its event."
      />
      <TriggerChoice fields={fields} modules={modules} error={wrong['trigger']} />
      <Select
        {...state('apiConfigurationId')}
        label="API configuration"
        options={
          isListed || fields.apiConfigurationId === '' ? options : [[fields.apiConfigurationId, 'Deleted'], ...options]
        }
      />
      <RequestFields fields={fields} wrong={wrong} />
      <Checkbox name="isEnabled" label="Enabled" isChecked={fields.isEnabled} />
      <details>
        <summary>Sample event</summary>
        <TextArea
          name="sample"
          label="Event"
          value={fields.sample === '' ? sample : fields.sample}
          error={wrong['sample']}
          isCode
          rows={10}
          hint="Change it to preview other events. It is used for the preview only."
        />
      </details>
    </>
  );
}

interface RequestFieldsProps extends Pick<RuleFieldsProps, 'fields'>, Pick<RefusedForm, 'wrong'> {}

/** The body and the headers of the requests that the rule sends. */
function RequestFields({ fields, wrong }: RequestFieldsProps) {
  const state = fieldStates(fields, wrong);
  return (
    <>
      <TextArea {...state('body')} label="Body" isRequired isCode rows={14} hint={BODY_HINT} />
      <TextArea
        {...state('headers')}
        label="Headers"
        rows={3}
        hint="One per line, such as X-Source: privacy. At most 30."
      />
    </>
  );
}

/** The triggers of all modules, in one choice. */
function TriggerChoice({
  fields,
  modules,
  error,
}: Pick<RuleFieldsProps, 'fields' | 'modules'> & { readonly error: string | undefined }) {
  return (
    <div>
      {/* oxlint-disable-next-line jsx-a11y/label-has-associated-control -- by its id */}
      <label for="field-trigger">Module and trigger</label>
      <select
        id="field-trigger"
        name="trigger"
        aria-invalid={error === undefined ? undefined : 'true'}
        aria-describedby={error === undefined ? undefined : 'field-trigger-said'}
      >
        {modules.items.map(({ id, name, triggers }) => (
          <optgroup key={id} label={name}>
            {triggers.map((trigger) => {
              const value = triggerValue(id, trigger.name);
              return (
                <option key={value} value={value} selected={value === fields.trigger}>
                  {`${name}: ${trigger.name}`}
                </option>
              );
            })}
          </optgroup>
        ))}
      </select>
      <FieldError id="field-trigger" label="Module and trigger" error={error} />
    </div>
  );
}
