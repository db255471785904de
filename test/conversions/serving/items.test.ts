import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ITEM_ERRORS, ItemRefusal } from '../../../functions/conversions/items/item-refusal.ts';
import { DATA_VERSION } from '../../../functions/conversions/serving/data-version.ts';
import {
  answerTo,
  type Deadline,
  ITEMS_MAX,
  type ItemRoute,
  isCountable,
  requestIn,
} from '../../../functions/conversions/serving/items.ts';
import { PROBLEMS, Problem } from '../../../functions/conversions/serving/problem.ts';
import { readJson } from '../../../functions/conversions/serving/read-json.ts';
import { Refusal } from '../../../shared/errors.ts';

const Item = z.strictObject({ n: z.number(), deep: z.record(z.string(), z.array(z.string())).optional() });
const Result = z.object({ double: z.number() });
const route: ItemRoute<z.output<typeof Item>, z.output<typeof Result>> = {
  item: Item,
  result: Result,
  async work({ n }, { options }) {
    if (n === 13) throw new ItemRefusal('unknown-unit', 'No such unit.', { suggestion: 'm', pointer: '/n' });
    if (n === 500) throw new Error('a fault');
    return { double: n * 2 + (options.precision ?? 0) };
  },
};
const DEADLINE = { now: 0, check: () => undefined };
const answer = (body: unknown, deadline: Deadline = DEADLINE) => answerTo(route, requestIn(route, body), deadline);

async function problemOf(work: () => unknown): Promise<Problem> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('It was answered.');
}
const mistakesOf = async (body: unknown) => {
  const { status, code, members, detail } = await problemOf(() => requestIn(route, body));
  expect([status, code]).toEqual([400, 'invalid-request']);
  return { pointers: (members['errors'] as { pointer: string }[]).map(({ pointer }) => pointer), detail };
};

describe('one item', () => {
  it('is answered by its result', async () => {
    expect(await answer({ n: 2 })).toEqual({ double: 4, dataVersion: DATA_VERSION });
    expect(await answer({ n: 2, options: { precision: 3 } })).toEqual({ double: 7, dataVersion: DATA_VERSION });
  });

  it('that cannot be processed is refused with its own problem and advice', async () => {
    const problem = await problemOf(() => answer({ n: 13 }));
    expect(problem).toMatchObject({ status: 422, code: 'unknown-unit', detail: 'No such unit.' });
    expect(problem.members).toEqual({ suggestion: 'm', pointer: '/n' });
  });
});

describe('a list of items', () => {
  it('is answered in its order, each with its id and its own status', async () => {
    const items = [{ n: 1 }, { id: 'b', n: 13 }, { id: 'a', n: 3 }];
    expect(await answer({ items, options: { precision: 1 } })).toEqual({
      results: [
        { status: 'ok', double: 3 },
        {
          id: 'b',
          status: 'error',
          error: { code: 'unknown-unit', detail: 'No such unit.', suggestion: 'm', pointer: '/n' },
        },
        { id: 'a', status: 'ok', double: 7 },
      ],
      dataVersion: DATA_VERSION,
    });
  });

  it('of which no item could be processed is refused, with all reasons', async () => {
    const problem = await problemOf(() => answer({ items: [{ id: 'x', n: 13 }, { n: 13 }] }));
    expect(problem).toMatchObject({ status: 422, code: 'all-items-failed' });
    expect(problem.members).toMatchObject({ results: [{ id: 'x', status: 'error' }, { status: 'error' }] });
    expect(isCountable(problem)).toBe(true);
  });

  it('has 1 to 100 items', async () => {
    const items = (count: number) => ({ items: Array.from({ length: count }, (_, n) => ({ n: n + 1_000 })) });
    expect(((await answer(items(ITEMS_MAX))) as { results: unknown[] }).results).toHaveLength(100);
    for (const body of [items(101), items(0), { items: {} }, { items: null }, { items: 'x' }]) {
      expect((await mistakesOf(body)).pointers).toEqual(['/items']);
    }
  });

  it('is given up whole when one item meets a fault', async () => {
    await expect(answer({ items: [{ n: 1 }, { n: 500 }] })).rejects.toThrow('a fault');
  });

  it('is given up when its time is over, before the next item', async () => {
    let looked = 0;
    const check = () => {
      looked += 1;
      if (looked === 3) throw new Problem(503, 'deadline', 'too long');
    };
    const late = await problemOf(() => answer({ items: [{ n: 1 }, { n: 2 }, { n: 3 }] }, { now: 0, check }));
    expect([late.code, looked, isCountable(late)]).toEqual(['deadline', 3, false]);
  });
});

