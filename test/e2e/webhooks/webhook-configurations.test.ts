import { type AttributeValue, GetItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONFIGURATION } from '../../../functions/webhooks/table-keys.ts';
import { dynamoDbClient, type Table } from '../../../shared/table/table.dynamodb.ts';
import { clientOptions } from '../../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { stepsInOrder } from '../../support/runner/steps-in-order.ts';

// The last of them looks at all that the others have left.
stepsInOrder();

const PRIVATE_TARGET = 'https://localhost:8443/hooks';
const SECRETS = ['sEcReT-of-the-key', 'sEcReT-of-the-token', 'sEcReT-of-the-password'] as const;
const [KEY, TOKEN, PASSWORD] = SECRETS;

let service: RunningService;
let table: Table;
let demo: string;
let acme: string;
let operator: string;
/** Everything that the API has answered. */
const answers: string[] = [];

beforeAll(async () => {
  service = await startService({ parameters: { WebhookPrivateTargets: 'localhost:8443' } });
  service.cloud.stopSchedules();
  table = { name: service.cloud.outputs['WebhooksTable'] ?? '', client: dynamoDbClient(clientOptions(service.cloud)) };
  demo = await service.managementToken('demo');
  acme = await service.managementToken('acme');
  operator = await service.managementToken('ops', { operator: true });
});
afterAll(() => service?.close());

