import { describe, expect, it } from 'vitest';
import { ManagementFailure } from '../../../functions/console/management/management.ts';
import type { Rule } from '../../../functions/console/rules/rule-answers.ts';
import { confirmTestEvent, sendTestEvent } from '../../../functions/console/rules/test-event.screens.tsx';
import { testEvent } from '../../../functions/console/rules/test-event.ts';
import { NewEvent } from '../../../functions/webhooks/events/event.ts';
import { MODULE_IDS, MODULES } from '../../../functions/webhooks/modules/module.ts';
import { sampleEvent } from '../../../functions/webhooks/triggers/module-descriptions.ts';
import { renderedScreen } from '../../support/console/rendered-screen.tsx';

const ruleAnswer = (own: Partial<Rule> = {}): Rule => ({
  id: 'rule_1',
  name: '',
  module: 'dsar',
  moduleName: 'Data Subject Requests',
  trigger: 'DSAR starts',
  apiConfigurationId: 'cfg_1',
  headers: {},
  bodyText: '{}',
  enabled: true,
  updatedAt: '2026-11-01T00:00:00.000Z',
  ...own,
});
const modules = {
  items: MODULE_IDS.map((id) => ({
    id,
    name: MODULES[id].name,
    triggers: MODULES[id].triggers.map((name) => ({ name, variables: [], sample: sampleEvent(id, name) })),
  })),
};

const answersFor = (rule: Rule, own: Readonly<Record<string, unknown>> = {}) => ({
  'GET rules/rule_1': rule,
  'GET modules': modules,
  'GET rules': { items: [rule] },
  'GET api-configurations/cfg_1': { name: 'Cases', targetUrl: 'https://cases.example.com/', enabled: true },
  ...own,
});
const confirmed = (rule: Rule, own: Readonly<Record<string, unknown>> = {}) =>
  renderedScreen(confirmTestEvent, { path: { id: 'rule_1' }, answers: answersFor(rule, own) });
const sent = (own: Readonly<Record<string, unknown>>) =>
  renderedScreen(sendTestEvent, {
    path: { id: 'rule_1' },
    form: { form: 'nonce-of-16-char.proof' },
    answers: answersFor(ruleAnswer(), own),
  });

describe('before a test event is sent', () => {
  it('the page names the other rules that it fires, and no rule that it does not', async () => {
    const others = [
      ruleAnswer(),
      ruleAnswer({ id: 'rule_2', name: 'To the archive' }),
      ruleAnswer({ id: 'rule_3', name: 'Disabled', enabled: false }),
      ruleAnswer({ id: 'rule_4', name: 'Another trigger', trigger: 'Stage started' }),
    ];
    const { text, calls } = await confirmed(ruleAnswer(), { 'GET rules': { items: others } });
    expect(calls.find(({ name }) => name === 'GET rules')?.query).toMatchObject({ module: 'dsar' });
    expect(text).toContain('1 other rule with this trigger will send a webhook too: To the archive');
    expect(text).not.toMatch(/Disabled|Another trigger/);
    expect((await confirmed(ruleAnswer())).text).not.toContain('other rule');
  });

  it.each([
    ['disabled', ruleAnswer({ enabled: false }), {}],
    [
      'for a disabled configuration',
      ruleAnswer(),
      { 'GET api-configurations/cfg_1': { name: 'Cases', targetUrl: 'x', enabled: false } },
    ],
    ['on events of the service itself', ruleAnswer({ module: 'places', trigger: 'Check-in made' }), {}],
  ])('no button is offered for a rule that is %s', async (_, rule, own) => {
    const { html } = await confirmed(rule, own);
    expect(html).not.toContain('type="submit"');
    expect((await confirmed(ruleAnswer())).html).toContain('type="submit"');
  });
});

describe('a test event', () => {
  it('is the sample of the trigger, and says in id, record and data that it is a test', async () => {
    const { calls } = await sent({ 'POST events': { runIds: [] } });
    const { body } = calls.find(({ name }) => name === 'POST events') ?? {};
    expect(body).toMatchObject({
      id: 'test-event-nonce-of-16-char',
      module: 'dsar',
      trigger: 'DSAR starts',
      recordId: 'test-nonce-of',
      data: { test: true },
    });
  });

  it.each(MODULE_IDS.flatMap((id) => MODULES[id].triggers.map((name) => [id, name] as const)))(
    'of %s, %s is taken by the API as it is',
    (id, name) => {
      const event = testEvent({ sample: sampleEvent(id, name) ?? {} }, 'nonce', Date.UTC(2026, 10, 23));
      expect(NewEvent.safeParse(event).error).toBeUndefined();
    },
  );

  it('leads to the run of this rule among those that it made', async () => {
    const runs = {
      'GET runs/run_2': { id: 'run_2', ruleId: 'rule_2' },
      'GET runs/run_1': { id: 'run_1', ruleId: 'rule_1' },
    };
    const { to } = await sent({ 'POST events': { runIds: ['run_2', 'run_1'] }, ...runs });
    expect(to).toBe('/console/t/demo/runs/run_1');
  });

  it('that makes no run, or is refused, is said to', async () => {
    const none = await sent({ 'POST events': { runIds: [] } });
    expect(none.text).toContain('The event made no run of this rule');
    const detail = 'API integration is off.';
    const off = await sent({
      'POST events': new ManagementFailure({ status: 409, code: 'api-integration-off', detail }),
    });
    expect([off.status, off.text.includes(detail)]).toEqual([409, true]);
  });
});
