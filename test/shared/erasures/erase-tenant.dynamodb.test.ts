import { CreateBucketCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { removeObjects } from '../../../shared/erasures/erased-objects.s3.ts';
import type { ErasingDomain, OpenAccountErasure } from '../../../shared/erasures/erasure.ts';
import { erasureById, erasureKey, newErasureWrites } from '../../../shared/erasures/erasure-items.dynamodb.ts';
import { type ErasedDomain, openErasureRunner } from '../../../shared/erasures/open-erasure-runner.dynamodb.ts';
import { removeItems } from '../../../shared/erasures/tenant-items.dynamodb.ts';
import { kindOf, type StoredItem } from '../../../shared/export/stored-kinds.ts';
import { tablePages } from '../../../shared/export/table-pages.dynamodb.ts';
import { isoTime } from '../../../shared/formats/timestamp.ts';
import { newId } from '../../../shared/ids.ts';
import { getItem, putNewItem, type Table, transact } from '../../../shared/table/table.dynamodb.ts';
import { log } from '../../../shared/telemetry/log.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';
import { TENANT_KINDS } from '../../support/cloud/tenant-kinds.ts';
import { type Client, Interlude, unlessKilled } from '../../support/faults/mortal-clients.ts';
import { deaths } from '../../support/runner/thoroughness.ts';

const NOW = Date.parse('2026-11-22T10:30:00.000Z');
const HOUR = 3_600_000;
const DOMAINS = Object.keys(TENANT_KINDS) as ErasingDomain[];

/** Where the partition key of a kind does not begin with the tenant: its key, and the members that say whose it is. */
const BY_MEMBER: Readonly<Record<string, (tenant: string) => StoredItem>> = {
  'ACCOUNT#': (id) => ({ pk: `ACCOUNT#${id}`, id }),
  'DATA_TOKEN#': (tenant) => ({ pk: `DATA_TOKEN#tok_${tenant}`, tenant }),
  'MANAGEMENT_KEY#': (tenant) => ({ pk: `MANAGEMENT_KEY#${newId('key')}`, tenant }),
  'PERSON#': (tenant) => ({ pk: `PERSON#${newId('per')}`, tenant }),
  'APP#': (tenant) => ({ pk: `APP#${newId('app')}`, tenant }),
  OPEN_ERASURES: (tenant) => ({ pk: 'OPEN_ERASURES', tenant, id: newId('era') }),
  'DOWNLOADS#': (tenant) => ({ pk: `DOWNLOADS#${newId('tok')}`, tenant }),
  'REQUEST#': (tenant) => ({ pk: `REQUEST#${newId('7')}`, tenant }),
  'CREDENTIAL#': (tenant) => ({ pk: `CREDENTIAL#${newId('crd')}`, tenant }),
  'LATE_USAGE#': (tenant) => ({ pk: `LATE_USAGE#${newId('use')}`, tenant }),
  'IMPORT#': (tenant) => ({ pk: `IMPORT#${tenant}/places.ndjson` }),
  'IMPORT_ENTRY#': (owner) => ({ pk: `IMPORT_ENTRY#${newId('i')}`, owner }),
  'SESSION#': (tenant) => ({ pk: `SESSION#${newId('s')}`, person: { name: 'ann', tenant } }),
};

/** An item of every kind; those of no tenant are without one. */
const itemsOf = (domain: ErasingDomain, tenant: string): StoredItem[] =>
  Object.entries(TENANT_KINDS[domain]).map(([prefix, kind]) => {
    if ('ownerless' in kind) return { pk: prefix.endsWith('#') ? `${prefix}of-all` : prefix, sk: newId('x') };
    const item = BY_MEMBER[prefix]?.(tenant) ?? { pk: `${prefix}${tenant}#${newId('x')}` };
    return { ...item, sk: newId('sk'), bytes: new Set([Buffer.from('a set')]) };
  });

let endpoint: LocalEndpoint;
let s3: S3Client;
const tables = new Map<ErasingDomain, Table>();
beforeAll(async () => {
  // Passes that die say so.
  vi.spyOn(log, 'error').mockReturnValue(undefined);
  endpoint = await startLocalEndpoint();
  s3 = new S3Client({ ...endpoint.clientOptions(), forcePathStyle: true });
  for (const domain of DOMAINS) tables.set(domain, await createTable(endpoint, domain));
});
/** Each test begins with empty tables. */
afterEach(() => Promise.all(DOMAINS.map(clear)));
afterAll(() => endpoint.close());

const clear = async (domain: ErasingDomain) => removeItems(tableOf(domain), await everything(domain));

const tableOf = (domain: ErasingDomain): Table => tables.get(domain)!;

async function everything(domain: ErasingDomain): Promise<StoredItem[]> {
  const items: StoredItem[] = [];
  for await (const page of tablePages(tableOf(domain))) items.push(...page);
  return items;
}

const keyOf = ({ pk, sk }: StoredItem) => `${String(pk)} ${String(sk)}`;
/** Keys of all items that name the tenant anywhere, but for its open erasure. */
const namesOf = async (domain: ErasingDomain, { tenant, id }: OpenAccountErasure) =>
  (await everything(domain))
    .filter((item) => new RegExp(`(?<![\\w-])${tenant}(?![\\w-])`).test(JSON.stringify(item)) && item['id'] !== id)
    .map(keyOf);

let tenants = 0;
const newTenant = () => `tenant-${(tenants += 1)}`;

async function newErasure(): Promise<OpenAccountErasure> {
  const erasure: OpenAccountErasure = {
    subject: 'account',
    tenant: newTenant(),
    id: newId('era'),
    requestedAt: isoTime(NOW),
    erasedAt: {},
  };
  await transact(tableOf('accounts'), newErasureWrites(tableOf('accounts'), erasure));
  return erasure;
}
const erasedAt = async (erasure: OpenAccountErasure) => (await erasureById(tableOf('accounts'), erasure))?.erasedAt;

async function fill(domain: ErasingDomain, tenant: string): Promise<StoredItem[]> {
  const items = itemsOf(domain, tenant);
  await Promise.all(items.map((item) => putNewItem(tableOf(domain), { ...item })));
  return items;
}

interface Call extends Partial<ErasedDomain> {
  readonly now: number;
  readonly bind?: <C extends Client>(client: C) => C;
  /** @default as much as it needs */
  readonly remainingMillis?: number;
}

/** A call of the schedule of a domain. */
function pass(
  domain: ErasingDomain,
  { now, bind = (client) => client, remainingMillis = 900_000, ...own }: Call,
): Promise<void> {
  const bound = (table: Table) => ({ name: table.name, client: bind(table.client) });
  const erase = openErasureRunner(bound(tableOf('accounts')), {
    domain,
    table: bound(tableOf(domain)),
    kinds: TENANT_KINDS[domain],
    isRetained: ({ id }, item) => item['id'] === id,
    ...own,
  });
  return erase(now, { getRemainingTimeInMillis: () => remainingMillis });
}

describe('the erasure of an account', () => {
  it.each(DOMAINS)('leaves in %s what must stay, everything of others, and nothing else', async (domain) => {
    const erasure = await newErasure();
    const own = await fill(domain, erasure.tenant);
    const others = (await fill(domain, newTenant())).map(keyOf);
    const kinds = own.map((item) => ({ key: keyOf(item), kind: kindOf(TENANT_KINDS[domain], item) }));
    const stays = kinds.filter(({ kind }) => 'tenant' in kind && kind.stays !== undefined).map(({ key }) => key);
    const ownerless = kinds.filter(({ kind }) => 'ownerless' in kind).map(({ key }) => key);
    await pass(domain, { now: NOW, pageItems: 7 });
    expect(await namesOf(domain, erasure)).toEqual(expect.arrayContaining(stays));
    expect(await namesOf(domain, erasure)).toHaveLength(stays.length);
    expect(await erasedAt(erasure)).toEqual({});
    await pass(domain, { now: NOW + HOUR });
    await pass(domain, { now: NOW + 2 * HOUR });
    expect(await erasedAt(erasure)).toEqual({ [domain]: isoTime(NOW + HOUR) });
    expect((await everything(domain)).map(keyOf)).toEqual(expect.arrayContaining([...others, ...ownerless]));
  });
});

describe('a pass through a table', () => {
  const bucket = 'imports';
  beforeAll(() => s3.send(new CreateBucketCommand({ Bucket: bucket })));

  const objectsBelow = async (Prefix: string) =>
    ((await s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix }))).Contents ?? []).map(({ Key }) => Key);
  const put = (Key: string) => s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: Key }));

  it('ends the same wherever a worker dies and however often it runs, with the objects of the tenant', async () => {
    for (const mortality of deaths()) {
      const erasure = await newErasure();
      const { tenant } = erasure;
      await fill('places', tenant);
      const others = (await fill('places', newTenant())).map(keyOf);
      for (const key of [`${tenant}/a`, `${tenant}/b/c`, `${tenant}-2/a`]) await put(key);
      const call = (bind: NonNullable<Call['bind']>): Call => ({
        now: NOW + HOUR,
        pageItems: 12,
        bind,
        removeOthers: (one) => removeObjects({ bucket, client: bind(s3) }, `${one}/`),
      });
      await pass(
        'places',
        call((client) => mortality.bind(client)),
      ).catch(unlessKilled);
      const again = call((client) => client);
      await Promise.all([pass('places', again), pass('places', again)]);
      expect(await erasedAt(erasure), String(mortality)).toHaveProperty('places');
      expect(await namesOf('places', erasure), String(mortality)).toEqual([]);
      expect((await everything('places')).map(keyOf)).toEqual(expect.arrayContaining(others));
      expect([await objectsBelow(`${tenant}/`), await objectsBelow(`${tenant}-2/`)]).toEqual([[], [`${tenant}-2/a`]]);
      await Promise.all([clear('places'), clear('accounts')]);
    }
  });

  it('goes on where the last call ran out of time, and is the last only if it began an hour after the request', async () => {
    const erasure = await newErasure();
    for (let n = 0; n < 3; n += 1) await fill('webhooks', erasure.tenant);
    let calls = 0;
    // It begins before the hour is over, and ends after it.
    for (let minute = 30; (await namesOf('webhooks', erasure)).length > 0; minute += 15) {
      await pass('webhooks', { now: NOW + minute * 60_000, remainingMillis: 0, pageItems: 10 });
      calls += 1;
    }
    expect(calls).toBe(4);
    expect(await erasedAt(erasure)).toEqual({});
    await fill('webhooks', erasure.tenant);
    await pass('webhooks', { now: NOW + 4 * HOUR });
    expect(await namesOf('webhooks', erasure)).toEqual([]);
    expect(await erasedAt(erasure)).toEqual({ webhooks: isoTime(NOW + 4 * HOUR) });
  });

  it('stops when another call has ended it, and moves no later pass on', async () => {
    const erasure = await newErasure();
    const interlude = new Interlude(6, async () => {
      await pass('webhooks', { now: NOW });
      await fill('webhooks', erasure.tenant);
      // It begins, and runs out of time at once.
      await pass('webhooks', { now: NOW + HOUR, remainingMillis: 0, pageItems: 1 });
    });
    await fill('webhooks', erasure.tenant);
    await pass('webhooks', { now: NOW, pageItems: 5, bind: (client) => interlude.bind(client) });
    expect(interlude.calls).toBeGreaterThan(6);
    const stored = await getItem(tableOf('accounts'), erasureKey(erasure));
    expect(stored?.['passes']).toMatchObject({ webhooks: { startedAt: isoTime(NOW + HOUR) } });
    expect(await erasedAt(erasure)).toEqual({});
    await pass('webhooks', { now: NOW + 2 * HOUR });
    expect(await namesOf('webhooks', erasure)).toEqual([]);
    expect(await erasedAt(erasure)).toEqual({ webhooks: isoTime(NOW + 2 * HOUR) });
  });

  it('fails at an item of a kind that it does not know, so that nothing of a tenant is missed silently', async () => {
    const erasure = await newErasure();
    const stranger = { pk: `NEW_KIND#${erasure.tenant}`, sk: 'x' };
    await putNewItem(tableOf('places'), stranger);
    await pass('places', { now: NOW + HOUR });
    expect(await erasedAt(erasure)).toEqual({});
    await removeItems(tableOf('places'), [stranger]);
    await pass('places', { now: NOW + 2 * HOUR });
    expect(await erasedAt(erasure)).toHaveProperty('places');
  });
});