async function manage(method: string, path: string, { as = demo, body }: { as?: string; body?: unknown } = {}) {
  const answer = await service.call(path.startsWith('/') ? path : `/manage/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  answers.push(answer.text);
  return answer;
}

let made = 0;
const configuration = (own: object = {}) => {
  made += 1;
  return { name: `Configuration ${made}`, targetUrl: 'https://example.com/hooks', ...own };
};
async function created(path: string, body: object, as = demo) {
  const { status, json, text } = await manage('POST', path, { as, body });
  if (status !== 201) throw new Error(text);
  return json;
}
const newConfiguration = (own: object = {}, as = demo) => created('api-configurations', configuration(own), as);
const rule = (apiConfigurationId: string, own: object = {}) => ({
  module: 'dsar',
  trigger: 'DSAR is completed',
  apiConfigurationId,
  body: { id: '{{requestId}}' },
  ...own,
});

describe('an API configuration', () => {
  it('is made with what the specification says of blanks, found by its Location, and listed', async () => {
    const { status, json, headers } = await manage('POST', 'api-configurations', {
      body: { name: ' Orders ', targetUrl: 'https://example.com/hooks?a=1', maxAttempts: null, description: '' },
    });
    expect(status).toBe(201);
    expect(json).toEqual({
      id: expect.stringMatching(/^cfg_[A-Za-z0-9_-]{20}$/),
      name: 'Orders',
      targetUrl: 'https://example.com/hooks?a=1',
      operationType: 'Outbound API Integration',
      retryIntervalSeconds: 0,
      retryTimeoutSeconds: 30,
      maxAttempts: 3,
      description: '',
      authentication: { type: 'none', secretSet: false },
      signature: 'none',
      signingSecretSet: false,
      previousSigningSecretEndsAt: null,
      enabled: true,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      updatedAt: json.createdAt,
    });
    expect((await manage('GET', headers.get('location') ?? '')).json).toEqual(json);
    const second = await newConfiguration();
    const { items, nextCursor } = (await manage('GET', 'api-configurations?limit=1')).json;
    expect(items).toEqual([second]);
    const rest = await manage('GET', `api-configurations?limit=1&cursor=${nextCursor}`);
    expect(rest.json.items).toEqual([json]);
  });

  it('is stated anew, changed in part, and deleted', async () => {
    const { id, createdAt } = await newConfiguration({ maxAttempts: 5, description: 'old' });
    const path = `api-configurations/${id}`;
    const put = await manage('PUT', path, { body: { name: 'Stated anew', targetUrl: 'https://example.org/' } });
    expect([put.status, put.json]).toMatchObject([
      200,
      { id, name: 'Stated anew', targetUrl: 'https://example.org/', maxAttempts: 3, description: '', createdAt },
    ]);
    expect(put.json.updatedAt > createdAt).toBe(true);
    const patched = await manage('PATCH', path, { body: { retryIntervalSeconds: 600 } });
    expect(patched.json).toEqual({ ...put.json, retryIntervalSeconds: 600, updatedAt: patched.json.updatedAt });
    expect((await manage('PUT', path, { body: { ...patched.json, maxAttempts: '' } })).json.maxAttempts).toBe(3);
    const deleted = await manage('DELETE', path);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    for (const method of ['GET', 'DELETE']) expect((await manage(method, path)).json.code).toBe('not-found');
    expect((await manage('PATCH', path, { body: { maxAttempts: 1 } })).status).toBe(404);
    expect((await manage('PUT', path, { body: configuration() })).status).toBe(404);
  });

  it('has a name that no other one in the tenant has, until it releases the name', async () => {
    const { id } = await newConfiguration({ name: 'Mine' });
    const other = await newConfiguration();
    const twice = await manage('POST', 'api-configurations', { body: configuration({ name: 'Mine ' }) });
    expect([twice.status, twice.json.code]).toEqual([409, 'name-taken']);
    const renamed = await manage('PATCH', `api-configurations/${other.id}`, { body: { name: 'Mine' } });
    expect([renamed.status, renamed.json.code]).toEqual([409, 'name-taken']);
    await newConfiguration({ name: 'Mine' }, acme);
    await manage('DELETE', `api-configurations/${id}`);
    expect((await manage('PATCH', `api-configurations/${other.id}`, { body: { name: 'Mine' } })).status).toBe(200);
  });

  // `configuration-input`, `authentication` and `target-policy.test.ts` have all that is refused.
  it.each([
    ['a name of 51 characters', { name: 'x'.repeat(51) }, 'invalid-input'],
    ['plain HTTP', { targetUrl: 'http://example.com/' }, 'invalid-target'],
    ['an address inside', { targetUrl: 'https://10.0.0.1/' }, 'invalid-target'],
    ['a private target at another port', { targetUrl: 'https://localhost:8444/' }, 'invalid-target'],
    ['a blank token', { authentication: { type: 'bearer', token: '' } }, 'secret-required'],
    ['a line break in a token', { authentication: { type: 'bearer', token: `${TOKEN}\r\nX: 1` } }, 'invalid-input'],
    [
      'the key in a system header',
      { authentication: { type: 'apiKey', key: KEY, headerName: 'HOST' } },
      'invalid-input',
    ],
  ])('is refused with %s', async (_what, own, code) => {
    const { status, json, headers } = await manage('POST', 'api-configurations', { body: configuration(own) });
    expect([status, json.code]).toEqual([400, code]);
    expect(headers.get('content-type')).toBe('application/problem+json');
  });

  it('is refused a body that is not a JSON object, on every route', async () => {
    const { id } = await newConfiguration();
    for (const [method, path] of [
      ['POST', 'api-configurations'],
      ['PUT', `api-configurations/${id}`],
      ['PATCH', `api-configurations/${id}`],
    ] as const) {
      for (const body of ['{', 'null']) {
        expect([method, body, (await manage(method, path, { body })).status]).toEqual([method, body, 400]);
      }
    }
    expect((await manage('PATCH', `api-configurations/${id}`, { body: {} })).status).toBe(400);
    const inside = await manage('PATCH', `api-configurations/${id}`, { body: { targetUrl: 'https://127.0.0.1/' } });
    expect(inside.json.code).toBe('invalid-target');
    expect((await manage('GET', 'api-configurations?limit=0')).status).toBe(400);
    expect((await manage('GET', 'api-configurations?cursor=x')).json.code).toBe('invalid-cursor');
    expect((await manage('GET', `api-configurations/${'x'.repeat(3_000)}`)).status).toBe(400);
    expect((await manage('POST', `api-configurations/${id}`, { body: {} })).status).toBe(405);
    expect((await service.call('/manage/v1/api-configurations')).status).toBe(401);
  });

  it('may have a private target that this run allows', async () => {
    expect((await newConfiguration({ targetUrl: PRIVATE_TARGET })).targetUrl).toBe(PRIVATE_TARGET);
  });
});

describe('secrets', () => {
  // `signing.test.ts` has other servers.
  it('do not follow the URL to another server', async () => {
    const targetUrl = 'https://example.com.listener.net/hooks';
    const authentication = { type: 'bearer', token: TOKEN };
    const input = { ...configuration({ authentication }), targetUrl: 'https://example.com/hooks' };
    const { id } = (await manage('POST', 'api-configurations', { body: input })).json;
    const sealed = await sealedSecretOf(id);
    const blank = [{}, { authentication: { type: 'bearer' } }, { authentication: { type: 'bearer', token: '' } }];
    for (const own of blank) {
      for (const [method, body] of [
        ['PATCH', { targetUrl, ...own }],
        ['PUT', { ...input, authentication: undefined, targetUrl, ...own }],
      ] as const) {
        const { status, json } = await manage(method, `api-configurations/${id}`, { body });
        expect([method, own, status, json.code]).toEqual([method, own, 400, 'secret-required']);
      }
    }
    expect((await manage('GET', `api-configurations/${id}`)).json.targetUrl).toBe(input.targetUrl);
    expect(await sealedSecretOf(id)).toBe(sealed);
    const path = { targetUrl: 'https://EXAMPLE.com:443/other' };
    expect((await manage('PATCH', `api-configurations/${id}`, { body: path })).status).toBe(200);
    const stays = { targetUrl, authentication };
    expect((await manage('PATCH', `api-configurations/${id}`, { body: stays })).json.targetUrl).toBe(targetUrl);
    const none = { targetUrl: input.targetUrl, authentication: { type: 'none' } };
    expect((await manage('PATCH', `api-configurations/${id}`, { body: none })).status).toBe(200);
  });

  it('are kept by a blank, replaced, needed anew for a new type, removed, and never shown', async () => {
    const { id } = await newConfiguration({ authentication: { type: 'apiKey', key: KEY } });
    const save = (authentication: object, method = 'PATCH') =>
      manage(method, `api-configurations/${id}`, {
        body: { ...(method === 'PUT' && configuration()), authentication },
      });
    const key = { type: 'apiKey', headerName: 'X-Api-Key', secretSet: true };
    expect((await manage('GET', `api-configurations/${id}`)).json.authentication).toEqual(key);
    const stored = await sealedSecretOf(id);
    expect((await save({ type: 'apiKey', key: '', headerName: 'X-Own' })).json.authentication).toEqual({
      ...key,
      headerName: 'X-Own',
    });
    expect(await sealedSecretOf(id)).toBe(stored);
    expect((await save({ type: 'bearer' })).json.code).toBe('secret-required');
    expect((await save({ type: 'bearer' }, 'PUT')).json.code).toBe('secret-required');
    expect(await sealedSecretOf(id)).toBe(stored);
    expect((await save({ type: 'bearer', token: TOKEN })).json.authentication).toEqual({
      type: 'bearer',
      secretSet: true,
    });
    expect((await save({ type: 'basic', username: 'jo', password: PASSWORD }, 'PUT')).json.authentication).toEqual({
      type: 'basic',
      username: 'jo',
      secretSet: true,
    });
    const replaced = await sealedSecretOf(id);
    expect((await manage('PUT', `api-configurations/${id}`, { body: configuration() })).status).toBe(200);
    expect(await sealedSecretOf(id)).toBe(replaced);
    expect((await save({ type: 'none' })).json.authentication).toEqual({ type: 'none', secretSet: false });
    expect(await sealedSecretOf(id)).toBeUndefined();
    expect((await save({ type: 'basic', username: 'jo' })).json.code).toBe('secret-required');
  });

  it('that sign are shown once, when they are made, and rotated by their tenant only', async () => {
    const { id, signingSecret } = await newConfiguration({ signature: 'standard-webhooks' });
    expect(signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const path = `api-configurations/${id}/signing-secret`;
    expect((await manage('POST', path, { as: acme })).status).toBe(404);
    expect((await manage('DELETE', `${path}/previous`, { as: acme })).status).toBe(404);
    const rotated = (await manage('POST', path)).json;
    const moved = (await manage('PATCH', `api-configurations/${id}`, { body: { targetUrl: 'https://example.org' } }))
      .json;
    const listed = (await manage('GET', 'api-configurations?limit=100')).json.items;
    const read = listed.find((one: { id: string }) => one.id === id);
    expect(read).toMatchObject({ signature: 'standard-webhooks', signingSecretSet: true });
    const once = [signingSecret, rotated.signingSecret, moved.signingSecret];
    for (const secret of once) expect(answers.filter((text) => text.includes(secret))).toHaveLength(1);
    expect(JSON.stringify(await everyItem())).not.toContain('whsec_');
    expect((await manage('PATCH', `api-configurations/${id}`, { body: { signature: 'rsa' } })).json.code).toBe(
      'invalid-input',
    );
  });

  it('are ciphertext for one tenant and configuration', async () => {
    const { id } = await newConfiguration({ authentication: { type: 'bearer', token: TOKEN } });
    const kms = new KMSClient({ ...clientOptions(service.cloud) });
    const blob = Buffer.from((await sealedSecretOf(id)) ?? '', 'base64');
    const decrypt = (context: Record<string, string>) =>
      kms.send(new DecryptCommand({ CiphertextBlob: blob, EncryptionContext: context }));
    const { Plaintext: plaintext = [] } = await decrypt({ tenant: 'demo', configuration: id });
    expect(Buffer.from(plaintext).toString()).toBe(TOKEN);
    await expect(decrypt({ tenant: 'acme', configuration: id })).rejects.toThrow('invalid');
    await expect(decrypt({})).rejects.toThrow('invalid');
  });

  async function sealedSecretOf(id: string): Promise<string | undefined> {
    const key = { pk: { S: `${CONFIGURATION}demo#${id}` }, sk: { S: 'CONFIGURATION' } };
    const { Item: item } = await table.client.send(
      new GetItemCommand({ TableName: table.name, Key: key, ConsistentRead: true }),
    );
    return item?.['authentication']?.M?.['secret']?.S;
  }
});

