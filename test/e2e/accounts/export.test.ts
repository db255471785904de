import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { campaignStore } from '../../../functions/images/campaigns/campaign-store.dynamodb.ts';
import { ERASING_DOMAINS } from '../../../shared/erasures/erasure.ts';
import { tablePages } from '../../../shared/export/table-pages.dynamodb.ts';
import { dynamoDbClient, type Item, putNewItem } from '../../../shared/table/table.dynamodb.ts';
import { clientOptions, eventually, later } from '../../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { base64Image } from '../../support/images/image-bytes.ts';
import { imageCampaign } from '../../support/images/image-campaigns.ts';

const TABLES = ['Accounts', 'Records', 'Webhooks', 'Conversions', 'Places', 'Images', 'Console'];
const SECRET = 'an-endpoint-secret';

let service: RunningService;
let operator: string;
let folder: string;
let s3: S3Client;
const bucket = () => service.cloud.outputs['ImagesPicturesBucket'];
/** The loyalty customers of acme. */
let ann: string;
let bob: string;

async function manage(method: string, path: string, body?: object) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${operator}` };
  return service.call(`/manage/v1/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

async function post(path: string, body: object): Promise<{ id: string } & Record<string, string>> {
  const { status, json, text } = await manage('POST', path, body);
  expect(status, text).toBeLessThan(300);
  return json;
}

