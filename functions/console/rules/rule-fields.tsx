import { Choice, Text, Tick } from '../components/form.tsx';
import { Problem } from '../components/page-parts.tsx';
import type { RefusedForm } from '../pages/refused-form.ts';
import type { Configurations, Modules } from './rule-answers.ts';
import { type RuleFields, triggerValue } from './rule-form.ts';

interface RuleFieldsProps {
  readonly fields: RuleFields;
  readonly refused: RefusedForm;
  readonly modules: Modules;
  readonly configurations: Configurations;
  /** The sample event of the trigger, to begin with. */
  readonly sample: string;
}

export function RuleFormFields({
  fields,
  refused: { wrong, failure },
  modules,
  configurations,
  sample,
}: RuleFieldsProps) {
  const options = configurations.items.map(({ id, name }) => [id, name] as const);
  const isKnown = options.some(([id]) => id === fields.apiConfigurationId);
  return (
    <>
      {failure && <Problem failure={failure} />}
      <div class="pair">
        <TriggerChoice fields={fields} modules={modules} error={wrong['trigger']} />
        <Choice
          name="apiConfigurationId"
          label="API configuration"
          value={fields.apiConfigurationId}
          options={
            isKnown || fields.apiConfigurationId === '' ? options : [[fields.apiConfigurationId, 'Deleted'], ...options]
          }
          error={wrong['apiConfigurationId']}
        />
      </div>
      <Text
        name="body"
        label="Body"
        value={fields.body}
        error={wrong['body']}
        isCode
        rows={14}
        hint="A JSON object. Placeholders stand in quotes: the value of the event takes the place of the whole text, or is put into it."
      />
      <Text
        name="headers"
        label="Headers"
        value={fields.headers}
        error={wrong['headers']}
        rows={3}
        hint="One a line, such as X-Source: privacy. At most 30."
      />
      <Tick name="isEnabled" label="Enabled" isTicked={fields.isEnabled} />
      <details>
        <summary>Event of the preview</summary>
        <Text
          name="sample"
          label="Event"
          value={fields.sample === '' ? sample : fields.sample}
          error={wrong['sample']}
          isCode
          rows={10}
          hint="Change it to see what other events would give. It is not kept."
        />
      </details>
    </>
  );
}

/** Modules with their triggers, in one choice. */
function TriggerChoice({
  fields,
  modules,
  error,
}: Pick<RuleFieldsProps, 'fields' | 'modules'> & { readonly error: string | undefined }) {
  return (
    <div>
      {/* oxlint-disable-next-line jsx-a11y/label-has-associated-control -- by its id */}
      <label for="field-trigger">Fires on</label>
      <select id="field-trigger" name="trigger" aria-invalid={error === undefined ? undefined : 'true'}>
        {modules.items.map(({ id, name, triggers }) => (
          <optgroup key={id} label={name}>
            {triggers.map((trigger) => {
              const value = triggerValue(id, trigger.name);
              return (
                <option key={value} value={value} selected={value === fields.trigger}>
                  {trigger.name}
                </option>
              );
            })}
          </optgroup>
        ))}
      </select>
      {error !== undefined && <p class="wrong">{error}</p>}
    </div>
  );
}