describe('a rule', () => {
  /** The configuration of rules that are refused. */
  let target: { readonly id: string } | undefined;

  it('is made, shown, found by its Location, listed, changed and deleted', async () => {
    const { id: apiConfigurationId } = await newConfiguration();
    const body = { event: 'dsar', id: '{{requestId}}', nested: { list: [1, 2.5, null] } };
    const { status, json, headers } = await manage('POST', 'rules', {
      body: rule(apiConfigurationId, {
        name: 'To the archive',
        module: 'Data Subject Requests',
        headers: { 'X-Trace': '{{requestId}}' },
        body,
      }),
    });
    expect(status).toBe(201);
    expect(json).toEqual({
      id: expect.stringMatching(/^rule_/),
      name: 'To the archive',
      module: 'dsar',
      moduleName: 'Data Subject Requests',
      trigger: 'DSAR is completed',
      apiConfigurationId,
      headers: { 'X-Trace': '{{requestId}}' },
      body,
      bodyText: JSON.stringify(body),
      enabled: true,
      createdAt: expect.any(String),
      updatedAt: json.createdAt,
    });
    const path = headers.get('location') ?? '';
    expect((await manage('GET', path)).json).toEqual(json);
    expect((await manage('GET', 'rules?limit=1')).json.items).toEqual([json]);
    const off = await manage('PATCH', path, { body: { enabled: false } });
    expect(off.json).toEqual({ ...json, enabled: false, updatedAt: off.json.updatedAt });
    const put = await manage('PUT', path, {
      body: { ...json, module: 'breach', trigger: 'Incident closed', headers: [{ name: 'X-A', value: '1' }] },
    });
    expect(put.json).toMatchObject({ id: json.id, moduleName: 'Breach Management', headers: { 'X-A': '1' }, body });
    expect((await manage('DELETE', path)).status).toBe(204);
    for (const method of ['GET', 'DELETE']) expect((await manage(method, path)).json.code).toBe('not-found');
    expect((await manage('PATCH', path, { body: { enabled: true } })).status).toBe(404);
    expect((await manage('PUT', path, { body: rule(apiConfigurationId) })).status).toBe(404);
  });

  it('that is stated anew is stated in full, and keeps nothing of what it was', async () => {
    const { id } = await newConfiguration();
    const { id: made } = await created('rules', rule(id, { headers: { 'X-A': '1' }, enabled: false }));
    const put = await manage('PUT', `rules/${made}`, { body: rule(id) });
    expect([put.status, put.json.headers, put.json.enabled]).toEqual([200, {}, true]);
    for (const missing of ['module', 'trigger', 'apiConfigurationId', 'body']) {
      const { status, json } = await manage('PUT', `rules/${made}`, { body: rule(id, { [missing]: undefined }) });
      expect([missing, status, json.code]).toEqual([missing, 400, 'invalid-input']);
    }
    expect((await manage('GET', `rules/${made}`)).json).toEqual(put.json);
  });

  it('keeps the body to the digit, however it is given', async () => {
    const { id } = await newConfiguration();
    const exact = '{"id":12345678901234567890,"price":1.10}';
    const asObject = await manage('POST', 'rules', {
      body: JSON.stringify(rule(id, { body: 0 })).replace('"body":0', `"body":${exact}`),
    });
    expect([asObject.status, asObject.text]).toEqual([201, expect.stringContaining(`"body":${exact}`)]);
    const asText = await manage('POST', 'rules', { body: rule(id, { body: exact }) });
    expect(asText.text).toContain(`"body":${exact}`);
    expect((await manage('GET', 'rules?limit=2')).text.split(exact)).toHaveLength(3);
  });

  // `rules.dynamodb.test.ts` has pages of such rules.
  it('may have a body of 256 KiB', async () => {
    const { id } = await newConfiguration();
    const body = JSON.stringify({ text: '"'.repeat(131_066) });
    expect(Buffer.byteLength(body)).toBeGreaterThan(262_130);
    const { id: made } = await created('rules', rule(id, { body }));
    expect((await manage('GET', `rules/${made}`)).json.bodyText).toBe(body);
  });

  it('keeps its configuration from being deleted, and may not name one that is', async () => {
    const { id } = await newConfiguration();
    const [one, two] = [await created('rules', rule(id)), await created('rules', rule(id, { enabled: false }))];
    const other = await created('rules', rule((await newConfiguration()).id));
    const remove = () => manage('DELETE', `api-configurations/${id}`);
    const refused = await remove();
    expect([refused.status, refused.json.code]).toEqual([409, 'in-use']);
    expect(refused.json.detail).toBe('2 rules send to this API configuration.');
    const using = (await manage('GET', `rules?configuration=${id}`)).json.items;
    expect(using.map((item: { id: string }) => item.id)).toEqual([two.id, one.id]);
    expect((await manage('GET', `rules?configuration=${id}&module=breach`)).json.items).toEqual([]);
    expect((await manage('GET', `rules?configuration=${id}`, { as: acme })).json.items).toEqual([]);
    expect((await manage('GET', 'rules?module=mail')).json.code).toBe('invalid-input');
    await manage('DELETE', `rules/${one.id}`);
    expect((await remove()).json.detail).toBe('1 rule sends to this API configuration.');
    await manage('PATCH', `rules/${two.id}`, { body: { apiConfigurationId: other.apiConfigurationId } });
    expect((await manage('GET', `rules?configuration=${id}`)).json).toEqual({ items: [] });
    expect((await remove()).status).toBe(204);
    const naming = { body: { apiConfigurationId: id } };
    expect((await manage('PATCH', `rules/${other.id}`, naming)).json.code).toBe('unknown-configuration');
    expect((await manage('POST', 'rules', { body: rule(id) })).json.code).toBe('unknown-configuration');
  });

  it('shows its body as the text that was given, and takes it back, alone or beside the body', async () => {
    const { id } = await newConfiguration();
    const bodyText = '{ "2": 12345678901234567890, "1": "{{requestId}}" }';
    const made = await created('rules', rule(id, { body: undefined, bodyText }));
    expect(made.bodyText).toBe(bodyText);
    const path = `rules/${made.id}`;
    // As any program sends it back that reads numbers as doubles.
    const put = await manage('PUT', path, { body: { ...made, enabled: false } });
    expect([put.status, put.json.bodyText, put.json.enabled]).toEqual([200, bodyText, false]);
    const both = await manage('PATCH', path, { body: { body: { a: 1 }, bodyText } });
    expect([both.status, both.json.code]).toEqual([400, 'invalid-input']);
    expect((await manage('PATCH', path, { body: { bodyText: '{"a":\n1' } })).json.detail).toBe(
      'bodyText is not valid JSON: line 2, column 2: expected a comma or the closing bracket',
    );
    expect((await manage('PATCH', path, { body: { bodyText: '{"a": 1.10}' } })).json.bodyText).toBe('{"a": 1.10}');
  });

  // `rule-input.test.ts` has all that is refused.
  it.each([
    ['a trigger of another module', { trigger: 'Incident closed' }, 'DSAR starts'],
    ['a body of more than 256 KiB', { body: { a: 'x'.repeat(262_144) } }, '256 KiB'],
    ['a system header', { headers: { 'Content-Type': 'text/plain' } }, 'Content-Type is set by the service'],
  ])('is refused with %s', async (_what, own, told) => {
    const { id } = (target ??= await newConfiguration());
    const { status, json } = await manage('POST', 'rules', { body: rule(id, own) });
    expect([status, json.code]).toEqual([400, 'invalid-input']);
    expect(json.detail).toContain(told);
  });

  it('is refused a configuration that does not exist, and a body nested deeper than any program reads', async () => {
    for (const id of ['cfg_none', `${(await newConfiguration({}, acme)).id}`]) {
      const { status, json } = await manage('POST', 'rules', { body: rule(id) });
      expect([status, json.code]).toEqual([400, 'unknown-configuration']);
    }
    const deep = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    const text = JSON.stringify(rule('cfg_none', { body: 0 })).replace('"body":0', `"body":${deep}`);
    expect((await manage('POST', 'rules', { body: text })).status).toBe(400);
  });
});

