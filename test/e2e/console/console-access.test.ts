/** Who gets into the console, and what others cannot make of it. */
import { DynamoDBClient, ScanCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sessionKeyOf } from '../../../functions/console/sessions/session.ts';
import { credentialStore } from '../../../functions/conversions/billing/credentials/credential-store.dynamodb.ts';
import { dynamoDbClient } from '../../../shared/table/table.dynamodb.ts';
import { clientOptions, later } from '../../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { ConsoleVisitor, DEMO_PASSWORD, OWN } from '../../support/console/console-visitor.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
  // Hours of the clock pass here, which no schedule is about.
  service.cloud.stopSchedules();
});
afterAll(() => service?.close());

const visitor = () => new ConsoleVisitor(service);
const LOG = '/console/t/demo/runs';
const MINUTE = 60_000;
/** Each test counts attempts in a window of its own. */
const anotherWindow = () => later(service.cloud, 16 * MINUTE);

/** How many refusals the console has counted so far. */
const refusedSignIns = () =>
  JSON.stringify(service.cloud.logsOf('Console/Console')).split('"RefusedSignIns":').length - 1;

async function signedIn(name = 'demo'): Promise<ConsoleVisitor> {
  const person = visitor();
  expect((await person.signIn(name)).status).toBe(303);
  return person;
}

/** The hidden fields of a page with one form. */
const hiddenFields = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&'),
    ]),
  );

describe('signing in', () => {
  it('leads to the own tenant, or back to where one was', async () => {
    expect((await visitor().signIn()).location).toBe('/console/t/demo');
    const asked = await visitor().get(`${LOG}?status=FAILED`);
    expect([asked.status, asked.location]).toEqual([
      303,
      `/console/sign-in?return=${encodeURIComponent(`${LOG}?status=FAILED`)}`,
    ]);
    const back = await visitor().signIn('demo', DEMO_PASSWORD, { return: `${LOG}?status=FAILED` });
    expect(back.location).toBe(`${LOG}?status=FAILED`);
  });

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example', '/manage/v1/runs', 'javascript:alert(1)'])(
    'does not lead to %s',
    async (target) => {
      expect((await visitor().signIn('demo', DEMO_PASSWORD, { return: target })).location).toBe('/console/t/demo');
    },
  );

  it('gives a new id each time, in a cookie that no script reads', async () => {
    const person = visitor();
    const planted = 'A'.repeat(43);
    person.cookies.set('console', planted);
    const { headers } = await person.signIn();
    const [cookie = ''] = headers.getSetCookie();
    expect(cookie).toMatch(/^console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(cookie).not.toContain(planted);
    const first = person.cookies.get('console');
    await person.signIn();
    expect(person.cookies.get('console')).not.toBe(first);
    const stale = visitor();
    stale.cookies.set('console', first ?? '');
    expect((await stale.get(LOG)).status).toBe(303);
  });

  it('answers the sixth wrong password from one network alike, whether the name exists or not', async () => {
    const own = await signedIn();
    own.cookies.delete('console');
    await anotherWindow();
    const answers = async (name: string) => {
      const seen: string[] = [];
      for (let n = 0; n < 6; n += 1) {
        const { status, text } = await visitor().signIn(name, `Wrong-password-${n}00`);
        seen.push(`${status} ${text.replaceAll(name, 'NAME').replaceAll(/[\w-]{12}\.(css|js|svg|woff2)/g, '')}`);
      }
      return seen;
    };
    const [real, unknown] = [await answers('demo'), await answers('nobody')];
    expect(unknown).toEqual(real);
    expect(real.slice(0, 5).every((answer) => answer.startsWith('403 '))).toBe(true);
    expect(real[5]).toMatch(/^429 .*Too many attempts/s);
    expect(refusedSignIns()).toBeGreaterThanOrEqual(12);
    // The right password does not help a stranger; the browser of the person was never closed.
    expect((await visitor().signIn()).status).toBe(429);
    expect((await own.signIn('demo', 'Wrong-password-999')).status).toBe(403);
    expect((await own.signIn('demo')).status).toBe(303);
    await anotherWindow();
    expect((await visitor().signIn()).status).toBe(303);
  });

  it('leaves a cookie that makes the browser known for this name alone, another one each time', async () => {
    const person = visitor();
    const deviceOf = ({ headers }: { headers: Headers }) =>
      headers.getSetCookie().find((cookie) => cookie.startsWith('console-device-'));
    const [first, second] = [deviceOf(await person.signIn()), deviceOf(await person.signIn())];
    expect(first).toMatch(/; HttpOnly; SameSite=Strict$/);
    expect(second).not.toBe(first);
    const proof = second?.split(';')[0]?.split('.').at(-1) ?? '';
    expect(JSON.stringify(service.cloud.logsOf('Console/Console'))).not.toContain(proof);
    expect(deviceOf(await visitor().signIn('demo', 'Wrong-password-100'))).toBeUndefined();
  });

  it('is open again once an operator has unlocked the name, which the audit log has', async () => {
    await anotherWindow();
    const operator = await signedIn('demo-operator');
    for (let n = 0; n < 6; n += 1) await visitor().signIn('demo', `Wrong-password-${n}00`);
    expect((await visitor().signIn()).status).toBe(429);
    const page = '/console/system/sign-in-limit?name=demo';
    expect((await operator.get(page)).text).toContain('Locked networks');
    const action = '/console/system/sign-in-limit/unlock';
    const form = await operator.formToken(page, action);
    expect((await operator.post(action, { form, name: 'demo' })).location).toBe(`${page}&unlocked=1`);
    expect((await visitor().signIn()).status).toBe(303);
    const { text } = await operator.get('/console/audit?action=people');
    expect(text).toContain('Remove the sign-in limit of a person');
    expect(text).toContain('127.0.0.1');
    const person = await signedIn();
    expect((await person.get('/console/system/sign-in-limit?name=demo')).status).toBe(404);
    expect((await person.get('/console/audit')).status).toBe(404);
    expect((await person.get('/console/t/demo/audit')).text).not.toContain('sign in limit');
    const token = await service.managementToken('demo');
    const headers = { authorization: `Bearer ${token}` };
    const limit = '/manage/v1/people/demo/sign-in-limit';
    expect((await service.call(limit, { method: 'DELETE', headers })).status).toBe(403);
  });

  it('asks for a password of one’s own where a command has made the person', async () => {
    await anotherWindow();
    const made = await service.run(
      'functions/accounts/commands/user.command.ts',
      '--tenant',
      'acme',
      '--name',
      'dana@example.com',
    );
    expect(made.code, made.stderr).toBe(0);
    const password = /^Password {2}(\S+)/m.exec(made.stdout)?.[1] ?? '';
    expect(made.stdout).toContain(`Console   ${service.cloud.apiUrl}/console`);
    const person = visitor();
    const challenge = await person.signIn('dana@example.com', password);
    expect(challenge.text).toContain('Choose a password');
    const session = /name="session" value="([^"]+)"/.exec(challenge.text)?.[1] ?? '';
    const next = (value: string) =>
      person.post('/console/sign-in/next', { kind: 'new-password', name: 'dana@example.com', session, value });
    const weak = await next('short');
    expect([weak.status, weak.text.includes('Choose a password')]).toEqual([422, true]);
    expect((await next('A-new-password-2026')).location).toBe('/console/t/acme');
    expect(
      (
        await service.run(
          'functions/accounts/commands/user.command.ts',
          '--tenant',
          'acme',
          '--name',
          'dana@example.com',
        )
      ).code,
    ).toBe(1);
    expect((await visitor().signIn('dana@example.com', password)).status).toBe(403);
  });
});

