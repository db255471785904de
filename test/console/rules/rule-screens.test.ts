import { describe, expect, it } from 'vitest';
import { changeRule, createRule, ruleScreen } from '../../../functions/console/rules/rule.screens.tsx';
import { ruleList } from '../../../functions/console/rules/rule-list.screen.tsx';
import { renderedScreen } from '../../support/console/rendered-screen.tsx';

const stored = {
  id: 'rule_1',
  name: 'Cases',
  module: 'dsar',
  moduleName: 'Data Subject Requests',
  trigger: 'DSAR starts',
  apiConfigurationId: 'cfg_1',
  headers: {},
  bodyText: '{"id":12345678901234567890,"of":"{{requestId}}"}',
  enabled: true,
  updatedAt: '2026-11-01T00:00:00.000Z',
};
const FORMATTED = '{\n  "id": 12345678901234567890,\n  "of": "{{requestId}}"\n}';
const trigger = { name: 'DSAR starts', variables: [], sample: {} };
const answers = {
  'GET rules/rule_1': stored,
  'PUT rules/rule_1': stored,
  'POST rules': stored,
  'GET modules': { items: [{ id: 'dsar', name: 'Data Subject Requests', triggers: [trigger] }] },
  'GET api-configurations': { items: [{ id: 'cfg_1', name: 'Orders' }] },
  'POST rules/preview': { payload: '{"id":1}', headers: [], unknown: [], bytes: 8 },
};
const areaOf = (html: string) =>
  /<textarea id="field-body"[^>]*>(.*?)<\/textarea>/s.exec(html)?.[1]?.replaceAll('&quot;', '"');

describe('the list of rules', () => {
  it('is one table, which says the module and trigger of each rule together', async () => {
    const other = {
      ...stored,
      id: 'rule_2',
      name: '',
      module: 'breach',
      moduleName: 'Breach Management',
      trigger: 'Incident created',
    };
    const { html, text, links } = await renderedScreen(ruleList, {
      answers: { ...answers, 'GET rules': { items: [stored, other] } },
    });
    expect(html.match(/<table/g)).toHaveLength(1);
    expect(text).toContain('Cases Data Subject Requests: DSAR starts');
    expect(links.get('Breach Management: Incident created')).toBe('/console/t/demo/rules/rule_2');
  });
});

describe('the page of a rule', () => {
  it('has its name as title, its event below, and a body with line breaks', async () => {
    const { text, html, links } = await renderedScreen(ruleScreen, { path: { id: 'rule_1' }, answers });
    expect(text).toContain('Cases Data Subject Requests: DSAR starts');
    expect(areaOf(html)).toBe(FORMATTED);
    expect(html).toContain('<span class="json-number">1</span>');
    expect(links.get('Send test event…')).toBe('/console/t/demo/rules/rule_1/test');
  });

  it('leaves a body with line breaks as it was saved', async () => {
    const own = { ...answers, 'GET rules/rule_1': { ...stored, bodyText: '{\n"a":1}' } };
    const { html } = await renderedScreen(ruleScreen, { path: { id: 'rule_1' }, answers: own });
    expect(areaOf(html)).toBe('{\n"a":1}');
  });

  it('formats the body on demand without saving, and says when it cannot', async () => {
    const form = { name: 'Cases', trigger: 'dsar|DSAR starts', apiConfigurationId: 'cfg_1', headers: '', format: '1' };
    for (const [screen, path] of [
      [changeRule, { id: 'rule_1' }],
      [createRule, {}],
    ] as const) {
      const good = await renderedScreen(screen, { path, form: { ...form, body: stored.bodyText }, answers });
      expect(areaOf(good.html)).toBe(FORMATTED);
      const bad = await renderedScreen(screen, { path, form: { ...form, body: '{"a": oops' }, answers });
      expect(areaOf(bad.html)).toBe('{"a": oops');
      expect(bad.text).toContain('This is not JSON yet');
      expect([...good.calls, ...bad.calls].filter(({ name }) => /^(PUT|POST) rules(\/rule_1)?$/.test(name))).toEqual(
        [],
      );
    }
  });

  it('saves the name with the rest', async () => {
    const form = { name: ' Cases ', trigger: 'dsar|DSAR starts', apiConfigurationId: 'cfg_1', headers: '', body: '{}' };
    const { calls, to } = await renderedScreen(createRule, { form, answers });
    expect(calls[0]?.body).toMatchObject({ name: 'Cases', module: 'dsar', trigger: 'DSAR starts', bodyText: '{}' });
    expect(to).toBe('/console/t/demo/rules/rule_1?notice=created');
  });

  it.each([
    ['new', createRule],
    ['stored', changeRule],
  ])('says which line of the headers of a %s rule is none, and saves nothing', async (_state, screen) => {
    const form = { trigger: 'dsar|DSAR starts', apiConfigurationId: 'cfg_1', headers: 'X-A: 1\nnonsense', body: '{}' };
    const { calls, status, html } = await renderedScreen(screen, { path: { id: 'rule_1' }, form, answers });
    expect([status, calls.filter(({ name }) => /^(PUT|POST) rules(\/rule_1)?$/.test(name))]).toEqual([400, []]);
    expect(html).toMatch(/Line 2 needs a colon/);
  });
});