/** A body that a schema faults, and something else as well. Other domains have theirs beside their operations. */
describe('a body with several faults', () => {
  const pointers = (json: { errors: { pointer: string }[] }) => json.errors.map(({ pointer }) => pointer);

  it.each([
    [
      'api-configurations',
      { name: 'Taken', targetUrl: 'nope', maxAttempts: 'x', authentication: { type: 'bearer' } },
      ['/maxAttempts', '/targetUrl', '/name', '/authentication/token'],
    ],
    [
      'api-configurations',
      { ...configuration(), authentication: { type: 'basic' } },
      ['/authentication/password', '/authentication/username'],
    ],
    [
      'api-configurations',
      { ...configuration(), authentication: { type: 'none', key: KEY, secretSet: 'yes' } },
      ['/authentication/secretSet', '/authentication/key'],
    ],
    [
      'rules',
      { module: 'dsar', trigger: 'Incident closed', apiConfigurationId: 'cfg_none', enabled: 'yes' },
      ['/enabled', '/body', '/trigger', '/apiConfigurationId'],
    ],
    [
      'rules/preview',
      { module: 'dsar', trigger: 'DSAR starts', event: { trigger: 'Stage started' }, colour: 'red' },
      ['/colour', '/body', '/event'],
    ],
    [
      'events',
      { id: 'images-1', module: 'dsar', trigger: 'nothing', recordId: 5 },
      ['/recordType', '/recordId', '/trigger', '/id'],
    ],
  ])('of %s is refused with all of them at once', async (path, body, all) => {
    if (path === 'api-configurations') await manage('POST', path, { body: configuration({ name: 'Taken' }) });
    const { status, json } = await manage('POST', path, { body });
    expect([status, json.code]).toEqual([400, 'invalid-input']);
    expect(pointers(json).toSorted()).toEqual(all.toSorted());
    for (const { detail } of json.errors) expect(detail).toMatch(/\w+ \w+/);
  });

  it('of a change is compared with what is stored', async () => {
    const taken = await newConfiguration();
    const { id } = await newConfiguration({ authentication: { type: 'bearer', token: TOKEN } });
    const body = { name: taken.name, targetUrl: 'https://example.org/', enabled: 'yes' };
    const { status, json } = await manage('PATCH', `api-configurations/${id}`, { body });
    expect([status, json.code]).toEqual([400, 'invalid-input']);
    expect(pointers(json)).toEqual(['/enabled', '/name', '/authentication/token']);
    const alone = await manage('PATCH', `api-configurations/${id}`, { body: { name: taken.name } });
    expect([alone.status, alone.json.code, pointers(alone.json)]).toEqual([409, 'name-taken', ['/name']]);
  });
});

