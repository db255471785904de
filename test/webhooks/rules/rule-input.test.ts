import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRuleBody } from '../../../functions/webhooks/rules/read-rule-body.ts';
import { NewRule, RuleChange } from '../../../functions/webhooks/rules/rule-input.ts';
import { parseExactly } from '../../../shared/formats/exact-json.ts';

const least = { module: 'dsar', trigger: 'DSAR starts', apiConfigurationId: 'cfg_x', body: {} };
const headersOf = (headers: unknown) => NewRule.parse({ ...least, headers }).headers;
const areTaken = (headers: unknown) => NewRule.safeParse({ ...least, headers }).success;

describe('a stated rule', () => {
  it('is enabled and has no headers unless it says so', () => {
    expect(NewRule.parse(least)).toEqual({ ...least, name: '', body: '{}', headers: [], enabled: true });
  });

  it('names its module by id or as it is shown', () => {
    expect(NewRule.parse({ ...least, module: 'Consent Management' }).module).toBe('consent');
    for (const module of ['DSAR', '', 'constructor', 5, null]) {
      expect(NewRule.safeParse({ ...least, module }).success).toBe(false);
    }
  });

  it.each([['trigger'], ['apiConfigurationId'], ['module'], ['body']])('needs %s', (field) => {
    expect(NewRule.safeParse({ ...least, [field]: undefined }).success).toBe(false);
  });

  it('may have a name of one line and at most 50 characters', () => {
    expect(NewRule.parse({ ...least, name: ' Cases ' }).name).toBe('Cases');
    expect(RuleChange.parse({ name: '' })).toEqual({ name: '' });
    for (const name of ['x'.repeat(51), 'two\nlines', 5, null]) {
      expect([name, NewRule.safeParse({ ...least, name }).success]).toEqual([name, false]);
    }
  });

  it('may be changed field by field, but not without any field', () => {
    expect(RuleChange.parse({ enabled: false })).toEqual({ enabled: false });
    for (const input of [{}, { id: 'x' }, { enabled: null }, { enabled: 'yes' }, { colour: 1 }, { trigger: null }]) {
      expect([input, RuleChange.safeParse(input).success]).toEqual([input, false]);
    }
  });
});

describe('the text of a body', () => {
  const exact = '{ "2": 12345678901234567890, "1": 1.10, "a": "{{x}}" }';
  const { body: _, ...others } = least;
  const textOf = (input: object) => NewRule.parse({ ...others, ...input }).body;
  const faultOf = (input: object) => {
    const { error } = NewRule.safeParse({ ...others, ...input });
    return error && `${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`;
  };

  it('may be stated in place of the body, and stays as it is', () => {
    expect(textOf({ bodyText: exact })).toBe(exact);
    expect(RuleChange.parse({ bodyText: exact })).toEqual({ body: exact });
  });

  it('counts where a rule is sent back as it was shown, whatever numbers and order its reader knows', () => {
    for (const body of [exact, parseExactly(exact), JSON.parse(exact), { a: '{{x}}', ...JSON.parse(exact) }]) {
      expect(textOf({ body, bodyText: exact })).toBe(exact);
      expect(RuleChange.parse({ body, bodyText: exact })).toEqual({ body: exact });
    }
    expect(textOf({ body: JSON.parse('{"a":-0,"b":1e400}'), bodyText: '{"a":-0,"b":1e400}' })).toBe(
      '{"a":-0,"b":1e400}',
    );
  });

  it('does not come with another body', () => {
    const fault = 'bodyText: must not differ from body: send only one of them';
    for (const body of [{}, { a: '{{y}}' }, '{"a":1}']) expect(faultOf({ body, bodyText: exact })).toBe(fault);
    expect(RuleChange.safeParse({ body: {}, bodyText: exact }).success).toBe(false);
  });

  it('is told where it is not JSON, under the name that it was stated by', () => {
    const text = '{\n  "a": 1\n  "b": 2\n}';
    const fault = 'is not valid JSON: line 3, column 3: expected a comma or the closing bracket';
    expect(faultOf({ bodyText: text })).toBe(`bodyText: ${fault}`);
    expect(faultOf({ body: text })).toBe(`body: ${fault}`);
    expect(faultOf({ bodyText: '[]' })).toBe('bodyText: must be a JSON object, or the text of one');
    expect(faultOf({ bodyText: {} })).toMatch(/^bodyText: /);
    expect(faultOf({})).toBe('body: must be a JSON object, or the text of one');
  });
});