describe('mistakes of a request', () => {
  it.each([
    ['a list', []],
    ['a text', 'x'],
    ['null', null],
    ['a number', 1],
    ['a number of many digits', readJson('12345678901234567890')],
  ])('are told for a body that is %s', async (_what, body) => {
    expect((await mistakesOf(body)).pointers).toEqual(['']);
  });

  it('are reported all at once, each with its pointer', async () => {
    const body = {
      items: [
        { n: 'x' },
        { n: 1, id: '' },
        'no',
        { n: 1, id: 5 },
        readJson('1.10'),
        { n: 1, deep: { 'a/b~': ['x', 2] } },
      ],
      options: { precision: -1 },
      'ex/tra': 1,
    };
    const { pointers, detail } = await mistakesOf(body);
    expect(pointers.toSorted()).toEqual(
      [
        '/ex~1tra',
        '/items/0/n',
        '/items/1/id',
        '/items/2',
        '/items/3/id',
        '/items/4',
        '/items/5/deep/a~1b~0/1',
        '/options/precision',
      ].toSorted(),
    );
    expect(detail).toContain('7 more mistakes');
  });

  it('are at most 20 in an answer', async () => {
    const body = { items: Array.from({ length: 100 }, () => ({ n: 'x' })) };
    const { pointers, detail } = await mistakesOf(body);
    expect(pointers).toHaveLength(20);
    expect(detail).toContain('99 more');
  });

  it('are members that are not known, in the item, the list and the options', async () => {
    for (const body of [{ n: 1, m: 2 }, { items: [{ n: 1, m: 2 }] }, { n: 1, options: { m: 1 } }, { n: 1, id: 'x' }]) {
      expect((await mistakesOf(body)).pointers).toHaveLength(1);
    }
    expect((await mistakesOf(readJson('{"n":1,"__proto__":{"n":2}}'))).pointers).toHaveLength(1);
    expect((await mistakesOf(readJson('{"__proto__":{"n":2}}'))).pointers).not.toHaveLength(0);
    expect((await mistakesOf(readJson('{"items":[{"__proto__":{"n":2}}]}'))).pointers).not.toHaveLength(0);
  });

  it.each([
    ['defaultCountry', 'de'],
    ['defaultCountry', 'DEU'],
    ['locale', 'german'],
    ['locale', 'de_DE'],
    ['currency', 'eur'],
    ['timezone', 'Mars/Olympus'],
    ['timezone', 'x'.repeat(61)],
    ['rounding', 'up'],
    ['precision', 31],
    ['precision', 1.5],
    ['precision', '2'],
  ])('are told for the option %s: %s', async (name, value) => {
    const { pointers } = await mistakesOf({ n: 1, options: { [name]: value } });
    expect([...new Set(pointers)]).toEqual([`/options/${name}`]);
  });

  it.each([null, [], 'x', 5])('are told for options that are no object: %j', async (options) => {
    expect((await mistakesOf({ n: 1, options })).pointers).toEqual(['/options']);
  });
});

describe('the decision whether a request counts', () => {
  it.each([
    [400, true],
    [422, true],
    [401, false],
    [404, false],
    [413, false],
    [429, false],
    [500, false],
    [503, false],
  ])('a refusal with %i: %s', (status, counts) => {
    expect(isCountable(new Refusal(status, 'x', 'x'))).toBe(counts);
  });

  it('no fault', () => {
    expect(isCountable(new Error('x'))).toBe(false);
  });
});

it('every error of an item is a problem that the service documents', () => {
  for (const code of ITEM_ERRORS) expect(Object.keys(PROBLEMS)).toContain(code);
});
