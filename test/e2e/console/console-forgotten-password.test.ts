/** A person who has forgotten the password, without script. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { ConsoleVisitor } from '../../support/console/console-visitor.ts';
import { stepsInOrder } from '../../support/runner/steps-in-order.ts';

stepsInOrder();

const DANA = 'dana@example.com';
const FIRST = 'A-first-password-2026';
const SECOND = 'A-second-password-2026';
const FORM = '/console/forgot-password';

let service: RunningService;
let other: ConsoleVisitor;
beforeAll(async () => {
  service = await startService();
  service.cloud.stopSchedules();
  const token = await service.managementToken('demo');
  const { json, text } = await service.call('/manage/v1/people', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email: DANA, name: 'Dana', role: 'viewer' }),
  });
  expect(json.temporaryPassword, text).toBeDefined();
  other = visitor();
  const challenge = await other.signIn(DANA, json.temporaryPassword);
  const session = /name="session" value="([^"]+)"/.exec(challenge.text)?.[1] ?? '';
  const chosen = { kind: 'new-password', name: DANA, session, value: FIRST };
  expect((await other.post('/console/sign-in/next', chosen)).location).toBe('/console/t/demo');
});
afterAll(() => service?.close());

const visitor = () => new ConsoleVisitor(service);
const mails = () => service.cloud.mails().filter(({ subject }) => subject.startsWith('Your code for'));
const codeIn = (text = '') => /is (\d{6})\./.exec(text)?.[1] ?? '';
/** Returns the text of a page without the name that was entered. */
const said = (text: string, name: string) =>
  text
    .replaceAll(name, 'NAME')
    .replace(/<main.*?>/s, '')
    .replaceAll(/\s+/g, ' ');
const reset = (code: string, password = SECOND, name = DANA) =>
  visitor().post(`${FORM}/next`, { name, code, password });

describe('a forgotten password', () => {
  it('is led to from the page for signing in, and a code is mailed to the address that signs in', async () => {
    const person = visitor();
    expect((await person.get('/console/sign-in')).text).toContain(`href="${FORM}"`);
    expect((await person.get(FORM)).text).toContain('Send code');
    const { status, text } = await person.post(FORM, { name: ` ${DANA.toUpperCase()} ` });
    expect([status, text.includes('Choose a new password')]).toEqual([200, true]);
    expect(mails()).toHaveLength(1);
    expect(mails()[0]).toMatchObject({ recipients: [DANA], text: expect.stringMatching(/\d{6}/) });
  });

  it('has the same answers for a name that does not exist, and mails nothing', async () => {
    const before = mails().length;
    const stranger = 'nobody@example.com';
    const [known, unknown] = [
      await visitor().post(FORM, { name: DANA }),
      await visitor().post(FORM, { name: stranger }),
    ];
    expect([unknown.status, said(unknown.text, stranger)]).toEqual([known.status, said(known.text, DANA)]);
    expect(mails()).toHaveLength(before + 1);
    const [wrong, none] = [await reset('000000x'), await reset('000000x', SECOND, stranger)];
    expect([none.status, said(none.text, stranger)]).toEqual([wrong.status, said(wrong.text, DANA)]);
    expect(wrong.status).toBe(403);
    const [weak, weakNone] = [await reset('000000x', 'short'), await reset('000000x', 'short', stranger)];
    expect([weakNone.status, said(weakNone.text, stranger)]).toEqual([weak.status, said(weak.text, DANA)]);
    expect(weak.status).toBe(422);
  });

  it('is replaced by the code of the last mail, which works once and says what a password lacks', async () => {
    const code = codeIn(mails().at(-1)?.text);
    const weak = await reset(code, 'short');
    expect([weak.status, weak.text.includes('Choose another password')]).toEqual([422, true]);
    expect((await reset(code)).location).toBe('/console/sign-in?password-changed=1');
    expect((await reset(code, 'A-third-password-2026')).status).toBe(403);
    expect((await visitor().signIn(DANA, FIRST)).status).toBe(403);
    expect((await visitor().signIn(DANA, SECOND)).location).toBe('/console/t/demo');
  });

  it('ends the sessions of the person within a quarter of an hour', async () => {
    expect((await other.get('/console/password')).status).toBe(200);
    service.cloud.clock.advance(15 * 60_000);
    expect((await other.get('/console/password')).location).toContain('/console/sign-in');
  });

  it('gets no more than five codes, which lock nobody’s sign-in', async () => {
    const before = mails().length;
    const statuses: number[] = [];
    for (let count = 0; count < 7; count += 1) statuses.push((await visitor().post(FORM, { name: DANA })).status);
    expect(statuses.at(-1)).toBe(429);
    expect(mails().length - before).toBeLessThanOrEqual(5);
    expect((await visitor().signIn(DANA, SECOND)).location).toBe('/console/t/demo');
  });

  it('is reset no more after five wrong codes', async () => {
    service.cloud.clock.advance(60 * 60_000);
    await visitor().post(FORM, { name: DANA });
    const code = codeIn(mails().at(-1)?.text);
    for (let wrong = 0; wrong < 5; wrong += 1) expect((await reset('000000x')).status).toBe(403);
    expect((await reset(code)).status).toBe(429);
    expect((await visitor().signIn(DANA, SECOND)).location).toBe('/console/t/demo');
    // Strangers do not lock a browser with which the person has signed in.
    await other.post(FORM, { name: DANA });
    const chosen = { name: DANA, code: codeIn(mails().at(-1)?.text), password: 'A-third-password-2026' };
    expect((await other.post(`${FORM}/next`, chosen)).location).toBe('/console/sign-in?password-changed=1');
  });

  it('can be reset at once if an operator removes the limit', async () => {
    await visitor().post(FORM, { name: DANA });
    const code = codeIn(mails().at(-1)?.text);
    expect((await reset(code)).status).toBe(429);
    const token = await service.managementToken('ops', { operator: true });
    const path = `/manage/v1/people/${encodeURIComponent(DANA)}/sign-in-limit`;
    const headers = { authorization: `Bearer ${token}` };
    expect((await service.call(path, { method: 'DELETE', headers })).status).toBe(204);
    expect((await reset(code)).location).toBe('/console/sign-in?password-changed=1');
  });
});