/** A tenant with something of every kind that a call of the API makes. */
async function furnish(tenant: string): Promise<readonly [string, string]> {
  const at = `?tenant=${tenant}`;
  await post('accounts', { name: tenant });
  await post(`accounts/${tenant}/data-tokens`, { availableDownloads: 10, planId: 'basic' });
  await post(`accounts/${tenant}/management-keys`, { name: 'server', scopes: ['read'] });
  await post(`accounts/${tenant}/keys`, { mode: 'test' });
  await post(`people${at}`, { email: `zoe@${tenant}.example`, name: 'Zoe', role: 'admin' });
  await post(`loyalty/apps${at}`, { name: 'Shop' });
  await post(`loyalty/places${at}`, { id: 'corner', name: 'Corner', latitude: 1, longitude: 1 });
  const customers = [
    (await post(`loyalty/customers${at}`, { externalId: 'ann' })).id,
    (await post(`loyalty/customers${at}`, { externalId: 'bob' })).id,
  ] as const;
  const authentication = { type: 'bearer', token: SECRET };
  const target = { name: 'hook', targetUrl: 'https://hooks.example.com/', retryTimeoutSeconds: 5 };
  const configuration = await post(`api-configurations${at}`, {
    ...target,
    retryIntervalSeconds: 60,
    maxAttempts: 1,
    description: '',
    authentication,
  });
  await post(`rules${at}`, {
    module: 'dsar',
    trigger: 'DSAR is completed',
    apiConfigurationId: configuration.id,
    headers: {},
    body: '{}',
    enabled: false,
  });
  return customers;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'exports-'));
  service = await startService();
  service.cloud.stopSchedules({ allBut: 'EraseEveryHour' });
  operator = await service.managementToken('ops', { operator: true });
  await service.managementToken('acme');
  [ann, bob] = await furnish('acme');
  await service.managementToken('leaving');
  await furnish('acme-2');
  await furnish('leaving');
  s3 = new S3Client({ ...clientOptions(service.cloud), forcePathStyle: true });
  for (const tenant of ['acme', 'acme-2', 'leaving']) {
    await s3.send(new PutObjectCommand({ Bucket: bucket(), Key: `validations/${tenant}/1/images/a`, Body: tenant }));
  }
});
afterAll(async () => {
  s3?.destroy();
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Manifest {
  readonly files: readonly { path: string; bytes: number; sha256: string; items?: number }[];
  readonly leftOut: readonly { what: string; why: string }[];
}

async function exported(name: string, ...more: string[]): Promise<Manifest & { lines: Item[]; text: string }> {
  const out = join(folder, name);
  const tenant = more.includes('--tenant') ? [] : ['--tenant', 'acme'];
  const { code, stderr } = await service.run('cdk/export.command.ts', ...tenant, '--out', out, ...more);
  expect([code, stderr]).toEqual([0, '']);
  const manifest: Manifest = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8'));
  const lines: Item[] = [];
  let text = '';
  for (const { path, bytes, sha256, items } of manifest.files) {
    const stored = readFileSync(join(out, path));
    expect([stored.length, createHash('sha256').update(stored).digest('hex')], path).toEqual([bytes, sha256]);
    text += stored.toString();
    if (items === undefined) continue;
    const own = stored.toString().trimEnd().split('\n');
    expect(own, path).toHaveLength(items);
    lines.push(...own.map((line): Item => JSON.parse(line)));
  }
  return { ...manifest, lines, text };
}

const tableOf = (table: string) => ({
  name: service.cloud.outputs[`${table}Table`] ?? '',
  client: dynamoDbClient(clientOptions(service.cloud)),
});

/** The items that name the tenant anywhere, of all tables. */
async function itemsNaming(tenant: string): Promise<{ table: string; item: Item }[]> {
  const own: { table: string; item: Item }[] = [];
  for (const table of TABLES) {
    for await (const items of tablePages(tableOf(table))) {
      const named = items.filter((item) => new RegExp(`(?<![\\w-])${tenant}(?![\\w-])`).test(JSON.stringify(item)));
      own.push(...named.map((item) => ({ table, item })));
    }
  }
  return own;
}

describe('the export of a tenant', () => {
  let all: Awaited<ReturnType<typeof exported>>;
  beforeAll(async () => void (all = await exported('all')));

  it('holds every item of every table that names the tenant, but for the kinds it says it leaves out', async () => {
    const { lines, leftOut, files } = all;
    const names = new Set(lines.map(({ pk, sk }) => `${pk} ${sk}`));
    const kindsLeftOut = new Set(leftOut.map(({ what }) => what.split(': ')[1]));
    const missing: string[] = [];
    for (const { table, item } of await itemsNaming('acme')) {
      const isLeftOut = kindsLeftOut.has(String(item['pk']).split('#')[0]);
      if (!isLeftOut && !names.has(`${item['pk']} ${item['sk']}`)) missing.push(`${table} ${item['pk']}`);
    }
    // The operator's line of the audit log about making the account, which belongs to no tenant.
    expect(missing).toEqual(['Accounts AUDIT#']);
    expect(files.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        ...['accounts', 'apps', 'audit', 'customers', 'data-tokens', 'management-keys', 'people', 'roles'].map(
          (kind) => `accounts/${kind}.ndjson`,
        ),
        'conversions/credentials.ndjson',
        'images/files/validations/acme/1/images/a',
        'places/places.ndjson',
        'webhooks/api-configurations.ndjson',
        'webhooks/rules.ndjson',
      ]),
    );
  });

  it('holds nothing of another tenant, and no secret or what one is recognised by', () => {
    const { text, lines } = all;
    expect(text).not.toContain('acme-2');
    expect(text).not.toContain(SECRET);
    expect(lines.map((line) => JSON.stringify(line)).filter((line) => /"(\w*[hH]ash|secret|ks)":/.test(line))).toEqual(
      [],
    );
  });

  it('of one customer holds the profile of this one and nothing of others', async () => {
    // Of the domains, which `npm run export` asks one after the other, accounts alone holds something of this one.
    const out = join(folder, 'ann');
    const command = 'functions/accounts/commands/export-accounts.command.ts';
    const { stdout, stderr } = await service.run(command, '--tenant', 'acme', '--customer', ann, '--out', out);
    const { files }: Manifest = JSON.parse(stdout || stderr);
    expect(files.map(({ path }) => path)).toEqual(['accounts/customers.ndjson']);
    const text = readFileSync(join(out, 'accounts/customers.ndjson'), 'utf8');
    expect([text.includes(ann), text.includes(bob)]).toEqual([true, false]);
  });

  it('is refused with a sentence for a folder that is not empty', async () => {
    const args = ['--tenant', 'acme', '--out', import.meta.dirname];
    const { code, stderr, stdout } = await service.run('cdk/export.command.ts', ...args);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/is not empty/)]);
  });
});

