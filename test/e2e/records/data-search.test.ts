import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basic, type RunningService, startService } from '../../support/cloud/running-service.ts';
import { stepsInOrder } from '../../support/runner/steps-in-order.ts';

stepsInOrder();

const folder = mkdtempSync(join(tmpdir(), 'data-search-'));
let service: RunningService;
let operator: string;
beforeAll(async () => {
  service = await startService();
  service.cloud.stopSchedules();
  operator = await service.managementToken('demo', { operator: true });
});
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true });
});

const file = (name: string, content: string | Uint8Array) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const importing = (...args: string[]) => service.run('cdk/import.command.ts', ...args);
const search = (query: string, type = 'businesses') => service.as('demo-token')(`/v3/data/${type}?${query}`);
const manage = (path: string, token: string, method = 'GET', body?: unknown) =>
  service.call(`/manage/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

describe('an account', () => {
  it('is the demo tenant for the demo token, as an array of one and bare', async () => {
    const list = await service.as('demo-token')('/v3/users');
    expect(list.status).toBe(200);
    expect(list.json).toEqual([
      {
        token: 'demo-token',
        organization: 'Demo Organization',
        email: 'demo@example.com',
        first_name: 'Dana',
        last_name: 'Demo',
        phone_number: '+1 555 0100',
        plan_id: 'demo',
        type: 'user',
        active: 1,
        available_downloads: 1_000_000,
        date_registered: '2026-1-1 00:00:00',
      },
    ]);
    expect((await service.as('demo-token')('/v3/users/demo-token')).json).toEqual(list.json[0]);
    expect((await service.as('demo-token')('/v3/users/other-token')).status).toBe(404);
  });

  it.each([
    ['no header', undefined],
    ['an unknown token', basic('wrong')],
    ['a malformed header', 'Basic !!!'],
    ['another scheme', 'Bearer demo-token'],
    ['a password', `Basic ${Buffer.from('demo-token:x').toString('base64')}`],
  ])('is refused with %s with the error of the interface', async (_what, authorization) => {
    for (const path of ['/v3/users', '/v3/data/businesses?q=a', '/v3/nowhere']) {
      const { status, json } = await service.call(
        path,
        authorization === undefined ? {} : { headers: { authorization } },
      );
      expect([path, status]).toEqual([path, 401]);
      expect(json).toEqual({
        error: 'Unauthorized',
        message: 'Authentication required. Please provide a valid API token.',
        code: 401,
      });
    }
  });

  it('is made by an operator, gets a token that works, and loses it again', async () => {
    const account = await manage('accounts', operator, 'POST', {
      name: 'Acme Inc',
      organization: 'Acme',
      plan: 'starter',
    });
    expect([account.status, account.json.id]).toEqual([201, 'acme-inc']);
    const given = await manage('accounts/acme-inc/data-tokens', operator, 'POST', {
      availableDownloads: 5,
      planId: 'basic',
    });
    expect(given.status).toBe(201);
    const { token, id } = given.json;
    expect((await service.as(token)('/v3/users')).json[0]).toMatchObject({
      token,
      organization: 'Acme',
      available_downloads: 5,
    });
    expect((await service.as(token)('/v3/data/businesses?q=a&view=businesses_all_nested')).status).toBe(403);

    const own = await service.managementToken('Acme Inc');
    const listed = await manage('accounts/acme-inc/data-tokens', own);
    expect(listed.json.items).toEqual([{ id, planId: 'basic', availableDownloads: 5, createdAt: expect.any(String) }]);
    expect(listed.text).not.toContain(token);
    expect((await manage(`accounts/acme-inc/data-tokens/${id}`, own, 'DELETE')).status).toBe(204);
    expect((await manage('accounts/acme-inc/data-tokens', own)).json.items[0].revokedAt).toEqual(expect.any(String));
  });

  it('cannot see, change or make others, nor distinguish them from missing ones', async () => {
    const own = await service.managementToken('demo');
    const foreign = await manage('accounts/acme-inc', own);
    const missing = await manage('accounts/nobody', own);
    expect([foreign.status, missing.status]).toEqual([404, 404]);
    const plain = ({ instance: _, ...rest }: Record<string, unknown>) => rest;
    expect(plain(foreign.json)).toEqual(plain(missing.json));
    expect((await manage('accounts/demo', own)).json).toMatchObject({ id: 'demo', name: 'demo' });
    expect((await manage('accounts', own)).status).toBe(403);
    // Nobody but operators learns which accounts there are.
    expect((await manage('accounts', own, 'POST', { name: 'acme inc', plan: 'huge' })).json.code).toBe(
      'operator-required',
    );
    expect((await manage('accounts/demo', own, 'PATCH', { organization: 'x' })).status).toBe(403);
    expect(
      (await manage('accounts/demo/data-tokens', own, 'POST', { availableDownloads: 1, planId: 'x' })).status,
    ).toBe(403);
  });

  it('is refused bad input as problem details, and nothing changes', async () => {
    for (const body of [{}, { name: '' }, { name: 'x', extra: 1 }, { name: '!!!' }, { name: 'x', plan: 'gold' }]) {
      const { status, json, headers } = await manage('accounts', operator, 'POST', body);
      expect([body, status]).toEqual([body, 400]);
      expect(headers.get('content-type')).toBe('application/problem+json');
      expect(json).toMatchObject({
        status: 400,
        code: 'invalid-input',
        title: expect.any(String),
        type: expect.any(String),
      });
    }
    const errors = async (path: string, body: object) =>
      (await manage(path, operator, 'POST', body)).json.errors
        .map(({ pointer }: { pointer: string }) => pointer)
        .sort();
    expect(await errors('accounts', { name: 'demo', plan: 'huge' })).toEqual(['/name', '/plan']);
    expect(await errors('accounts/demo/data-tokens', { planId: 'none', availableDownloads: -1 })).toEqual([
      '/availableDownloads',
      '/planId',
    ]);
    expect((await manage('accounts/x', operator)).status).toBe(404);
    expect((await manage('accounts', operator, 'POST', { name: 'demo' })).json.code).toBe('account-exists');
    expect((await manage('accounts?limit=0', operator)).status).toBe(400);
    expect((await manage('accounts?cursor=zzz', operator)).json.code).toBe('invalid-cursor');
    expect((await manage('nowhere', operator)).json.code).toBe('not-found');
    expect((await service.call('/manage/v1/accounts')).status).toBe(401);
    expect((await manage('accounts', 'x.y.z')).status).toBe(401);
  });
});

describe('records', () => {
  it('are imported by the command and found at once, in every view and format', async () => {
    const lines = [
      {
        id: 'shop-1',
        name: 'Golden Hammer Tools',
        city: 'Austin',
        country: 'US',
        latitude: 30.2,
        categories: ['Hardware', 'Tools'],
        reviews: [{ rating: 5, text: 'Great "tools", fair' }],
      },
      { id: 'shop-2', name: 'Silver Spoon', city: 'Boston', country: 'US', dateAdded: '2024-03-05' },
    ];
    const path = file('shops.ndjson', lines.map((one) => JSON.stringify(one)).join('\n'));
    expect(await importing('--type', 'businesses', path)).toEqual({
      code: 0,
      stdout: `${path}: 2 records imported.\n`,
      stderr: '',
    });

    const response = await search('q=name:hammer');
    expect(response.status).toBe(200);
    expect(response.text).toBe(
      '{"estimated total":1,"records":[{"categories":["Hardware","Tools"],"city":"Austin","country":"US","latitude":30.2,"name":"Golden Hammer Tools","reviews":[{"rating":5,"text":"Great \\"tools\\", fair"}],"id":"shop-1"}]}',
    );
    expect((await search('q=city:(austin+OR+boston)+AND+dateAdded:2024')).json['estimated total']).toBe(1);
    expect((await search('q=*:*&records=0')).json).toEqual({ 'estimated total': 2, records: [] });
    expect((await search('q=-name:spoon')).json.records[0].id).toBe('shop-1');
    const csv = await search('q=name:hammer&format=CSV&view=businesses_basic');
    expect(csv.json.records).toBe(
      'id,address,city,country,keys,latitude,longitude,name,postalCode,province,sourceURLs,websites\n"shop-1",,"Austin","US",,30.2,,"Golden Hammer Tools",,,,\n',
    );
  });

  it('are replaced and deleted by a later import', async () => {
    const path = file(
      'more.ndjson.gz',
      gzipSync('{"id":"shop-2","name":"Silver Fork"}\n{"id":"shop-1","_deleted":true}\n'),
    );
    expect((await importing('--type', 'businesses', path)).stdout).toBe(`${path}: 1 record imported, 1 deleted.\n`);
    expect((await search('q=*:*')).json).toEqual({
      'estimated total': 1,
      records: [{ name: 'Silver Fork', id: 'shop-2' }],
    });
  });

  it('of a CSV file with dirt are imported except for the lines that the command names', async () => {
    const path = file('houses.csv', 'House,Price,Beds,Junk\nh1,"250,000",3,x\nh2,310000,2,x\nh3,275000,three,x\n');
    const map = file(
      'map.json',
      JSON.stringify({ columns: { House: 'id', Price: 'prices.amountMin', Beds: 'numBedroom', Junk: null } }),
    );
    const { code, stdout, stderr } = await importing('--type', 'properties', '--map', map, path);
    expect(code).toBe(2);
    expect(stdout).toBe(`${path}: 1 record imported, 2 lines rejected.\n`);
    expect(stderr).toContain(`${path} line 2: `);
    expect(stderr).toContain(`${path} line 4: `);
    expect(stderr).toContain('s3://');
    expect((await search('q=prices.amountMin:[300000+TO+*]', 'properties')).json.records).toEqual([
      { numBedroom: 2, prices: [{ amountMin: 310000 }], id: 'h2' },
    ]);
  });

  it('are not uploaded with a map that names an unknown field', async () => {
    const map = file(
      'typo-map.json',
      JSON.stringify({ columns: { A: 'nme' }, constants: { 'prices.curency': 'USD' } }),
    );
    const { code, stdout, stderr } = await importing('--type', 'products', '--map', map, file('a.csv', 'A\nx\n'));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('nme does not exist in product schema; did you mean name?\n');
    expect(stderr).toContain('prices.curency does not exist in product schema; did you mean prices.currency');
    expect(stderr).toContain('Fields of products: asins, brand, ');
    expect(stderr).not.toContain('uploading');
  });

  it('of a file that is cut are imported up to the cut, which the command tells', async () => {
    const whole = gzipSync(`{"id":"cut-1"}\n${'{"id":"cut-2"}\n'.repeat(1_000)}`);
    const path = file('cut.ndjson.gz', whole.subarray(0, -6));
    const { code, stderr } = await importing('--type', 'products', path);
    expect(code).toBe(1);
    expect(stderr).toMatch(/damaged or cut short.* \d+ records imported before that\.\n$/);
  });
});

describe('a bad search', () => {
  it.each([
    ['q=nofield:1', 400, 'nofield does not exist in business schema'],
    ['q=reviews.nosub:1', 400, 'reviews.nosub does not exist in business schema'],
    ['q=a&view=nope', 400, 'view does not exist'],
    ['q=a&format=xml', 400, 'format must be json or csv'],
    ['q=(a', 400, 'invalid query'],
    ['q=%22a', 400, 'invalid query'],
    ['q=', 400, 'q is required'],
    ['', 400, 'q is required'],
    ['q=a&records=-1', 400, 'records must be a whole number'],
    ['q=a&records=11', 403, 'exceeds preview record limit'],
    ['q=a&records=abc', 400, 'records must be a whole number'],
    ['q=a&records=1e9', 400, 'records must be a whole number'],
    ['q=a&record=5', 400, 'record is no parameter of this call: it has q, records'],
    ['q=a&records=1&records=5', 400, 'records appears twice'],
    [`q=${'('.repeat(4_000)}`, 400, 'invalid query'],
    [`q=${'a*?'.repeat(2_000)}`, 200, ''],
  ])('%.40s gets %i and only the text', async (query, status, text) => {
    const answer = await search(query);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/json']);
    if (status !== 200) expect(answer.json).toEqual({ error: expect.stringContaining(text) });
  });

  it('of 10 KB is refused by the gateway or by us, never with a 500', async () => {
    expect((await search(`q=${'a'.repeat(9_000)}`)).json).toEqual({ error: expect.stringContaining('invalid query') });
    expect([400, 414, 431]).toContain((await search(`q=${'a'.repeat(10_240)}`)).status);
  });

  it('to an unknown path or with another method says so in the full shape', async () => {
    expect((await search('q=a', 'people')).json).toMatchObject({ error: 'Not Found', code: 404 });
    expect((await service.as('demo-token')('/v3/nowhere')).json).toMatchObject({ error: 'Not Found', code: 404 });
    const posted = await service.call('/v3/data/businesses?q=a', {
      method: 'POST',
      headers: { authorization: basic('demo-token') },
    });
    expect([posted.status, posted.headers.get('allow'), posted.json.code]).toEqual([405, 'GET, HEAD', 405]);
    const headers = { authorization: basic('demo-token') };
    const path = '/v3/data/businesses';
    const [got, slashed] = [
      await service.call(`${path}?q=a`, { headers }),
      await service.call(`${path}/?q=a`, { headers }),
    ];
    expect([got.status, slashed.status, slashed.headers.get('location')]).toEqual([200, 308, `${path}?q=a`]);
    const loyal = await service.call('/priv/v1/apps/demo-app/image_validations', { method: 'DELETE' });
    expect([loyal.status, loyal.headers.get('allow'), loyal.json.errors.code]).toEqual([
      405,
      'GET, HEAD, POST',
      'method_not_allowed',
    ]);
  });
});

describe('a function', () => {
  it('has logged neither tokens nor queries', () => {
    const logs = ['SearchData', 'Users', 'DataTokens', 'ImportRecords'].flatMap((name) => service.cloud.logsOf(name));
    const text = JSON.stringify(logs);
    expect(logs.length).toBeGreaterThan(10);
    expect(text).not.toMatch(/demo-token|hammer|eyJ/);
  });
});
