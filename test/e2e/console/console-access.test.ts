/** Who gets into the console, and what others cannot make of it. */
import { DynamoDBClient, ScanCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson } from '../../../functions/accounts/commands/managers.cognito.ts';
import { sessionKeyOf } from '../../../functions/console/sessions/session.ts';
import { clientOptions, later } from '../../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { ConsoleVisitor, DEMO_PASSWORD, hiddenFields, OWN } from '../../support/console/console-visitor.ts';

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

  it('does not lead to another site, nor does a form that is submitted after signing in', async () => {
    const target = '//evil.example/';
    expect((await visitor().signIn('demo', DEMO_PASSWORD, { return: target })).location).toBe('/console/t/demo');
    const held = { 'held-action': target, 'held-fields': 'name=one' };
    expect((await visitor().signIn('demo', DEMO_PASSWORD, held)).location).toBe('/console/t/demo');
  });

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
    const { cloud } = service;
    const deployment = {
      client: clientOptions(cloud),
      output: (output: string) => cloud.outputs[output] ?? '',
      namesAfter: () => [],
    };
    const password = 'Temporary-password-1';
    const newPerson = { name: 'dana@example.com', tenant: 'acme', role: 'admin', password, isTemporary: true } as const;
    const add = () => addPerson(deployment, newPerson, cloud.clock.millis());
    expect([await add(), await add()]).toEqual([true, false]);
    const person = visitor();
    const challenge = await person.signIn('dana@example.com', password);
    expect(challenge.text).toContain('Choose a password');
    const session = /name="session" value="([^"]+)"/.exec(challenge.text)?.[1] ?? '';
    const next = (value: string) =>
      person.post('/console/sign-in/next', { kind: 'new-password', name: 'dana@example.com', session, value });
    const weak = await next('short');
    expect([weak.status, weak.text.includes('Choose a password')]).toEqual([422, true]);
    expect((await next('A-new-password-2026')).location).toBe('/console/t/acme');
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
    for (const minutes of [25, 50]) {
      await later(service.cloud, 25 * MINUTE);
      expect((await person.get(LOG)).status, `after ${minutes} minutes`).toBe(200);
    }
    await later(service.cloud, 36 * MINUTE);
    const over = await person.get(LOG);
    expect([over.status, over.location]).toEqual([303, `/console/sign-in?return=${encodeURIComponent(LOG)}`]);
  });

  it('ends after twelve hours, whatever the person does meanwhile', async () => {
    const person = await signedIn();
    await signInEarlier(person, (12 * 60 - 20) * MINUTE);
    expect((await person.get(LOG)).status).toBe(200);
    // The ID token is another one by then.
    await later(service.cloud, 19 * MINUTE);
    expect((await person.get(LOG)).status).toBe(200);
    await later(service.cloud, MINUTE);
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
    const token = await service.managementToken('ops', { operator: true });
    const { json } = await service.call('/manage/v1/accounts', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Other' }),
    });
    const { status, text } = await operator.get(`/console/t/${json.id}/runs`);
    expect([status, text.includes(`Viewing the account ${json.id}`)]).toEqual([200, true]);
    expect((await operator.get(LOG)).text).not.toContain('Viewing the account');
    for (const path of ['rules', 'rules?csv=Rules']) {
      const missing = await operator.get(`/console/t/no-such-account/${path}`);
      expect([missing.status, missing.text]).toEqual([404, expect.stringContaining('Not found')]);
    }
  });
});

describe('an operator', () => {
  it('changes the credit of a data token', async () => {
    const operator = await signedIn('demo-operator');
    const { text } = await operator.get('/console/accounts/demo');
    const path = /href="(\/console\/accounts\/demo\/tokens\/tok_[\w-]+)"/.exec(text)?.[1] ?? '';
    const fields = { credit: 'set', downloads: '5,000', monthlyDownloads: '1000', planId: 'demo' };
    const saved = await operator.post(path, { form: await operator.formToken(path, path), ...fields });
    expect(saved.location).toBe(`${path}?notice=saved`);
    expect((await operator.get(path)).text).toMatch(/5,000 records.*1,000 records/s);
  });
});

