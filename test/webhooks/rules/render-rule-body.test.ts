import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderRuleBody } from '../../../functions/webhooks/rules/render-rule-body.ts';
import { CODE_POINT } from '../../support/runner/code-points.ts';

const AT = '2026-11-21T08:00:00.000Z';
const STAMP = `"timestamp":"${AT}"`;

const VARIABLES = {
  requestId: 'req-1',
  status: 'OPEN',
  requests: ['ACCESS', 'ERASE'],
  fulfilledAt: null,
  createdAt: new Date('2026-01-02T03:04:05.678Z'),
  amount: 1.5,
  isUrgent: false,
  nested: { at: new Date('2026-01-02T03:04:05.678Z'), list: [1] },
  empty: '',
  'with space': 'ws',
  quoted: '"},{"x":"\\\n\u2028{{status}}',
};

/** The body without its timestamp, which is tested for itself. */
function body(definition: string, variables: Readonly<Record<string, unknown>> = VARIABLES): string {
  const text = renderRuleBody(definition, variables, AT) ?? 'too large';
  return text.replace(`,${STAMP}`, '').replace(STAMP, '');
}

describe('a value that is exactly one placeholder', () => {
  it.each([
    ['requestId', '"req-1"'],
    ['requests', '["ACCESS","ERASE"]'],
    ['fulfilledAt', 'null'],
    ['createdAt', '"2026-01-02T03:04:05.678Z"'],
    ['amount', '1.5'],
    ['isUrgent', 'false'],
    ['nested', '{"at":"2026-01-02T03:04:05.678Z","list":[1]}'],
    ['empty', '""'],
    ['with space', '"ws"'],
  ])('keeps the type of %s', (name, json) => {
    expect(body(`{"a":"{{${name}}}"}`)).toBe(`{"a":${json}}`);
    expect(body(`{"a":{"b":[1,"{{${name}}}"]}}`)).toBe(`{"a":{"b":[1,${json}]}}`);
    expect(body(`{"a" : "{{ ${name} }}" }`)).toBe(`{"a" : ${json} }`);
  });

  it('is found however the string is escaped', () => {
    expect(body(String.raw`{"a":"\u007b{requestId}\u007D"}`)).toBe('{"a":"req-1"}');
  });
});

describe('a value with text around placeholders', () => {
  it.each([
    ['{{requestId}}: {{status}}', '"req-1: OPEN"'],
    [' {{requestId}}', '" req-1"'],
    ['{{requestId}}{{requestId}}', '"req-1req-1"'],
    ['{{{requestId}}}', '"{req-1}"'],
    ['for {{requests}}', String.raw`"for [\"ACCESS\",\"ERASE\"]"`],
    ['at {{createdAt}}', '"at 2026-01-02T03:04:05.678Z"'],
    ['[{{fulfilledAt}}]', '"[]"'],
    ['{{amount}} {{isUrgent}}', '"1.5 false"'],
  ])('%s becomes a string', (text, json) => {
    expect(body(`{"a":"${text}"}`)).toBe(`{"a":${json}}`);
  });

  it('is escaped, and inserted values are not replaced again', () => {
    const text = JSON.parse(body('{"a":"<{{quoted}}>","b":"{{quoted}}"}')) as unknown;
    expect(text).toEqual({ a: `<${VARIABLES.quoted}>`, b: VARIABLES.quoted });
    expect(body('{"a":"{{b}}{{c}}"}', { b: '{{c', c: '}}' })).toBe('{"a":"{{c}}"}');
    expect(body('{"a":"x{{b}}"}', { b: '{{b}}' })).toBe('{"a":"x{{b}}"}');
  });
});

describe('what stays as it is written', () => {
  it.each([
    '{"a":"{{unknown}}"}',
    '{"a":"x {{unknown}} {{ unknown }}"}',
    '{"a":"{{toString}} {{__proto__}} {{constructor}}","b":"{{hasOwnProperty}}"}',
    '{"{{requestId}}":1}',
    '{"a":"{{}} {{requestId} {requestId} }}{{"}',
    '{"a":12345678901234567890,"b":1.0,"c":1e400,"d":-0,"e":0.10}',
    '{"2":"b","1":"a","__proto__":{"x":1},"2":"again"}',
    String.raw`{"a":"\u0041\/\ud83d\ude00\ud800"}`,
    '{\n  "a": [ ],\t"b" :{ }\r\n}',
    String.raw`{"a":"\\","b":"\"","c":"\\\""}`,
  ])('%s', (definition) => {
    expect(body(definition)).toBe(definition);
  });

  it('is an unknown placeholder beside a known one', () => {
    expect(body('{"a":"{{ unknown }} {{status}}"}')).toBe('{"a":"{{ unknown }} OPEN"}');
  });
});

