import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { Problem } from '../../../functions/conversions/serving/problem.ts';
import { type RateOnlyCall, rateOnlyRoute } from '../../../functions/conversions/serving/rate-only-route.ts';
import { ok } from '../../../shared/http/http-handler.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';
import { callRoute, functionParts, missingHeaders, storedAccount } from '../../support/conversions/metered-desk.ts';
import { Mortality } from '../../support/faults/mortal-clients.ts';
import { loggedLines } from '../../support/runner/logged-lines.ts';

const lines = loggedLines();
afterEach(() => void lines());

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createTable(endpoint, 'conversions');
});
afterAll(() => endpoint.close());

const QUOTA = ['x-quota-limit', 'x-quota-remaining', 'x-quota-cost'];
const NOW = Date.now() * 1_000;
function newRoute(answer: (call: RateOnlyCall) => ReturnType<typeof ok>, of: Table = table) {
  const handler = rateOnlyRoute(functionParts(of, { micros: () => NOW }).parts, answer);
  return (key: string) => callRoute(handler, { key });
}

it('takes a token and no conversion, and tells the rate only', async () => {
  const { live, counter, current } = await storedAccount(table, { plan: 'free' });
  const call = newRoute(({ caller, item }) => ok({ mode: caller.mode, used: item?.testUsed }));
  const { status, headers, json } = await call(live);
  expect([status, json]).toEqual([200, { mode: 'live', used: 0 }]);
  expect(missingHeaders(headers)).toEqual(QUOTA);
  expect(headers['ratelimit-remaining']).toBe('9');
  expect([(await current())[counter], (await current()).arrival]).toEqual([undefined, NOW + 200_000]);
});

it('serves an account whose quotas are used up, and limits its rate like any other', async () => {
  const { live, current } = await storedAccount(table, { plan: 'free', own: { hardLimit: 0, testQuota: 0 } });
  const call = newRoute(() => ok({}));
  for (let left = 9; left >= 0; left -= 1) {
    expect((await call(live)).headers['ratelimit-remaining']).toBe(String(left));
  }
  const { status, headers, json } = await call(live);
  expect([status, json.code, headers['retry-after'], headers['ratelimit-reset']]).toEqual([
    429,
    'rate-limited',
    '1',
    '1',
  ]);
  expect((await current()).arrival).toBe(NOW + 10 * 200_000);
});

it.each([
  ['a problem', () => new Problem(404, 'not-found', 'Nothing.', { headers: { allow: 'GET' } }), 404, 'not-found'],
  ['a fault', () => new Error('secret'), 500, 'internal'],
])('has the headers of limits when it answers %s', async (_what, thrown, status, code) => {
  const { test } = await storedAccount(table);
  const answer = await newRoute(() => {
    throw thrown();
  })(test);
  expect([answer.status, answer.json.code]).toEqual([status, code]);
  expect(missingHeaders(answer.headers)).toEqual(QUOTA);
  expect(answer.text).not.toContain('secret');
  if (status === 404) expect(answer.headers['allow']).toBe('GET');
});

it('refuses a key that is revoked with no word on limits', async () => {
  const { live } = await storedAccount(table, { own: { credentials: {} } });
  const { status, headers } = await newRoute(() => ok({}))(live);
  expect([status, Object.keys(headers).filter((name) => name.startsWith('ratelimit'))]).toEqual([401, []]);
});

it('answers without the table, as far as it can, and limits by itself', async () => {
  const { live } = await storedAccount(table);
  const call = newRoute(({ item }) => ok({ known: item !== undefined }), {
    ...table,
    client: new Mortality(1).bind(table.client),
  });
  const { status, headers, json } = await call(live);
  expect([status, json, missingHeaders(headers)]).toEqual([200, { known: false }, QUOTA]);
  const answers = await Promise.all(Array.from({ length: 450 }, () => call(live)));
  expect(answers.filter((one) => one.status === 200)).toHaveLength(399);
  const limited = answers.find((one) => one.status === 429);
  expect([limited?.headers['retry-after'], missingHeaders(limited?.headers ?? {})]).toEqual(['1', QUOTA]);
});