describe('a session', () => {
  it('ends when the person signs out, for every copy of its cookie', async () => {
    const person = await signedIn();
    const copy = visitor();
    copy.cookies.set('console', person.cookies.get('console') ?? '');
    const form = await person.formToken(LOG, '/console/sign-out');
    expect((await person.post('/console/sign-out', { form })).location).toBe('/console/sign-in?signed-out=1');
    expect((await copy.get(LOG)).status).toBe(303);
  });

  it('goes on while the person does something, and ends half an hour after that', async () => {
    const person = await signedIn();
    for (let n = 0; n < 4; n += 1) {
      await later(service.cloud, 25 * MINUTE);
      expect((await person.get(LOG)).status, `after ${25 * (n + 1)} minutes`).toBe(200);
    }
    await later(service.cloud, 36 * MINUTE);
    const over = await person.get(LOG);
    expect([over.status, over.location]).toEqual([303, `/console/sign-in?return=${encodeURIComponent(LOG)}`]);
  });

  it('ends after twelve hours, whatever the person does meanwhile', async () => {
    const person = await signedIn();
    await signInEarlier(person, 11 * 60 * MINUTE);
    for (const minutes of [0, 25, 50]) {
      expect((await person.get(LOG)).status, `after eleven hours and ${minutes} minutes`).toBe(200);
      await later(service.cloud, 25 * MINUTE);
    }
    expect((await person.get(LOG)).status).toBe(303);
  });

  /** Puts the begin of a session back, as if the person had used it ever since. */
  async function signInEarlier(person: ConsoleVisitor, millis: number): Promise<void> {
    const { pk, sk } = { pk: `SESSION#${sessionKeyOf(person.cookies.get('console') ?? '')}`, sk: 'SESSION' };
    await new DynamoDBClient(clientOptions(service.cloud)).send(
      new UpdateItemCommand({
        TableName: service.cloud.outputs['ConsoleTable'],
        Key: { pk: { S: pk }, sk: { S: sk } },
        ConditionExpression: 'attribute_exists(pk)',
        UpdateExpression: 'SET signedInAt = signedInAt - :millis',
        ExpressionAttributeValues: { ':millis': { N: String(millis) } },
      }),
    );
  }

  it('is opened by nothing that stands in the table', async () => {
    await signedIn();
    const client = new DynamoDBClient(clientOptions(service.cloud));
    const { Items: items = [] } = await client.send(
      new ScanCommand({ TableName: service.cloud.outputs['ConsoleTable'] }),
    );
    const texts = JSON.stringify(items).match(/[\w-]{43}/g) ?? [];
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) {
      const thief = visitor();
      thief.cookies.set('console', text);
      expect((await thief.get(LOG)).status).toBe(303);
    }
    expect(JSON.stringify(items)).not.toContain('eyJ');
  });
});

