import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lastUseWriter } from '../../../../functions/conversions/billing/metering/last-uses.dynamodb.ts';
import { credentialKey } from '../../../../functions/conversions/billing/metering/meter-store.dynamodb.ts';
import { getItem, marshalled, type Table } from '../../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../../support/cloud/local-endpoint.ts';
import { createTable } from '../../../support/cloud/local-table.ts';

const HOUR = '2026-11-22T10:00:00.000Z';
const AT = '2026-11-22T10:20:00.000Z';

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createTable(endpoint, 'conversions');
});
afterAll(() => endpoint.close());

const write = (id: string, at: string, hour: string) => lastUseWriter(table, 10_000)(id, { at, hour });
const lastUseOf = async (id: string) => (await getItem(table, credentialKey(id)))?.['lastUsedAt'];
const store = (id: string) =>
  table.client.send(new PutItemCommand({ TableName: table.name, Item: marshalled(credentialKey(id)) }));

describe('the stored last use', () => {
  it('is that of the first of many functions in an hour', async () => {
    await store('a');
    await write('a', AT, HOUR);
    await Promise.all(['10:20:01', '10:40:00', '10:59:59'].map((time) => write('a', `2026-11-22T${time}.000Z`, HOUR)));
    expect(await lastUseOf('a')).toBe(AT);
  });

  it('is replaced in a later hour, and not by a function whose clock is an hour behind', async () => {
    await store('b');
    await write('b', '2026-11-22T11:05:00.000Z', '2026-11-22T11:00:00.000Z');
    await write('b', AT, HOUR);
    expect(await lastUseOf('b')).toBe('2026-11-22T11:05:00.000Z');
    await write('b', '2026-11-22T12:00:00.000Z', '2026-11-22T12:00:00.000Z');
    expect(await lastUseOf('b')).toBe('2026-11-22T12:00:00.000Z');
  });

  it('does not bring back a credential that was erased', async () => {
    await write('gone', AT, HOUR);
    expect(await getItem(table, credentialKey('gone'))).toBeUndefined();
  });
});
