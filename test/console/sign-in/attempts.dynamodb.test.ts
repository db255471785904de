import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attemptCounts, failuresOf, forgetFailures } from '../../../functions/console/sign-in/attempts.dynamodb.ts';
import { deviceKeys } from '../../../functions/console/sign-in/device-keys.dynamodb.ts';
import {
  MAX_FAILURES_PER_BROWSER,
  MAX_FAILURES_PER_NAME,
  ownerOf,
  takeAttempt,
} from '../../../functions/console/sign-in/lockout.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createTable(endpoint, 'attempts');
});
afterAll(() => endpoint.close());

const NOW = 1_000_000;
const from = (name: string, address: string) => takeAttempt(attemptCounts(table), { name, address }, NOW);

describe('attempts to sign in, in DynamoDB', () => {
  it('let no more through than the limit when very many come at the same time', async () => {
    const crowd = await Promise.all(Array.from({ length: 25 }, () => from('crowd', '203.0.113.9')));
    expect(crowd.filter(({ kind }) => kind === 'taken').length).toBeLessThanOrEqual(MAX_FAILURES_PER_BROWSER);
    const parts = await failuresOf(table, ownerOf('crowd'));
    const taken = crowd.filter(({ kind }) => kind === 'taken').length;
    expect(Object.fromEntries(parts.map(({ kind, series }) => [kind, series.failures]))).toEqual({
      NAME: taken,
      PAIR: taken,
    });
  });

  it('count for every series or for none, and are given back to all', async () => {
    const attempt = await from('giver', '203.0.113.9');
    if (attempt.kind !== 'taken') throw new Error('locked-out');
    await attempt.giveBack();
    expect((await failuresOf(table, ownerOf('giver'))).map(({ series }) => series.failures)).toEqual([0, 0]);
  });

  it('are forgotten for one name when an operator unlocks it', async () => {
    for (let n = 0; n < MAX_FAILURES_PER_NAME; n += 1)
      expect((await from('locked', `198.51.${n}.7`)).kind).toBe('taken');
    expect(await from('locked', '203.0.113.9')).toMatchObject({ kind: 'locked-out', reason: 'name' });
    await from('neighbour', '203.0.113.9');
    await forgetFailures(table, ownerOf('Locked'));
    expect(await failuresOf(table, ownerOf('locked'))).toEqual([]);
    expect((await from('locked', '203.0.113.9')).kind).toBe('taken');
    expect(await failuresOf(table, ownerOf('neighbour'))).not.toEqual([]);
  });

  it('leave neither names nor addresses in the table', async () => {
    await from('somebody@example.com', '192.0.2.55');
    const { Items } = await table.client.send(new ScanCommand({ TableName: table.name }));
    expect(JSON.stringify(Items)).not.toMatch(/somebody|192\.0\.2/);
  });
});

describe('the keys of device cookies', () => {
  it('are one for each period, whoever asks first', async () => {
    const keys = await Promise.all([1, 2, 3, 4].map(() => deviceKeys(table).of(7)));
    expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(1);
    expect(await deviceKeys(table).of(8)).not.toEqual(keys[0]);
    expect(keys[0]?.byteLength).toBe(32);
  });
});