describe('a list as a CSV file', () => {
  it('is there for whoever may see the list', async () => {
    const as = { authorization: `Bearer ${await service.managementToken('demo')}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ name: '=1+1', targetUrl: 'https://example.com/' });
    const { status: created } = await service.call('/manage/v1/api-configurations', {
      method: 'POST',
      headers: as,
      body,
    });
    expect(created).toBe(201);
    const person = await signedIn();
    const list = '/console/t/demo/api-configurations';
    const path = /href="([^"]*csv=[^"]*)"/.exec((await person.get(list)).text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const { status, headers, text } = await person.get(path);
    expect([status, headers.get('content-disposition')]).toEqual([
      200,
      'attachment; filename="api-configurations.csv"',
    ]);
    expect(text).toMatch(/^Name,.*\r\n(.*\r\n)*'=1\+1,/);
    expect((await person.get(`${list}?csv=Nothing`)).status).toBe(404);
    expect((await person.get(path.replace('/demo/', '/acme/'))).status).toBe(404);
  });
});

describe('a request from another site', () => {
  it('changes nothing', async () => {
    const path = '/console/t/demo/api-configurations/new';
    const person = await signedIn();
    const form = await person.formToken(path, path);
    const fields = { form, name: `By ${crypto.randomUUID()}`, targetUrl: 'https://example.com/', type: 'none' };
    expect((await person.post(path, fields, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
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

  it('without a token of its own session is refused', async () => {
    const person = await signedIn();
    expect((await person.post(path, { form: 'made.up', ...fields() })).status).toBe(403);
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

  it('with a secret leads to its page when the session has ended, and has changed nothing', async () => {
    const person = await signedIn();
    const form = await person.formToken(path, path);
    await later(service.cloud, 36 * MINUTE);
    const sent = { form, ...fields(), type: 'bearer', token: 'a-secret-of-the-endpoint', 'has-secret': '1' };
    const answer = await person.post(path, sent, { ...OWN, referer: service.cloud.apiUrl + path });
    expect([answer.status, answer.location]).toEqual([303, `/console/sign-in?return=${encodeURIComponent(path)}`]);
    const again = await signedIn();
    expect((await again.get('/console/t/demo/api-configurations')).text).not.toContain(sent.name);
  });

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
  it('carries the headers that keep others out', async () => {
    const person = await signedIn();
    for (const path of ['/console/sign-in', LOG, '/console/nothing', '/console/assets/nothing.css']) {
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
    }
  });

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

// Its tests are steps of one story.
describe('a forgotten password', { shuffle: false }, () => {
  const FAY = 'fay@example.com';
  const FIRST = 'A-first-password-2026';
  const SECOND = 'A-second-password-2026';
  const FORM = '/console/forgot-password';

  let other: ConsoleVisitor;
  beforeAll(async () => {
    const token = await service.managementToken('demo');
    const { json, text } = await service.call('/manage/v1/people', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email: FAY, name: 'Fay', role: 'viewer' }),
    });
    expect(json.temporaryPassword, text).toBeDefined();
    other = visitor();
    const challenge = await other.signIn(FAY, json.temporaryPassword);
    const session = /name="session" value="([^"]+)"/.exec(challenge.text)?.[1] ?? '';
    const chosen = { kind: 'new-password', name: FAY, session, value: FIRST };
    expect((await other.post('/console/sign-in/next', chosen)).location).toBe('/console/t/demo');
  });

  const mails = () => service.cloud.mails().filter(({ subject }) => subject.startsWith('Your code for'));
  const codeIn = (text = '') => /is (\d{6})\./.exec(text)?.[1] ?? '';
  /** Returns the text of a page without the name that was entered. */
  const said = (text: string, name: string) =>
    text
      .replaceAll(name, 'NAME')
      .replace(/<main.*?>/s, '')
      .replaceAll(/\s+/g, ' ');
  const reset = (code: string, password = SECOND, name = FAY) =>
    visitor().post(`${FORM}/next`, { name, code, password });

  it('is led to from the page for signing in, and a code is mailed to the address that signs in', async () => {
    const person = visitor();
    expect((await person.get('/console/sign-in')).text).toContain(`href="${FORM}"`);
    expect((await person.get(FORM)).text).toContain('Send code');
    const { status, text } = await person.post(FORM, { name: ` ${FAY.toUpperCase()} ` });
    expect([status, text.includes('Choose a new password')]).toEqual([200, true]);
    expect(mails()).toHaveLength(1);
    expect(mails()[0]).toMatchObject({ recipients: [FAY], text: expect.stringMatching(/\d{6}/) });
  });

  it('has the same answers for a name that does not exist, and mails nothing', async () => {
    const before = mails().length;
    const stranger = 'nobody@example.com';
    const [known, unknown] = [
      await visitor().post(FORM, { name: FAY }),
      await visitor().post(FORM, { name: stranger }),
    ];
    expect([unknown.status, said(unknown.text, stranger)]).toEqual([known.status, said(known.text, FAY)]);
    expect(mails()).toHaveLength(before + 1);
    const [wrong, none] = [await reset('000000x'), await reset('000000x', SECOND, stranger)];
    expect([none.status, said(none.text, stranger)]).toEqual([wrong.status, said(wrong.text, FAY)]);
    expect(wrong.status).toBe(403);
    const [weak, weakNone] = [await reset('000000x', 'short'), await reset('000000x', 'short', stranger)];
    expect([weakNone.status, said(weakNone.text, stranger)]).toEqual([weak.status, said(weak.text, FAY)]);
    expect(weak.status).toBe(422);
  });

  it('is replaced by the code of the last mail, which works once and says what a password lacks', async () => {
    const code = codeIn(mails().at(-1)?.text);
    const weak = await reset(code, 'short');
    expect([weak.status, weak.text.includes('Choose another password')]).toEqual([422, true]);
    expect((await reset(code)).location).toBe('/console/sign-in?password-changed=1');
    expect((await reset(code, 'A-third-password-2026')).status).toBe(403);
    expect((await visitor().signIn(FAY, FIRST)).status).toBe(403);
    expect((await visitor().signIn(FAY, SECOND)).location).toBe('/console/t/demo');
  });

  it('ends the sessions of the person within a quarter of an hour', async () => {
    expect((await other.get('/console/password')).status).toBe(200);
    service.cloud.clock.advance(15 * 60_000);
    expect((await other.get('/console/password')).location).toContain('/console/sign-in');
  });

  it('gets no more than five codes, which lock nobody’s sign-in', async () => {
    const before = mails().length;
    const statuses: number[] = [];
    for (let count = 0; count < 7; count += 1) statuses.push((await visitor().post(FORM, { name: FAY })).status);
    expect(statuses.at(-1)).toBe(429);
    expect(mails().length - before).toBeLessThanOrEqual(5);
    expect((await visitor().signIn(FAY, SECOND)).location).toBe('/console/t/demo');
  });

  it('is reset no more after five wrong codes', async () => {
    service.cloud.clock.advance(60 * 60_000);
    await visitor().post(FORM, { name: FAY });
    const code = codeIn(mails().at(-1)?.text);
    for (let wrong = 0; wrong < 5; wrong += 1) expect((await reset('000000x')).status).toBe(403);
    expect((await reset(code)).status).toBe(429);
    expect((await visitor().signIn(FAY, SECOND)).location).toBe('/console/t/demo');
    // Strangers do not lock a browser with which the person has signed in.
    await other.post(FORM, { name: FAY });
    const chosen = { name: FAY, code: codeIn(mails().at(-1)?.text), password: 'A-third-password-2026' };
    expect((await other.post(`${FORM}/next`, chosen)).location).toBe('/console/sign-in?password-changed=1');
  });

  it('can be reset at once if an operator removes the limit', async () => {
    await visitor().post(FORM, { name: FAY });
    const code = codeIn(mails().at(-1)?.text);
    expect((await reset(code)).status).toBe(429);
    const token = await service.managementToken('ops', { operator: true });
    const path = `/manage/v1/people/${encodeURIComponent(FAY)}/sign-in-limit`;
    const headers = { authorization: `Bearer ${token}` };
    expect((await service.call(path, { method: 'DELETE', headers })).status).toBe(204);
    expect((await reset(code)).location).toBe('/console/sign-in?password-changed=1');
  });
});