describe('the modules', () => {
  /** The configuration of rules that are refused. */
  let target: { readonly id: string } | undefined;

  it('are described with variables and a sample that can be announced and previewed as it is', async () => {
    const { status, json } = await manage('GET', 'modules');
    expect(status).toBe(200);
    const consent = json.items.find(({ id }: { id: string }) => id === 'consent');
    expect(consent.name).toBe('Consent Management');
    const [{ name, variables, sample }] = consent.triggers;
    expect(name).toBe('Consent submitted');
    expect(variables).toContainEqual({ name: 'visitorId', description: 'The visitor.' });
    expect((await manage('POST', 'events', { body: sample })).status).toBe(202);
    const headers = { 'X-Visitor': '{{visitorId}}' };
    const preview = { module: 'consent', trigger: name, headers, bodyText: '{"for": "{{visitorId}} {{x}}"}' };
    const answer = await manage('POST', 'rules/preview', { body: { ...preview, event: sample } });
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        payload: expect.stringMatching(/^\{"for": "v-7f3a \{\{x\}\}","timestamp":"20.*Z"\}$/),
        headers: [['X-Visitor', 'v-7f3a']],
        unknown: ['x'],
        bytes: answer.json.payload.length,
      },
    ]);
    expect((await manage('POST', 'rules/preview', { body: preview })).json.headers).toEqual([['X-Visitor', 'v-7f3a']]);
  });

  it.each([
    ['a body that is not JSON', { bodyText: '{"a": {{b}}}' }],
    ['a trigger of another module', { trigger: 'Incident closed' }],
  ])('refuse to preview %s as a rule of it is refused', async (_what, own) => {
    const { id } = (target ??= await newConfiguration());
    const rule = { module: 'dsar', trigger: 'DSAR starts', bodyText: '{}', ...own };
    const [previewed, made] = [
      await manage('POST', 'rules/preview', { body: rule }),
      await manage('POST', 'rules', { body: { ...rule, apiConfigurationId: id } }),
    ];
    const told = ({ status, json }: typeof made) => [status, json.code, json.detail];
    expect(told(previewed)).toEqual(told(made));
    expect(previewed.status).toBe(400);
  });
});

