import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { managementBuckets, withinRate } from '../../functions/edge/management-rate.dynamodb.ts';
import type { Identity } from '../../shared/auth/management-caller.ts';
import type { Table } from '../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../support/cloud/local-endpoint.ts';
import { createTable } from '../support/cloud/local-table.ts';
import { failingDynamoDb } from '../support/faults/failing-dynamodb.ts';
import { loggedLines } from '../support/runner/logged-lines.ts';

const NOW = Date.parse('2026-11-26T12:00:00Z');
const BURST = 400;
const of = (tenant: string): Identity => ({ tenant, operator: tenant === '', scopes: ['manage'] });
const isLimited = (identity: Identity) => 'limited' in identity;

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createTable(endpoint, 'accounts');
});
afterAll(() => endpoint.close());
const logged = loggedLines();
afterEach(() => void logged());

describe('the limit of calls', () => {
  it('lets a tenant make four hundred at once in all copies of the function together, and then a hundred a second', async () => {
    const copies = [managementBuckets(table), managementBuckets(table)];
    const call = (n: number, millis: number) => withinRate(copies[n % 2]!, of('acme'), millis);
    for (let n = 0; n < BURST; n += 1) expect(isLimited(await call(n, NOW))).toBe(false);
    expect(await call(0, NOW)).toMatchObject({
      limited: true,
      rate: { 'ratelimit-limit': '400', 'ratelimit-remaining': '0', 'retry-after': '1' },
    });
    expect(isLimited(await call(1, NOW))).toBe(true);
    expect(await withinRate(copies[0]!, of('other'), NOW)).toMatchObject({ rate: { 'ratelimit-remaining': '399' } });
    const later = await Promise.all(Array.from({ length: 150 }, () => call(0, NOW + 1_000)));
    expect(later.filter(isLimited)).toHaveLength(50);
  });

  it('is one for operators without a tenant, and none for who is refused', async () => {
    const [one, other] = [managementBuckets(table), managementBuckets(table)];
    await withinRate(one, of(''), NOW);
    expect(await withinRate(other, of(''), NOW)).toMatchObject({ rate: { 'ratelimit-remaining': '398' } });
    const refused: Identity = { refused: 'The key is not valid.' };
    expect(await withinRate(one, refused, NOW)).toEqual(refused);
  });

  it('lets callers in while the table does not answer, and then states nothing', async () => {
    const failing = await failingDynamoDb();
    failing.state.ending = { status: 400, error: 'ThrottlingException' };
    const buckets = managementBuckets({ name: 'accounts', client: failing.client });
    expect(await withinRate(buckets, of('acme'), NOW)).toEqual(of('acme'));
    expect(logged()).toContainEqual(expect.objectContaining({ message: 'calls not limited' }));
    await failing.close();
  });
});