describe('the timestamp', () => {
  it.each([
    ['{}', `{${STAMP}}`],
    [' { } ', ` {${STAMP} } `],
    ['{"a":1}', `{"a":1,${STAMP}}`],
    ['{"a":{}}', `{"a":{},${STAMP}}`],
    ['{"a":"}"}\n', `{"a":"}",${STAMP}}\n`],
    ['{"a":{"timestamp":1}}', `{"a":{"timestamp":1},${STAMP}}`],
    ['{"a":[{"timestamp":1}]}', `{"a":[{"timestamp":1}],${STAMP}}`],
    ['{"a":"timestamp"}', `{"a":"timestamp",${STAMP}}`],
    ['{"Timestamp":1}', `{"Timestamp":1,${STAMP}}`],
    ['{"a":"{{status}}"}', `{"a":"OPEN",${STAMP}}`],
  ])('is added at the end of %s', (definition, expected) => {
    expect(renderRuleBody(definition, VARIABLES, AT)).toBe(expected);
  });

  it.each([
    '{"timestamp":null}',
    '{"timestamp" : "x"}',
    String.raw`{"a":1,"\u0074imestamp":1}`,
    String.raw`{"a":[{}],"t\u0069me\u0073tamp"
      :{}}`,
  ])('is left to the definition in %s', (definition) => {
    expect(renderRuleBody(definition, VARIABLES, AT)).toBe(definition);
  });

  it('of the definition may be a placeholder', () => {
    expect(renderRuleBody('{"timestamp":"{{createdAt}}"}', VARIABLES, AT)).toBe(
      '{"timestamp":"2026-01-02T03:04:05.678Z"}',
    );
  });
});

describe('a definition', () => {
  it('may have any depth', () => {
    const deep = `{"a":${'['.repeat(100_000)}"{{status}}"${']'.repeat(100_000)}}`;
    expect(body(deep)).toBe(deep.replace('{{status}}', 'OPEN'));
  });
});

describe('a body', () => {
  it.each([
    ['one string', `{"a":"${'{{v}} '.repeat(40_000)}"}`],
    ['many strings', `{"a":[${'"{{v}}",'.repeat(20_000)}1]}`],
  ])('that would be too large is not made, from %s', (_from, definition) => {
    expect(renderRuleBody(definition, { v: 'x'.repeat(200_000) }, AT)).toBeUndefined();
  });

  it('may have 1 MiB in UTF-8', () => {
    const room = 1024 * 1024 - '{"a":"","timestamp":""}'.length - AT.length;
    expect(renderRuleBody('{"a":"{{v}}"}', { v: 'x'.repeat(room) }, AT)).toHaveLength(1024 * 1024);
    expect(renderRuleBody('{"a":"{{v}}"}', { v: `${'x'.repeat(room - 1)}ü` }, AT)).toBeUndefined();
  });

  /** JSON texts of objects with blanks, long numbers and members of any name. */
  const definition = fc
    .dictionary(fc.oneof(fc.string(), fc.constantFrom('timestamp', '1', '2', '__proto__')), fc.jsonValue())
    .map((value) => JSON.stringify(value, undefined, 1));

  it('without placeholders is the definition and the timestamp', () => {
    fc.assert(
      fc.property(definition, (text) => {
        const value = JSON.parse(text) as Record<string, unknown>;
        fc.pre(!text.includes('{{'));
        const rendered = JSON.parse(renderRuleBody(text, VARIABLES, AT) ?? '') as Record<string, unknown>;
        expect(rendered).toEqual(Object.hasOwn(value, 'timestamp') ? value : { ...value, timestamp: AT });
        expect(Object.keys(rendered).slice(0, Object.keys(value).length)).toEqual(Object.keys(value));
      }),
    );
  });

  it('has the structure of its definition, whatever a variable holds', () => {
    const hostile = fc.oneof(
      fc.string({ unit: CODE_POINT }),
      fc.constantFrom('"', '\\', '"}', '","timestamp":"', '{{a}}', '{{', '}}', '\u2028', '\ud800', '\0\n'),
    );
    fc.assert(
      fc.property(hostile, hostile, (a, b) => {
        const text = renderRuleBody('{"x":"{{a}}","y":["{{a}}-{{b}}",{"z":"{{b}}{{c}}"}],"n":1}', { a, b }, AT) ?? '';
        expect(JSON.parse(text)).toEqual({
          x: a,
          y: [`${a}-${b}`, { z: `${b}{{c}}` }],
          n: 1,
          timestamp: AT,
        });
      }),
    );
  });

  it('holds the value of a variable as JSON has it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, name) => {
        fc.pre(!/[{}]/.test(name) && name === name.trim());
        const text = renderRuleBody(JSON.stringify({ a: `{{${name}}}` }), { [name]: value }, AT) ?? '';
        expect(JSON.parse(text)).toEqual({ a: JSON.parse(JSON.stringify(value)), timestamp: AT });
      }),
    );
  });
});