describe('tenants', () => {
  it('cannot see, change or delete what is another one’s, nor distinguish it from what does not exist', async () => {
    const foreign = await newConfiguration({ authentication: { type: 'bearer', token: TOKEN } });
    const foreignRule = await created('rules', rule(foreign.id));
    const plain = ({ instance: _, ...rest }: Record<string, unknown>) => rest;
    for (const [path, body] of [
      ['api-configurations/', { maxAttempts: 1 }],
      ['rules/', { enabled: false }],
    ] as const) {
      const theirs = path + (path === 'rules/' ? foreignRule.id : foreign.id);
      const nothing = `${path}x_AAAAAAAAAAAAAAAAAAAA`;
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const asked = method === 'PATCH' ? { as: acme, body } : { as: acme };
        const [one, other] = [await manage(method, theirs, asked), await manage(method, nothing, asked)];
        expect([method, one.status, plain(one.json)]).toEqual([method, 404, plain(other.json)]);
      }
    }
    const puts = [
      await manage('PUT', `api-configurations/${foreign.id}`, { as: acme, body: configuration() }),
      await manage('PUT', `rules/${foreignRule.id}`, { as: acme, body: rule((await newConfiguration({}, acme)).id) }),
    ];
    expect(puts.map(({ status }) => status)).toEqual([404, 404]);
    const { items } = (await manage('GET', 'api-configurations?limit=100', { as: acme })).json;
    expect(items.map(({ id }: { id: string }) => id)).not.toContain(foreign.id);
    expect((await manage('GET', 'rules', { as: acme })).json.items).toEqual([]);
    expect((await manage('GET', `api-configurations/${foreign.id}`)).json).toEqual(foreign);
  });

  it('can be managed by an operator who names them, and by no other tenant', async () => {
    const { status, json, headers } = await manage('POST', 'api-configurations?tenant=acme', {
      as: operator,
      body: configuration(),
    });
    expect(status).toBe(201);
    expect((await manage('GET', headers.get('location') ?? '', { as: operator })).json).toEqual(json);
    expect((await manage('GET', `api-configurations/${json.id}`, { as: acme })).json).toEqual(json);
    expect((await manage('GET', `api-configurations/${json.id}`, { as: operator })).status).toBe(404);
    expect((await manage('GET', 'api-configurations?tenant=acme')).status).toBe(404);
    expect((await manage('GET', 'api-configurations?tenant=demo')).status).toBe(200);
    expect((await manage('GET', 'rules?tenant=a%23b', { as: operator })).status).toBe(400);
  });
});

