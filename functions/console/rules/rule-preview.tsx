import { JsonCode } from '../components/json-code.tsx';
import { Card, Facts, Note, Problem } from '../components/page-parts.tsx';
import { bytesText } from '../components/quantities.ts';
import { ManagementFailure, type Settled, settled } from '../management/management.ts';
import type { PageRequest } from '../pages/screen.ts';
import { type Modules, Rendered, type Trigger } from './rule-answers.ts';
import { bodyOf, type RuleFields, sampleIn, triggerOf } from './rule-form.ts';

/** Renders what the rule of a form would send, with the renderer of the deliveries. */
export function renderedRule({ management }: PageRequest, fields: RuleFields): Promise<Settled<Rendered>> {
  const { module, trigger, headers, bodyText } = bodyOf(fields);
  const sample = sampleIn(fields);
  if (!sample.ok) {
    const failure = new ManagementFailure({ status: 400, code: 'invalid-sample', detail: `Event: ${sample.fault}` });
    return Promise.resolve({ ok: false, failure });
  }
  const body = { module, trigger, headers, bodyText, ...(sample.event !== undefined && { event: sample.event }) };
  return settled(management.send({ method: 'POST', path: 'rules/preview', body }, Rendered));
}

interface PreviewProps {
  readonly modules: Modules;
  readonly fields: RuleFields;
  readonly rendered: Settled<Rendered>;
}

/** The variables of the trigger, and the rendered payload. */
export function RulePreview({ modules, fields, rendered }: PreviewProps) {
  const trigger = triggerOf(modules, fields);
  return (
    <div class="stack">
      <Card title="Preview">
        {rendered.ok ? <Payload rendered={rendered.value} /> : <Problem failure={rendered.failure} />}
      </Card>
      <Card title="Variables">
        {trigger ? <Variables trigger={trigger} /> : <p class="muted">Choose a trigger.</p>}
      </Card>
    </div>
  );
}

function Variables({ trigger }: { readonly trigger: Trigger }) {
  return (
    <ul class="variables whole">
      {trigger.variables.map(({ name, description }) => (
        <li key={name}>
          <button class="plain mono" type="button" data-inserts={`{{${name}}}`} data-into="field-body">
            {`{{${name}}}`}
          </button>
          {description && <span class="hint"> {description}</span>}
        </li>
      ))}
    </ul>
  );
}

function Payload({ rendered: { payload, headers, unknown, bytes } }: { readonly rendered: Rendered }) {
  return (
    <>
      {unknown.length > 0 && (
        <Note tone="warn">
          {unknown.map((name) => `{{${name}}}`).join(', ')}:{' '}
          {unknown.length === 1
            ? "this variable isn't known and is sent as it is."
            : "these variables aren't known and are sent as they are."}
        </Note>
      )}
      <JsonCode id="rendered" text={payload} label="Payload" />
      <p class="hint">{bytesText(bytes)}. Sent without line breaks.</p>
      {headers.length > 0 && (
        <Facts facts={Object.fromEntries(headers.map(([name, value]) => [name, <code>{value}</code>]))} />
      )}
    </>
  );
}
