import { describe, expect, it } from 'vitest';
import { eventIn, NewEvent } from '../../../functions/webhooks/events/event.ts';
import { payloadFor } from '../../../functions/webhooks/events/render-payload.ts';
import { previewRule } from '../../../functions/webhooks/rule-previews/preview-rule.ts';
import { RulePreview } from '../../../functions/webhooks/rules/rule-input.ts';
import { describedModules } from '../../../functions/webhooks/triggers/module-descriptions.ts';
import { parseExactly } from '../../../shared/formats/exact-json.ts';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');
const least = { module: 'dsar', trigger: 'DSAR starts', body: {} };
const preview = (input: object) =>
  previewRule(RulePreview.parse(parseExactly(JSON.stringify({ ...least, ...input }))), { tenant: 'acme', now: NOW });
const refused = (input: object) => {
  try {
    return preview(input);
  } catch (error) {
    return error;
  }
};

describe('the preview of a rule', () => {
  it('is the text to the letter, with the values of the sample and the time of the call', () => {
    const bodyText = '{ "2": 12345678901234567890, "1": "{{requestId}} of {{tenantId}}", "all": "{{requests}}" }';
    const payload =
      '{ "2": 12345678901234567890, "1": "4711 of acme", "all": ["access","erasure"],"timestamp":"2026-11-21T12:00:00.000Z" }';
    expect(preview({ body: undefined, bodyText })).toEqual({
      payload,
      headers: [],
      unknown: [],
      bytes: payload.length,
    });
  });

  it('counts bytes, not characters', () => {
    expect(preview({ body: { a: '\u2603', timestamp: 1 } }).bytes).toBe('{"a":"xxx","timestamp":1}'.length);
  });

  it('uses the members of a stated event, and of the sample what is not stated', () => {
    const event = { recordId: '1', data: { mine: 9 } };
    expect(preview({ body: { a: '{{mine}}', b: '{{requestId}}', timestamp: '{{createdAt}}' }, event }).payload).toBe(
      '{"a":9,"b":"1","timestamp":"2026-11-21T10:00:00.000Z"}',
    );
  });

  it('shows what a run sends for a declared variable that the event does not have: null, or nothing inside a text', () => {
    const body = { when: '{{fulfilledAt}}', text: 'in {{locale}}.', other: '{{nobody}} {{locale}}', timestamp: 1 };
    const event = { id: 'e-1', module: 'dsar', trigger: 'DSAR starts', recordType: 'r', recordId: '1', data: {} };
    const result = preview({ body, event });
    expect(result).toMatchObject({
      payload: '{"when":null,"text":"in .","other":"{{nobody}} ","timestamp":1}',
      unknown: ['nobody'],
    });
    const rule = { module: 'dsar', headers: [], body: JSON.stringify(body) } as const;
    const of = { tenant: 'acme', now: NOW };
    const sent = payloadFor(rule, eventIn(NewEvent.parse(event), NOW), of);
    expect(new TextDecoder().decode(sent?.body)).toBe(result.payload);
  });

  it('names each unknown placeholder once, of headers only where they are replaced', () => {
    const headers = { 'X-A': '{{nowhere}} {{visitorId}}' };
    const body = { '{{name}}': ['{{none}}', 'and {{ none }}', '{{status}}'], deep: { a: '{{constructor}}' } };
    expect(preview({ body, headers })).toMatchObject({
      headers: [['X-A', '{{nowhere}} {{visitorId}}']],
      unknown: ['none', 'constructor'],
    });
    expect(preview({ body, headers, module: 'consent', trigger: 'Consent submitted' })).toMatchObject({
      headers: [['X-A', '{{nowhere}} v-7f3a']],
      unknown: ['none', 'constructor', 'nowhere'],
    });
  });

  it('of every trigger knows all variables that are listed for it', () => {
    for (const { id: module, triggers } of describedModules()) {
      for (const { name: trigger, variables } of triggers) {
        const body = Object.fromEntries(variables.map(({ name }) => [name, `{{${name}}}`]));
        expect(preview({ module, trigger, body }).unknown, trigger).toEqual([]);
      }
    }
  });

  it.each([
    ['a trigger of another module', { trigger: 'Incident closed' }, 'trigger must be one of'],
    ['an event of another trigger', { event: { trigger: 'Stage started' } }, 'event must have the module'],
    ['an event that could not be announced', { event: { recordId: '' } }, 'event.recordId must not be empty'],
    ['data that is no object', { event: { data: [] } }, 'event.data must be an object'],
    ['an event with other members', { event: { colour: 1 } }, 'event.colour is not a known field'],
  ])('is refused with %s', (_what, input, detail) => {
    expect(refused(input)).toMatchObject({
      status: 400,
      code: 'invalid-input',
      detail: expect.stringContaining(detail),
    });
  });

  it('is refused where its run would fail for its size', () => {
    const event = { data: { long: 'x'.repeat(380_000) } };
    expect(refused({ body: { a: '{{long}}' }, event })).toMatchObject({ status: 400, code: 'payload-too-large' });
    expect(refused({ body: { a: '{{long}}{{long}}{{long}}' }, event })).toMatchObject({ code: 'payload-too-large' });
  });
});