describe('after all this', () => {
  it('no answer, no log and no item holds a secret', async () => {
    const logs = ['Configurations'].flatMap((name) => service.cloud.logsOf(name));
    expect(logs.length).toBeGreaterThan(50);
    await newConfiguration({ authentication: { type: 'apiKey', key: KEY } });
    await newConfiguration({ authentication: { type: 'bearer', token: TOKEN } });
    await newConfiguration({ authentication: { type: 'basic', username: 'jo', password: PASSWORD } });
    const items = JSON.stringify(await everyItem());
    expect(items.includes('X-Api-Key')).toBe(true);
    const texts = [answers.join('\n'), JSON.stringify(logs), items];
    for (const secret of SECRETS) {
      for (const form of [secret, Buffer.from(secret).toString('base64').slice(0, -4)]) {
        for (const text of texts) expect(text.includes(form)).toBe(false);
      }
    }
  });

  it('no call has failed through a fault of ours', () => {
    expect(answers.filter((text) => text.includes('internal-error'))).toEqual([]);
  });
});

async function everyItem() {
  const pages = paginateScan({ client: table.client }, { TableName: table.name, ConsistentRead: true });
  const items: Record<string, AttributeValue>[] = [];
  for await (const { Items: some = [] } of pages) items.push(...some);
  return items;
}