describe('an erasure', () => {
  const HOUR = 3_600_000;
  const APP = '/priv/v1/apps/demo-app';
  const AT = 'location[latitude]=1&location[longitude]=1';
  const erase = () => manage('DELETE', 'accounts/leaving');
  /** A registered customer and an anonymous one, with the token of the latter. */
  let registered: string;
  let anonymous: string;
  let token: string;
  let accountErasure: Answer;
  let customerErasure: Answer;
  type Answer = Awaited<ReturnType<typeof manage>>;

  /** Puts the suspension back, as if the hours had passed: the schedules of a day are not the subject. */
  async function suspendEarlier(millis: number): Promise<void> {
    const { name, client } = tableOf('Accounts');
    await client.send(
      new UpdateItemCommand({
        TableName: name,
        Key: { pk: { S: 'ACCOUNT#leaving' }, sk: { S: 'ACCOUNT' } },
        ConditionExpression: 'attribute_exists(suspendedAt)',
        UpdateExpression: 'SET suspendedAt = :at',
        ExpressionAttributeValues: { ':at': { S: new Date(service.cloud.clock.millis() - millis).toISOString() } },
      }),
    );
  }

  async function picturesOf(tenant: string): Promise<string[]> {
    const Prefix = `validations/${tenant}/`;
    const { Contents: objects = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket(), Prefix }));
    return objects.map(({ Key = '' }) => Key);
  }

  /** Everything that the tables hold, as text, without the audit log, which proves who deleted whom. */
  async function everythingStored(): Promise<string> {
    const pages: string[] = [];
    for (const table of ['Accounts', 'Places', 'Images']) {
      for await (const items of tablePages(tableOf(table))) {
        pages.push(JSON.stringify(items.filter(({ pk }) => !String(pk).startsWith('AUDIT#'))));
      }
    }
    return pages.join();
  }

  async function loyalty(path: string, body?: object) {
    const authorization = `Basic ${Buffer.from('demo-app:demo-secret').toString('base64')}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const { json, text } = await service.call(path, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    expect(json.status, text).toBe('ok');
    return json;
  }

  /** Customers of the demo app who have been shown places, have checked in and have submitted a picture. */
  async function furnishCustomers(): Promise<void> {
    const campaign = imageCampaign({ tenant: 'demo', permalink: 'photos', type: 'image' });
    expect(await campaignStore(tableOf('Images')).add(campaign)).toBe(true);
    const place = { id: 'near', name: 'Near', latitude: 1, longitude: 1, points: 7 };
    const { venueId: venue_id } = await post('loyalty/places?tenant=demo', place);
    registered = (await post('loyalty/customers?tenant=demo', {})).id;
    ({
      auth_token: token,
      user: { id: anonymous },
    } = await loyalty(`${APP}/anonymous_tokens`, {}));
    const image_validation = {
      validation_type: 'image',
      campaign_permalink: campaign.permalink,
      image_count: 2,
      images: [{ base64_data: base64Image('mine') }],
    };
    for (const [path, query, id] of [
      [`${APP}/users/${registered}`, '', registered],
      [APP, `&auth_token=${token}`, anonymous],
    ] as const) {
      await loyalty(`${path}/places?${AT}${query}`);
      const check_in = { place_id: 'near', venue_id, state: 'checkable', distance: 0 };
      await loyalty(`${path}/places/near/check_ins?${query}`, { check_in });
      await loyalty(`${path}/image_validations?${query}`, { image_validation });
      expect(await everythingStored()).toContain(id);
    }
  }

  beforeAll(async () => {
    await furnishCustomers();
    const one = `loyalty/customers/${registered}`;
    expect((await manage('DELETE', `${one}?tenant=acme`)).status).toBe(404);
    customerErasure = await manage('DELETE', `${one}?tenant=demo`);
    const other = `loyalty/customers/${anonymous}?tenant=demo`;
    const [deleted, again] = [await manage('DELETE', other), await manage('DELETE', other)];
    expect([customerErasure.status, deleted.status, again.status]).toEqual([204, 204, 404]);
    expect((await manage('GET', locationOf(customerErasure))).json).toMatchObject({
      status: 'running',
      customer: registered,
      erasedAt: {},
    });

    await putNewItem(tableOf('Conversions'), {
      pk: 'INVOICE#leaving#2026-10-leaving',
      sk: 'INVOICE',
      id: '2026-10-leaving',
      tenant: 'leaving',
    });
    expect(await erase()).toMatchObject({ status: 409, json: { code: 'account-active' } });
    expect((await manage('PATCH', 'accounts/leaving', { active: false })).status).toBe(200);
    expect(await erase()).toMatchObject({ status: 409, json: { code: 'account-suspended-recently' } });
    await suspendEarlier(24 * HOUR);
    accountErasure = await erase();
    const { status, json } = await erase();
    expect([accountErasure.status, status, json.id]).toEqual([202, 202, accountErasure.json.id]);
    expect(accountErasure.json).toMatchObject({
      subject: 'account',
      account: 'leaving',
      status: 'running',
      erasedAt: {},
    });
    for (let hours = 0; hours < 3; hours += 1) await later(service.cloud, HOUR);
    operator = await service.managementToken('ops', { operator: true });
  });

  const locationOf = ({ headers }: Answer) => headers.get('location')?.replace('/manage/v1/', '') ?? '';

  it('of an account leaves its invoices, its audit log and its id within three hours, and nobody gets the id again', async () => {
    const state = async () => (await manage('GET', 'accounts/leaving')).json;
    const { erasure } = await eventually(service.cloud, state, ({ erasure: { status } }) => status === 'completed');
    expect(Object.keys(erasure.erasedAt).toSorted()).toEqual(ERASING_DOMAINS.account.toSorted());
    expect(erasure.remains).toContainEqual({ what: expect.stringContaining('Invoices'), why: expect.any(String) });
    const { status, json } = await manage('GET', locationOf(accountErasure));
    expect([status, json]).toEqual([200, erasure]);

    const items = await itemsNaming('leaving');
    const remaining = items.map(({ item: { pk } }) => String(pk).replace(/#.*/, ''));
    expect([...new Set(remaining)].toSorted()).toEqual(['ACCOUNT', 'AUDIT', 'ERASURE', 'INVOICE']);
    expect(JSON.stringify(items)).not.toMatch(/"(ann|bob)"/);
    expect(await picturesOf('leaving')).toEqual([]);
    expect(await picturesOf('acme-2')).toHaveLength(1);
    expect((await itemsNaming('acme-2')).length).toBeGreaterThan(15);
    expect(await manage('POST', 'accounts', { name: 'leaving' })).toMatchObject({ status: 409 });
    expect(await manage('PATCH', 'accounts/leaving', { active: true })).toMatchObject({
      status: 409,
      json: { code: 'account-erased' },
    });
  });

  it('of a customer leaves nothing within three hours but the sums of the ledger', async () => {
    const erasure = async () => (await manage('GET', locationOf(customerErasure))).json;
    const done = await eventually(service.cloud, erasure, ({ status }) => status === 'completed');
    expect(done).toMatchObject({ erasedAt: { accounts: expect.any(String), images: expect.any(String) } });
    expect(done.remains.map(({ what }: { what: string }) => what)).toContain('Amounts in the points ledger');
    expect(done).not.toHaveProperty('customer');
    const stored = await everythingStored();
    expect(stored).not.toContain(registered);
    // The tombstone that refuses the token.
    expect(stored.split(anonymous).length - 1).toBe(1);
    expect(stored).toContain(`POINTS#demo#${done.id}`);
    expect((await service.call(`/api/v1/apps/demo-app/places?${AT}&auth_token=${token}`)).status).toBe(401);
    expect((await manage('GET', 'erasures?tenant=acme')).json.items ?? []).toEqual([]);
  });
});
