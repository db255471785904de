import * as z from 'zod/mini';
import { LinkButton, Submit } from '../components/button.tsx';
import { PostForm } from '../components/form.tsx';
import { JsonCode } from '../components/json-code.tsx';
import { Facts, Note, PageHead, Problem } from '../components/page-parts.tsx';
import { countOf } from '../components/quantities.ts';
import { type ManagementFailure, settled } from '../management/management.ts';
import { type Page, type PageRequest, page, type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { eventName, Modules, Rule, ruleTitle, type Trigger } from './rule-answers.ts';
import { triggerOf, triggerValue } from './rule-form.ts';
import { isBuiltIn, otherRules, testEvent } from './test-event.ts';

const apiPathOf = (id: string | undefined) => `rules/${encodeURIComponent(id ?? '')}`;
const Configuration = z.object({ name: z.string(), targetUrl: z.string(), enabled: z.optional(z.boolean()) });
const ReceivedEvent = z.object({ runIds: z.array(z.string()) });
const RunOfRule = z.object({ id: z.string(), ruleId: z.string() });

/** A rule with its trigger. */
async function readRule({ management, path }: PageRequest) {
  const [rule, modules] = await Promise.all([
    management.get(apiPathOf(path['id']), Rule),
    management.get('modules', Modules),
  ]);
  const trigger = triggerOf(modules, { trigger: triggerValue(rule.module, rule.trigger) });
  return { rule, trigger: trigger ?? { name: rule.trigger, variables: [], sample: {} } };
}

/** Shows the sample event, the endpoint, and the other rules that the event fires too. */
export const confirmTestEvent: Screen = async (pageRequest) => confirmPage(pageRequest, await readRule(pageRequest));

interface Sent {
  readonly rule: Rule;
  readonly trigger: Trigger;
  /** The reason why the event was not sent or made no run. */
  readonly failure?: ManagementFailure;
  readonly hasNoRun?: boolean;
}

/** Sends the sample event as an outside system would, and leads to the run of this rule. */
export const sendTestEvent: Screen = async (pageRequest) => {
  const { management, form, now } = pageRequest;
  const { rule, trigger } = await readRule(pageRequest);
  const [nonce = ''] = form.text('form').split('.');
  const event = testEvent(trigger, nonce, now);
  const sent = await settled(management.send({ method: 'POST', path: 'events', body: event }, ReceivedEvent));
  if (!sent.ok) return confirmPage(pageRequest, { rule, trigger, failure: sent.failure });
  const run = await runOf(pageRequest, rule, sent.value.runIds);
  if (run !== undefined) return seeOther(screenPath(pageRequest, `runs/${encodeURIComponent(run)}`));
  return confirmPage(pageRequest, { rule, trigger, hasNoRun: true });
};

/** Returns the run of a rule among those that an event has made. */
async function runOf({ management }: PageRequest, { id }: Rule, runIds: readonly string[]) {
  for (const runId of runIds) {
    const run = await settled(management.get(`runs/${encodeURIComponent(runId)}`, RunOfRule));
    if (run.ok && run.value.ruleId === id) return runId;
  }
  return undefined;
}

async function confirmPage(pageRequest: PageRequest, { rule, trigger, failure, hasNoRun }: Sent): Promise<Page> {
  const { management } = pageRequest;
  const path = apiPathOf(rule.id);
  const configurationPath = `api-configurations/${encodeURIComponent(rule.apiConfigurationId)}`;
  const [others, configuration] = await Promise.all([
    settled(otherRules(management, rule)),
    settled(management.get(configurationPath, Configuration)),
  ]);
  const event = testEvent(trigger, '1', pageRequest.now);
  const { recordType, recordId, data }: Trigger['sample'] = testEvent(trigger, '…', pageRequest.now);
  const sample = { recordType, recordId, data };
  const obstacle = obstacleOf(rule, configuration.ok ? configuration.value : undefined);
  return page(
    'Send test event',
    <>
      <PageHead title="Send test event" under={[screenPath(pageRequest, path), ruleTitle(rule)]} />
      <div class="form">
        {failure && <Problem failure={failure} />}
        {hasNoRun && <Note tone="warn">The event made no run of this rule: it was disabled in the meantime.</Note>}
        {obstacle && <Note tone="warn">{obstacle}</Note>}
        <section class="card pad stack">
          <Facts
            facts={{
              'Module and trigger': eventName(rule),
              'API configuration': configuration.ok ? (
                <a href={screenPath(pageRequest, configurationPath)}>{configuration.value.name}</a>
              ) : undefined,
              'Target URL': configuration.ok ? configuration.value.targetUrl : undefined,
            }}
          />
          <p class="muted">
            This is sent like a real event of the module, and the run appears in the delivery log. Record id and data
            show that it is a test.
          </p>
          <JsonCode id="event" text={JSON.stringify(sample)} label="Test event" />
          {others.ok ? (
            <OtherRules pageRequest={pageRequest} rules={others.value} />
          ) : (
            <Problem failure={others.failure} title="Other rules with this trigger could not be loaded." />
          )}
          {obstacle === undefined && (
            <PostForm action={screenPath(pageRequest, `${path}/test`)} class="row" sends={event}>
              <Submit kind="primary" label="Send test event" />
              <LinkButton label="Cancel" href={screenPath(pageRequest, path)} />
            </PostForm>
          )}
        </section>
      </div>
    </>,
    { status: failure?.status ?? 200 },
  );
}

/** The reason why a test event would make no run of the rule. */
function obstacleOf(rule: Rule, configuration: z.output<typeof Configuration> | undefined): string | undefined {
  if (isBuiltIn(rule.module))
    return 'Only the service itself sends events of this module. Use the preview of the rule, or a test call of its API configuration.';
  if (!rule.enabled) return 'The rule is disabled. Enable it to send a test event.';
  if (configuration?.enabled === false) return 'The API configuration is disabled. Enable it to send a test event.';
  return undefined;
}

function OtherRules({ pageRequest, rules }: { readonly pageRequest: PageRequest; readonly rules: readonly Rule[] }) {
  if (rules.length === 0) return null;
  return (
    <Note tone="warn" title={`${countOf(rules.length, 'other rule')} with this trigger will send a webhook too:`}>
      <ul class="bullets">
        {rules.map((rule) => (
          <li key={rule.id}>
            <a href={screenPath(pageRequest, apiPathOf(rule.id))}>{ruleTitle(rule)}</a>
          </li>
        ))}
      </ul>
    </Note>
  );
}
