import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonFault } from '../../../functions/webhooks/rules/json-fault.ts';

const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('the fault of a text that is not JSON', () => {
  it.each([
    ['', 'line 1, column 1: expected a value'],
    ['{', 'line 1, column 2: expected a name in quotes or }'],
    ['{a:1}', 'line 1, column 2: expected a name in quotes or }'],
    ['{"a":1,}', 'line 1, column 8: expected a name in quotes'],
    ['{"a" 1}', 'line 1, column 6: expected a colon'],
    ['{"a":}', 'line 1, column 6: expected a value'],
    ['{"a":[1,]}', 'line 1, column 9: expected a value'],
    ['{"a":[}', 'line 1, column 7: expected a value or ]'],
    ['{\n  "a": 1\n  "b": 2\n}', 'line 3, column 3: expected a comma or the closing bracket'],
    ['{"a": 01}', 'line 1, column 8: expected a comma or the closing bracket'],
    ['{"a": .5}', 'line 1, column 7: expected a value'],
    ['{"a": undefined}', 'line 1, column 7: expected a value'],
    ['{"a": 1}}', 'line 1, column 9: expected the end of the text'],
    ['{"a": 1]', 'line 1, column 8: expected a comma or the closing bracket'],
    ['{"a": "b', 'line 1, column 9: a string is not closed'],
    ['{"a": "b\n"}', 'line 1, column 9: a control character must be written as an escape'],
    ['{"a": "\\x"}', 'line 1, column 8: this escape is not valid in JSON'],
    ['{\r\n"a": {{requestId}}}', 'line 2, column 7: a placeholder must be in quotes'],
  ])('of %j is told with its place', (text, fault) => {
    expect(jsonFault(text)).toBe(fault);
  });

  it('is found in exactly the texts that a parser refuses, however they are damaged', () => {
    const damaged = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.nat(3),
        fc.constantFrom('', '{', '}', '[', ']', ',', ':', '"', '\\', '0', 'e', '\n'),
      )
      .map(([json, place, cut, put]) => {
        const at = place % (json.length + 1);
        return json.slice(0, at) + put + json.slice(at + cut);
      });
    fc.assert(
      fc.property(fc.oneof(fc.json(), damaged, fc.string()), (text) => {
        expect(jsonFault(text) === undefined).toBe(isJson(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is found in long and deep texts too', () => {
    const text = `{"a":"${'x'.repeat(262_000)}"`;
    expect(jsonFault(text)).toBe('line 1, column 262008: expected a comma or the closing bracket');
    expect(jsonFault('['.repeat(262_000))).toBe('line 1, column 262001: expected a value or ]');
  });
});
