import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memberCutter } from '../../../functions/records/schemas/cut-members.ts';
import { SCHEMAS } from '../../../functions/records/schemas/schemas.ts';
import { projectJson, VIEWS } from '../../../functions/records/schemas/view.ts';
import { CODE_POINT } from '../../support/runner/code-points.ts';
import { recordOf } from './record-arbitrary.ts';

/** The lines one after the other in the middle of other bytes, cut into the middle of others. */
function cut(lines: readonly string[], names: readonly string[]): string {
  const cutLine = memberCutter(names);
  const before = '{"id":"';
  const bytes = Buffer.from(before + lines.join(''));
  const out = Buffer.alloc(bytes.length + 2, '#');
  let start = before.length;
  let used = 1;
  while (start < bytes.length) {
    const end = bytes.indexOf('\n', start);
    const to = cutLine({ bytes, start, end }, out, used);
    expect(to - used).toBeLessThanOrEqual(end + 1 - start);
    start = end + 1;
    used = to;
  }
  expect(out.toString('utf8', 0, 1) + out.toString('utf8', used, used + 1)).toBe('##');
  return out.toString('utf8', 1, used);
}

const line = (value: unknown) => `${JSON.stringify(value)}\n`;

describe.each(VIEWS)('the members of $name, cut out of stored records', (view) => {
  it('are the bytes that parsing, choosing and writing them produces', () => {
    fc.assert(
      fc.property(fc.array(recordOf(SCHEMAS[view.type]), { maxLength: 4 }), (records) => {
        const expected = records.map((record) => line(projectJson(record, view))).join('');
        expect(cut(records.map(line), [...view.fields, 'id'])).toBe(expected);
      }),
    );
  });
});

describe('members cut out of a line of JSON', () => {
  /** Keys and texts that look like JSON; numbers, lists and objects in one another. */
  const text = fc.oneof(
    fc.string({ unit: CODE_POINT }),
    fc
      .array(fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', '\n', 'é', '東', '\u{1f600}', 'id'))
      .map((all) => all.join('')),
  );
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(true, false, null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.array(fc.tuple(text, tie('value')), { maxLength: 3 }).map((all) => Object.fromEntries(all)),
    ),
  }));
  // JavaScript puts a name that is a number before all others.
  const name = text.filter((one) => !/^[0-9]*$/.test(one) && one !== 'id' && one !== '__proto__');
  const member = fc.tuple(name, value, fc.boolean());
  const members = fc.uniqueArray(member, { selector: ([name]) => name, maxLength: 12 });

  it('are the chosen ones as they are written there, whatever their names and values are', () => {
    fc.assert(
      fc.property(members, value, (all, id) => {
        const record = Object.fromEntries([...all.map(([name, of]) => [name, of]), ['id', id]]);
        const names = [...all.filter(([, , isChosen]) => isChosen).map(([name]) => name), 'id'];
        const parsed = JSON.parse(line(record));
        const expected = line(Object.fromEntries(names.map((name) => [name, parsed[name]])));
        expect(cut([line(record)], names)).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });

  it('may be all, or the last alone', () => {
    expect(cut(['{"a":1,"b":[],"id":"x"}\n'], ['a', 'b', 'id'])).toBe('{"a":1,"b":[],"id":"x"}\n');
    expect(cut(['{"a":1,"b":[],"id":"x"}\n'], ['id'])).toBe('{"id":"x"}\n');
    expect(cut(['{"id":"x"}\n'], ['a', 'id'])).toBe('{"id":"x"}\n');
  });

  it('are never cut out of a line that ends too early, and no scan runs on', () => {
    const whole = line({ a: 'x\\"y', b: [{ c: [1, 'd\\'] }, {}], e: -1.5e-7, id: 'f' });
    for (let length = 0; length < whole.length - 1; length += 1) {
      for (const tail of ['\n', `\n${whole}`]) {
        const bytes = Buffer.from(whole.slice(0, length) + tail);
        const cutLine = memberCutter(['a', 'id']);
        expect(() => cutLine({ bytes, start: 0, end: length }, Buffer.alloc(1_000), 0)).toThrow('not in the form');
      }
    }
  });

  it.each([
    '',
    '{}',
    '[]',
    '"id"',
    '{"a":1}',
    '{"id":1 }',
    '{ "id":1}',
    '{"id" :1}',
    '{"id":1}}',
    '{"id":1},',
    '{"a":1,}',
  ])('are never cut out of %j', (text) => {
    const bytes = Buffer.from(`${text}\n`);
    const cutLine = memberCutter(['id']);
    expect(() => cutLine({ bytes, start: 0, end: text.length }, Buffer.alloc(100), 0)).toThrow('not in the form');
  });
});