describe('what belongs to another tenant', () => {
  it('looks as if it did not exist', async () => {
    const person = await signedIn();
    const own = await person.get('/console/t/demo/nothing-here');
    for (const path of [
      '/console/t/acme/runs',
      '/console/t/acme',
      '/console/t/ACME/rules',
      '/console/t/../t/acme/runs',
    ]) {
      const foreign = await person.get(path);
      expect(foreign.status, path).toBe(404);
    }
    expect(own.status).toBe(404);
  });

  it('is open to an operator, who is told for whom the pages are', async () => {
    const operator = await signedIn('demo-operator');
    const { status, text } = await operator.get('/console/t/acme/runs');
    expect([status, text.includes('Viewing the account acme')]).toEqual([200, true]);
    expect((await operator.get(LOG)).text).not.toContain('Viewing the account');
  });
});

describe('an operator', () => {
  it('suspends an account after a question, and resumes it; its webhooks are turned off and on', async () => {
    const operator = await signedIn('demo-operator');
    const token = await service.managementToken('ops', { operator: true });
    const manage = (path: string, body?: object) =>
      service.call(`/manage/v1/${path}`, {
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
    expect((await manage('accounts', { name: 'Paused' })).status).toBe(201);
    const own = '/console/accounts/paused';
    const submit = async (page: string, action: string, fields: Record<string, string> = {}) =>
      operator.post(action, { form: await operator.formToken(page, action), ...fields });
    const stands = async () => {
      const { json } = await manage('accounts/paused');
      return [json.active, json.apiIntegration];
    };
    expect((await operator.get(own)).text).toContain(`href="${own}/suspend"`);
    expect((await submit(`${own}/suspend`, `${own}/suspend`)).location).toBe(own);
    expect(await stands()).toEqual([false, true]);
    expect((await operator.get(own)).text).toContain('Suspended');
    expect((await submit(own, `${own}/resume`)).location).toBe(own);
    await submit(own, `${own}/webhooks`, { apiIntegration: 'off' });
    expect(await stands()).toEqual([true, false]);
    await submit(own, `${own}/webhooks`, { apiIntegration: 'on' });
    expect(await stands()).toEqual([true, true]);
  });

  it('changes the credit of a data token', async () => {
    const operator = await signedIn('demo-operator');
    const { text } = await operator.get('/console/accounts/demo');
    const path = /href="(\/console\/accounts\/demo\/tokens\/tok_[\w-]+)"/.exec(text)?.[1] ?? '';
    const fields = { credit: 'set', downloads: '5,000', monthlyDownloads: '1000', planId: 'demo' };
    const saved = await operator.post(path, { form: await operator.formToken(path, path), ...fields });
    expect(saved.location).toBe(`${path}?saved=1`);
    expect((await operator.get(path)).text).toMatch(/5,000 records.*1,000 records/s);
  });
});

describe('a customer', () => {
  it('is erased after a question, and the erasure is shown with its status', async () => {
    const person = await signedIn();
    const as = { authorization: `Bearer ${await service.managementToken('demo')}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ externalId: 'crm:9' });
    const { json } = await service.call('/manage/v1/loyalty/customers', { method: 'POST', headers: as, body });
    const response = await person.get('/console/t/demo/erasures/new?customer=crm%3A9');
    const question = `/console/t/demo/customers/${json.id}/erase`;
    expect(response.location).toBe(question);
    const form = await person.formToken(question, question);
    expect((await person.post(question, { form })).location).toBe('/console/t/demo/erasures?notice=erasing');
    const one = /href="(\/console\/t\/demo\/erasures\/era_[\w-]+)"/.exec(
      (await person.get('/console/t/demo/erasures')).text,
    )?.[1];
    expect((await person.get(one ?? '')).text).toMatch(/Running|Completed/);
    expect((await service.call(`/manage/v1/loyalty/customers/${json.id}`, { headers: as })).status).toBe(404);
  });
});

describe('a list as a CSV file', () => {
  it('has the rows of all its pages, whole ids, and no cell that a spreadsheet runs', async () => {
    const as = { authorization: `Bearer ${await service.managementToken('demo')}`, 'content-type': 'application/json' };
    const credentials = credentialStore({
      name: service.cloud.outputs['ConversionsTable'] ?? '',
      client: dynamoDbClient(clientOptions(service.cloud)),
    });
    // More than a page.
    for (let n = 0; n < 50; n += 1) {
      const key = { id: `o-${n}`, tenant: 'demo', kind: 'key', mode: 'test', name: 'Shop, Ltd.', hash: '-' } as const;
      expect(await credentials.add({ ...key, createdAt: '2020-01-01T00:00:00.000Z' }, false)).toBe(true);
    }
    for (const name of ['=HYPERLINK("https://evil.example","Click")', '+1+1', '@SUM(A1)', '-1+1']) {
      const body = JSON.stringify({ mode: 'test', name });
      const { status } = await service.call('/manage/v1/accounts/demo/keys', { method: 'POST', headers: as, body });
      expect(status).toBe(201);
    }
    const person = await signedIn();
    const { text: html } = await person.get('/console/t/demo/keys');
    const path = /href="([^"]*csv=[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const { status, headers, text } = await person.get(path);
    expect([status, headers.get('content-disposition')]).toEqual([200, 'attachment; filename="conversion-keys.csv"']);
    const lines = text.trim().split('\r\n');
    expect(lines[0]?.replace('\uFEFF', '')).toBe('Name,State,Key,Mode,Created,Last used,Revoke');
    expect(lines.filter((line) => line.startsWith('"Shop, Ltd.",Active,')).length).toBe(50);
    expect(lines.filter((line) => /^"?'[=+@-]/.test(line)).length).toBe(4);
    expect(lines.some((line) => /^"?[=+@-]/.test(line))).toBe(false);
    expect(lines.at(-1)).toMatch(/,\d{4}-\d\d-\d\dT[\d:.]+Z/);
    expect((await person.get('/console/t/demo/keys?csv=Nothing')).status).toBe(404);
    expect((await person.get('/console/t/acme/keys?csv=Conversion+keys')).status).toBe(404);
  });
});

describe('a request from another site', () => {
  const foreign = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    {},
  ] as Record<string, string>[];

  it.each(foreign)('changes nothing: %j', async (headers) => {
    const person = await signedIn();
    const form = await person.formToken(
      `${LOG.replace('runs', 'api-configurations')}/new`,
      '/console/t/demo/api-configurations/new',
    );
    const fields = { form, name: `By ${crypto.randomUUID()}`, targetUrl: 'https://example.com/', type: 'none' };
    const path = '/console/t/demo/api-configurations/new';
    expect((await person.post(path, fields, headers)).status).toBe(403);
    expect((await person.get('/console/t/demo/api-configurations')).text).not.toContain(fields.name);
    // The form itself is good, and was not used up.
    expect((await person.post(path, fields)).status).toBe(303);
    expect((await person.get('/console/t/demo/api-configurations')).text).toContain(fields.name);
  });

  it('signs nobody in or out', async () => {
    const person = await signedIn();
    const fields = { name: 'demo', password: DEMO_PASSWORD };
    expect((await person.post('/console/sign-in', fields, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await person.post('/console/sign-out', {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await person.get(LOG)).status).toBe(200);
  });
});

describe('a form', () => {
  const path = '/console/t/demo/api-configurations/new';
  const fields = () => ({ name: `Once ${crypto.randomUUID()}`, targetUrl: 'https://example.com/', type: 'none' });

  it('that is sent twice at the same time makes one thing, and both find it', async () => {
    const person = await signedIn();
    const form = await person.formToken(path, path);
    const once = fields();
    const answers = await Promise.all([1, 2, 3].map(() => person.post(path, { form, ...once })));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(new Set(answers.map(({ location }) => location)).size).toBe(1);
  });

  it.each(['', 'made.up', 'A'.repeat(60)])('without a token of its own session is refused: %j', async (form) => {
    const person = await signedIn();
    const refused = await person.post(path, { form, ...fields() });
    expect(refused.status).toBe(403);
    const other = await signedIn();
    const foreign = await other.formToken(path, path);
    expect((await person.post(path, { form: foreign, ...fields() })).status).toBe(403);
  });

  it('survives signing in when the session has ended, and is submitted once the person confirms it', async () => {
    const person = await signedIn();
    const form = await person.formToken(path, path);
    person.cookies.clear();
    const { apiUrl } = service.cloud;
    const sent = { form, ...fields(), description: 'Two\nlines & "quotes"' };
    const answer = await person.post(path, sent, { ...OWN, referer: apiUrl + path });
    expect([answer.status, answer.text.includes('Sign in to submit your form')]).toEqual([401, true]);
    // A wrong password loses nothing.
    const held = hiddenFields(answer.text);
    const refused = await person.signIn('demo', 'Wrong-password-100', held);
    expect(hiddenFields(refused.text)).toEqual(held);
    const signedInAgain = await person.signIn('demo', DEMO_PASSWORD, held);
    expect(signedInAgain.text).toContain(`href="${path}"`);
    expect((await person.get('/console/t/demo/api-configurations')).text).not.toContain(sent.name);
    const again = hiddenFields(signedInAgain.text);
    expect(again).toEqual({ ...sent, form: expect.not.stringContaining(form) });
    const saved = await person.post(path, again);
    expect(saved.status).toBe(303);
    expect((await person.get(saved.location ?? '')).text).toContain('Two\nlines &amp; &quot;quotes&quot;');
  });

  it.each(['https://evil.example/', '//evil.example', '/manage/v1/rules'])(
    'is not submitted to %s after signing in',
    async (action) => {
      const fields = { 'held-action': action, 'held-fields': 'name=one' };
      expect((await visitor().signIn('demo', DEMO_PASSWORD, fields)).location).toBe('/console/t/demo');
    },
  );

  it('must be a form', async () => {
    const person = await signedIn();
    const answer = await fetch(service.cloud.apiUrl + path, {
      method: 'POST',
      headers: { ...OWN, 'content-type': 'application/json', cookie: `console=${person.cookies.get('console')}` },
      body: '{}',
    });
    expect(answer.status).toBe(415);
  });
});

describe('every answer', () => {
  it.each(['/console/sign-in', LOG, '/console/nothing', '/console/assets/nothing.css'])(
    'carries the headers that keep others out: %s',
    async (path) => {
      const person = await signedIn();
      const { headers } = await person.get(path);
      const policy = headers.get('content-security-policy') ?? '';
      for (const part of [
        "default-src 'none'",
        "script-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'self'",
      ]) {
        expect(policy).toContain(part);
      }
      expect(policy).not.toMatch(/unsafe|\*/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('cache-control')).toBe('no-store');
    },
  );

  it.each([
    ['PUT', LOG, 'GET, HEAD'],
    ['DELETE', '/console', 'GET, HEAD'],
    ['POST', LOG, 'GET, HEAD'],
    ['GET', '/console/sign-in/next', 'POST'],
    ['PATCH', '/console/sign-in', 'GET, HEAD, POST'],
    ['GET', '/console/t/demo/runs/run_1/replay', 'POST'],
  ])('to %s %s is 405, a page with the methods that the address takes', async (method, path, allow) => {
    const { status, headers, text } = await service.call(path, { method });
    expect([status, headers.get('allow')]).toEqual([405, allow]);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(text).toContain('Method not allowed');
  });

  it('to HEAD is that to GET without its body, and to another method 404 where nothing is', async () => {
    const [get, head] = [
      await service.call('/console/sign-in'),
      await service.call('/console/sign-in', { method: 'HEAD' }),
    ];
    expect([head.status, head.text, head.headers.get('content-type')]).toEqual([
      200,
      '',
      get.headers.get('content-type'),
    ]);
    const { status, text } = await service.call('/console/nothing', { method: 'PUT' });
    expect([status, text]).toEqual([404, expect.stringContaining('<h1>Not found</h1>')]);
  });

  it('goes to people only: an asset is the same for everybody, and kept', async () => {
    const { text } = await visitor().get('/console/sign-in');
    const css = /href="(\/console\/assets\/console\.[^"]+)"/.exec(text)?.[1] ?? '';
    const { headers, status } = await visitor().get(css);
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
  });
});
