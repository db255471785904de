/** Codes of an authenticator app, where operators need them. */
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson, resetPerson } from '../../../functions/accounts/commands/managers.cognito.ts';
import type { Role } from '../../../shared/auth/role.ts';
import { clientOptions, later } from '../../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { ConsoleVisitor, DEMO_PASSWORD, type Visited } from '../../support/console/console-visitor.ts';
import { few } from '../../support/runner/thoroughness.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startService({
    parameters: { OperatorsNeedCode: 'true' },
  });
  service.cloud.stopSchedules();
});
afterAll(() => service?.close());

const PAGE = '/console/second-factor';
const USER = 'functions/accounts/commands/user.command.ts';
const MINUTE = 60_000;
const TEMPORARY = 'Temporary-password-1';
const codeOf = (secret: string) => new TOTP({ secret }).generate({ timestamp: service.cloud.clock.millis() });
const wrongFor = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
/** A code of its own belongs to this moment, and attempts are counted anew. */
const anotherWindow = () => later(service.cloud, 16 * MINUTE);

const hidden = ({ text }: Visited, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';

/** Commands find the service by this. */
const deployment = () => ({
  client: clientOptions(service.cloud),
  output: (output: string) => service.cloud.outputs[output] ?? '',
  namesAfter: () => [],
});

/** A person who has chosen a password, made as by the command. */
async function person(name: string, role: Role = 'admin'): Promise<ConsoleVisitor> {
  const fields = { name, tenant: 'demo', role, password: TEMPORARY, isTemporary: true };
  expect(await addPerson(deployment(), fields, service.cloud.clock.millis())).toBe(true);
  return withOwnPassword(name, TEMPORARY);
}

async function withOwnPassword(name: string, temporary: string): Promise<ConsoleVisitor> {
  const visitor = new ConsoleVisitor(service);
  const challenge = await visitor.signIn(name, temporary);
  const fields = { kind: 'new-password', name, session: hidden(challenge, 'session'), value: DEMO_PASSWORD };
  expect((await visitor.post('/console/sign-in/next', fields)).status).toBe(303);
  return visitor;
}

/** The fields that prove that the sender has the present app. */
const proofBy = (secret: string) => ({ password: DEMO_PASSWORD, current: codeOf(secret) });

async function offered(visitor: ConsoleVisitor, more: Record<string, string> = {}): Promise<Visited> {
  const form = await visitor.formToken(PAGE, PAGE);
  return visitor.post(PAGE, { form, ...more });
}

const confirm = (visitor: ConsoleVisitor, page: Visited, code: string) =>
  visitor.post(`${PAGE}/confirm`, {
    form: hidden(page, 'form'),
    secret: hidden(page, 'secret'),
    return: hidden(page, 'return'),
    code,
  });

async function enrolled(visitor: ConsoleVisitor, proof: Record<string, string> = {}): Promise<string> {
  const page = await offered(visitor, proof);
  const secret = hidden(page, 'secret');
  expect((await confirm(visitor, page, codeOf(secret))).status).toBe(303);
  await anotherWindow();
  return secret;
}

/** Signs in with name and password, and states a code. */
async function signIn(name: string, code: () => string) {
  const visitor = new ConsoleVisitor(service);
  const challenge = await visitor.signIn(name);
  expect([challenge.status, hidden(challenge, 'kind')]).toEqual([200, 'code']);
  const fields = { kind: 'code', name, session: hidden(challenge, 'session'), value: code(), return: PAGE };
  return { visitor, answer: await visitor.post('/console/sign-in/next', fields) };
}

describe('an operator', () => {
  it('gets nowhere before an app is set up, then where they wanted to go, and needs a code from then on', async () => {
    const visitor = await person('olga', 'operator');
    for (const path of ['/console/accounts', '/console/t/demo', '/console/system', '/console/t/demo/nothing']) {
      const { status, location } = await visitor.get(path);
      expect([status, location]).toEqual([303, `${PAGE}?return=${encodeURIComponent(path)}`]);
    }
    const form = hidden(await visitor.get(PAGE), 'form');
    const changed = await visitor.post('/console/t/demo/usage/spend-cap', { form, cents: '100' });
    expect(changed.location).toMatch(PAGE);

    const page = await offered(visitor, { return: '/console/system' });
    const secret = hidden(page, 'secret');
    expect(page.text).toContain(`<h1>Set up an authenticator app</h1>`);
    expect(page.text).toContain('role="img" aria-label="The key as a QR code"');
    expect(page.text).toContain(secret.slice(0, 4));
    expect(page.text).not.toContain('<nav aria-label="Screens">');

    const wrong = await confirm(visitor, page, wrongFor(codeOf(secret)));
    expect([wrong.status, hidden(wrong, 'secret')]).toEqual([422, secret]);
    expect((await visitor.get('/console/system')).status).toBe(303);
    const right = await confirm(visitor, wrong, codeOf(secret));
    expect([right.status, right.location]).toEqual([303, '/console/system']);
    expect((await visitor.get('/console/system')).status).toBe(200);

    await anotherWindow();
    const { answer, visitor: again } = await signIn('olga', () => codeOf(secret));
    expect([answer.status, answer.location]).toEqual([303, PAGE]);
    expect((await again.get('/console/system')).status).toBe(200);
    const off = await again.post(`${PAGE}/off`, { form: hidden(await again.get(PAGE), 'form') });
    expect(off.status).toBe(403);
    expect((await signIn('olga', () => '000000')).answer.status).toBe(403);
  });

  it('who has lost the app is let in by a command, which ends the sessions of before', async () => {
    const visitor = await person('otto', 'operator');
    await enrolled(visitor);
    const { stdout } = await service.run(USER, '--reset', '--name', 'otto');
    const anew = await withOwnPassword('otto', /Password {2}(\S+)/.exec(stdout)?.[1] ?? '');
    expect((await anew.get('/console/system')).location).toMatch(PAGE);
    await enrolled(anew);
    expect((await anew.get('/console/system')).status).toBe(200);
    expect((await visitor.get('/console/system')).location).toMatch('/console/sign-in');
    const nobody = { name: 'nobody-of-this-name', password: TEMPORARY };
    expect(await resetPerson(deployment(), nobody, service.cloud.clock.millis())).toBe(false);
  });

  it.each(
    few(
      [['--reset', '--name', 'olga', '--operator']],
      [
        ['--reset', '--name', 'nobody-of-this-name'],
        ['--reset', '--tenant', 'demo'],
      ],
    ),
  )('is not made or changed by: %s %s %s %s', async (...flags) => {
    const { code, stdout } = await service.run(USER, ...flags.filter((flag) => flag !== undefined));
    expect([code, stdout]).toEqual([1, '']);
  });
});

describe('a person of a tenant', () => {
  it('may have a code, have another app, and turn it off', async () => {
    const visitor = await person('tanja');
    expect((await visitor.get('/console/t/demo/rules')).status).toBe(200);
    expect((await visitor.get(PAGE)).text).toContain('Off. You sign in');
    const first = await enrolled(visitor);
    const { visitor: second } = await signIn('tanja', () => codeOf(first));
    // The code of the sign-in works once.
    await later(service.cloud, MINUTE);
    const next = await enrolled(second, proofBy(first));
    expect((await signIn('tanja', () => codeOf(first))).answer.status).toBe(403);
    const { visitor: third } = await signIn('tanja', () => codeOf(next));
    const page = await third.get(PAGE);
    expect(page.text).toContain('On. Use codes from');
    await later(service.cloud, MINUTE);
    const turnOff = async (proof: Record<string, string>) =>
      third.post(`${PAGE}/off`, { form: await third.formToken(PAGE, PAGE), ...proof });
    const wrongs: Record<string, string>[] = [
      {},
      { password: DEMO_PASSWORD },
      { password: 'Wrong-password-100', current: codeOf(next) },
      { password: DEMO_PASSWORD, current: wrongFor(codeOf(next)) },
      { password: DEMO_PASSWORD, current: codeOf(first) },
    ];
    for (const proof of wrongs) expect((await turnOff(proof)).status).toBe(422);
    // Another app needs the same proof.
    const replacing = await offered(third, wrongs.at(-1));
    expect([replacing.status, hidden(replacing, 'secret')]).toEqual([422, '']);
    expect((await third.get(PAGE)).text).toContain('On. Use codes from');
    await anotherWindow();
    const { visitor: fourth } = await signIn('tanja', () => codeOf(next));
    await later(service.cloud, MINUTE);
    const form = await fourth.formToken(PAGE, PAGE);
    const off = await fourth.post(`${PAGE}/off`, { form, ...proofBy(next) });
    expect(off.location).toBe(`${PAGE}?done=1`);
    expect((await new ConsoleVisitor(service).signIn('tanja')).location).toBe('/console/t/demo');
    const headers = { authorization: `Bearer ${await service.managementToken('demo')}` };
    const { json } = await service.call('/manage/v1/audit?actor=tanja', { headers });
    expect(json.items).toMatchObject([
      { action: 'second-factor.delete', outcome: 'done', via: 'console', address: '127.0.0.1' },
      { action: 'second-factor.create', outcome: 'done', actor: { kind: 'person', name: 'tanja', operator: false } },
      { action: 'second-factor.create', outcome: 'done' },
    ]);
    expect(JSON.stringify(json)).not.toContain(next);
    const operator = { authorization: `Bearer ${await service.managementToken('demo', { operator: true })}` };
    const { json: all } = await service.call('/manage/v1/audit?actor=tanja&action=password', { headers: operator });
    expect(all.items).toMatchObject([{ action: 'password.replace', tenant: null, outcome: 'done' }]);
  });

  it('changes nothing ten minutes after signing in without signing in again', async () => {
    const visitor = await person('timo');
    const page = await offered(visitor);
    const forms = [hidden(page, 'form'), await visitor.formToken(PAGE, PAGE), await visitor.formToken(PAGE, PAGE)];
    await later(service.cloud, 10 * MINUTE);
    const late = await visitor.get(PAGE);
    expect(late.text).toContain('sign in again');
    expect(late.text).not.toContain(`action="${PAGE}"`);
    const code = codeOf(hidden(page, 'secret'));
    const answers = [
      await visitor.post(`${PAGE}/confirm`, { form: forms[0] ?? '', secret: hidden(page, 'secret'), code }),
      await visitor.post(PAGE, { form: forms[1] ?? '' }),
      await visitor.post(`${PAGE}/off`, { form: forms[2] ?? '' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect((await new ConsoleVisitor(service).signIn('timo')).location).toBe('/console/t/demo');
    const out = await visitor.post('/console/sign-out', { form: hidden(late, 'form'), return: PAGE });
    expect(out.location).toBe(`/console/sign-in?return=${encodeURIComponent(PAGE)}`);
  });

  it('who presses twice gets one key', async () => {
    const visitor = await person('tobias');
    const form = await visitor.formToken(PAGE, PAGE);
    expect((await visitor.post(PAGE, { form })).status).toBe(200);
    expect(await visitor.post(PAGE, { form })).toMatchObject({ status: 303, location: PAGE });
  });

  it('has no code of a form from another site, or without its token', async () => {
    const visitor = await person('tilda');
    const form = await visitor.formToken(PAGE, PAGE);
    expect((await visitor.post(PAGE, { form }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await visitor.post(PAGE, {})).status).toBe(403);
    expect((await new ConsoleVisitor(service).post(PAGE, { form })).location).toMatch('/console/sign-in');
  });

  it('replaces the password by the current one, and is then signed out everywhere', async () => {
    await anotherWindow();
    const visitor = await person('tessa');
    const other = new ConsoleVisitor(service);
    await other.signIn('tessa');
    const change = async (current: string, next: string) =>
      visitor.post('/console/password', {
        form: await visitor.formToken('/console/password', '/console/password'),
        current,
        next,
      });
    expect((await change('Wrong-password-100', 'Another-password-1234')).text).toContain('not your current password');
    expect((await change(DEMO_PASSWORD, 'short')).text).toContain('At least 16 characters');
    expect((await change(DEMO_PASSWORD, DEMO_PASSWORD)).status).toBe(422);
    const changed = await change(DEMO_PASSWORD, 'Another-password-1234');
    expect(changed.location).toBe('/console/sign-in?password-changed=1');
    expect((await visitor.get(String(changed.location))).text).toContain('Your password is changed.');
    // The tokens of other sessions last for a quarter of an hour, and are not continued.
    await later(service.cloud, 15 * MINUTE);
    expect((await other.get('/console/t/demo')).location).toMatch('/console/sign-in');
    expect((await new ConsoleVisitor(service).signIn('tessa')).status).toBe(403);
    expect((await new ConsoleVisitor(service).signIn('tessa', 'Another-password-1234')).status).toBe(303);
    const headers = { authorization: `Bearer ${await service.managementToken('demo')}` };
    const { json } = await service.call('/manage/v1/audit?actor=tessa&action=password', { headers });
    expect(json.items.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['done', 'refused', 'refused']);
  });

  it('counts wrong current passwords like those of a sign-in', async () => {
    const visitor = await person('trude');
    const change = async () =>
      visitor.post('/console/password', {
        form: await visitor.formToken('/console/password', '/console/password'),
        current: 'Wrong-password-100',
        next: 'Another-password-1234',
      });
    for (let n = 0; n < 5; n += 1) expect((await change()).status).toBe(422);
    expect((await change()).status).toBe(429);
  });
});