describe('custom headers', () => {
  it('are names with values or a list, in the order given, without blanks around the values', () => {
    const headers = [
      { name: 'X-B', value: '1' },
      { name: 'X-A', value: '{{requestId}}' },
    ];
    expect(headersOf(headers)).toEqual(headers);
    expect(headersOf({ 'X-B': ' 1\t', 'X-A': '{{requestId}}' })).toEqual(headers);
    expect(headersOf(JSON.parse('{"__proto__":"1"}'))).toEqual([{ name: '__proto__', value: '1' }]);
    expect(headersOf(null)).toEqual([]);
  });

  it.each([
    ['a system header', { 'content-TYPE': 'text/plain' }],
    ['the idempotency key', { 'x-service-idempotency-key': '1' }],
    ['a line break', { 'X-A': '1\r\nX-B: 2' }],
    ['a line break in the name', { 'X-A\r\n': '1' }],
    ['NUL', { 'X-A': '\0' }],
    ['a character above Latin-1', { 'X-A': '\u2603' }],
    ['an empty name', { '': '1' }],
    ['a blank in the name', { 'X A': '1' }],
    ['a long name', { ['x'.repeat(101)]: '1' }],
    ['a long value', { 'X-A': 'x'.repeat(2_001) }],
    ['a number', { 'X-A': 1 }],
    ['a name twice', { 'X-A': '1', 'x-a': '2' }],
    ['31 of them', Object.fromEntries(Array.from({ length: 31 }, (_, i) => [`X-${i}`, '1']))],
    ['a text', 'X-A: 1'],
    ['a list of texts', ['X-A: 1']],
    ['a list with further members', [{ name: 'X-A', value: '1', secret: true }]],
  ])('are refused with %s', (_what, headers) => {
    expect(areTaken(headers)).toBe(false);
  });
});

describe('a body', () => {
  const text = (given: unknown) => {
    const read = readRuleBody(given);
    return read.ok ? read.text : undefined;
  };

  it('given as text stays as it is, to the digit and the blank', () => {
    const given = '{ "id": 12345678901234567890, "2": 1.10, "1": "{{x}}" }';
    expect(text(given)).toBe(given);
  });

  it('given as an object keeps every digit too, and is shown as it was given', () => {
    const given = '{"id":12345678901234567890,"price":1.10,"tiny":1e-400,"list":[-0,{"a":"1.10"}]}';
    expect(text(parseExactly(given))).toBe(given);
    expect(JSON.stringify(parseExactly(given))).toBe(given);
  });

  it('of any JSON object survives being read, stored and shown', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (body) => {
        const stored = text(parseExactly(JSON.stringify(body))) ?? '';
        expect(JSON.parse(JSON.stringify(parseExactly(stored)))).toEqual(JSON.parse(JSON.stringify(body)));
      }),
    );
  });

  it.each([
    ['null', null],
    ['a list', []],
    ['a number', 5],
    ['a number of many digits', parseExactly('12345678901234567890')],
    ['a text that is not JSON', '{a:1}'],
    ['the text of a list', '[1]'],
    ['the text of a text', '"{}"'],
    ['half an emoji', '{"a":"\ud83d"}'],
    ['nothing', ''],
  ])('is not an object as %s', (_what, given) => {
    expect(text(given)).toBeUndefined();
  });

  it('has at most 256 KiB and 100 levels', () => {
    const filled = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;
    expect(text(filled(262_144))).toHaveLength(262_144);
    expect(text(filled(262_145))).toBeUndefined();
    expect(text(JSON.parse(filled(262_145)))).toBeUndefined();
    const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
    expect(text(nested(100))).toBe(nested(100));
    expect(text(nested(101))).toBeUndefined();
    expect(text(`{"a":${'['.repeat(120_000)}${']'.repeat(120_000)}}`)).toBeUndefined();
  });
});
