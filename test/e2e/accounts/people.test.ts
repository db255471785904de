/** People of a tenant: invited, limited by their roles, signed out everywhere, disabled and reset. */
import {
  AdminInitiateAuthCommand,
  AdminRespondToAuthChallengeCommand,
  CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOptions, later } from '../../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { ConsoleVisitor } from '../../support/console/console-visitor.ts';

let service: RunningService;
let cognito: CognitoIdentityProviderClient;
let operator: string;
beforeAll(async () => {
  service = await startService();
  service.cloud.stopSchedules();
  cognito = new CognitoIdentityProviderClient(clientOptions(service.cloud));
  operator = await service.managementToken('ops', { operator: true });
});
afterAll(() => service?.close());

const PASSWORD = 'A-password-of-my-own-1';

function manage(as: string, method: string, path: string, body?: object) {
  return service.call(`/manage/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
}

/** The fields of the form of an app, as it stands. */
const APP = {
  name: 'Web shop',
  distanceUnit: 'km',
  radiusMeters: '5000',
  limit: '20',
  acceptedDistanceMeters: '100',
  cooldownSeconds: '86400',
  checkInsPerDay: '10',
  checkInsPerBrandAndDay: '0',
  imagesPerRecord: '10',
  submissionsPerDay: '20',
};

let tenants = 0;
async function newTenant(): Promise<string> {
  tenants += 1;
  const { status, json } = await manage(operator, 'POST', 'accounts', { name: `House ${tenants}` });
  expect(status).toBe(201);
  return json.id;
}

/** The next second of the clock: tokens state whole seconds. */
const aSecondLater = () => service.cloud.clock.advance(1_000);

/** Signs in as the console does. @returns the ID token, or the name of the refusal */
async function signIn(name: string, password: string): Promise<string> {
  const ids = { UserPoolId: service.cloud.outputs['ManagersPool'], ClientId: service.cloud.outputs['ConsoleClient'] };
  try {
    const first = await cognito.send(
      new AdminInitiateAuthCommand({
        ...ids,
        AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: name, PASSWORD: password },
      }),
    );
    if (first.ChallengeName === undefined) return first.AuthenticationResult?.IdToken ?? '';
    const { AuthenticationResult: result } = await cognito.send(
      new AdminRespondToAuthChallengeCommand({
        ...ids,
        ChallengeName: first.ChallengeName,
        Session: first.Session,
        ChallengeResponses: { USERNAME: name, NEW_PASSWORD: PASSWORD },
      }),
    );
    return result?.IdToken ?? '';
  } catch (error) {
    return (error as Error).name;
  }
}

/** Invites a person, who signs in at once. @returns the id and the token */
async function member(as: string, tenant: string, role: string) {
  const email = `${role}@${tenant}.example`;
  const query = as === operator ? `?tenant=${tenant}` : '';
  const { status, json, text } = await manage(as, 'POST', `people${query}`, { email, name: `The ${role}`, role });
  expect(status, text).toBe(201);
  return { id: email, token: await signIn(email, json.temporaryPassword) };
}

describe('a person', () => {
  it('is invited with a password for one sign-in, which is shown once where no mail is sent', async () => {
    const tenant = await newTenant();
    const admin = await member(operator, tenant, 'admin');
    const input = { email: 'Vera@House.example', name: 'Vera', role: 'viewer' };
    const { status, json, headers } = await manage(admin.token, 'POST', 'people', input);
    expect([status, headers.get('location')]).toEqual([201, '/manage/v1/people/vera%40house.example']);
    const vera = {
      id: 'vera@house.example',
      email: 'vera@house.example',
      name: 'Vera',
      role: 'viewer',
      active: true,
      createdAt: expect.any(String),
      lastSeenAt: null,
    };
    expect(json).toEqual({ ...vera, mailed: false, temporaryPassword: expect.any(String) });
    expect((await manage(admin.token, 'GET', 'people/vera%40house.example')).json).toEqual(vera);
    expect(await manage(admin.token, 'POST', 'people', input)).toMatchObject({
      status: 409,
      json: { code: 'person-exists' },
    });
    const { json: list } = await manage(admin.token, 'GET', 'people?limit=1');
    expect(list.items).toEqual([vera]);
    const rest = await manage(admin.token, 'GET', `people?cursor=${list.nextCursor}`);
    expect(rest.json.items).toMatchObject([{ id: admin.id, role: 'admin', lastSeenAt: expect.any(String) }]);
    const other = await member(operator, await newTenant(), 'admin');
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/reset'],
      ['DELETE', '/sessions'],
    ] as const) {
      const body = method === 'PATCH' ? { role: 'admin' } : undefined;
      const foreign = await manage(other.token, method, `people/vera%40house.example${path}`, body);
      expect(foreign.status, `${method} ${path}`).toBe(404);
    }
  });

  it('is told all faults of an invitation at once, and cannot be made an operator', async () => {
    const admin = await member(operator, await newTenant(), 'admin');
    const { status, json } = await manage(admin.token, 'POST', 'people', { email: 'vera', role: 'operator' });
    expect([status, json.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
      400,
      ['/email', '/name', '/role'],
    ]);
    const change = await manage(admin.token, 'PATCH', `people/${encodeURIComponent(admin.id)}`, { role: 'operator' });
    expect(change.json.code).toBe('invalid-input');
    expect((await manage(admin.token, 'GET', 'people/demo-operator')).status).toBe(404);
    const demo = await service.managementToken('demo');
    expect((await manage(demo, 'POST', 'people/demo-operator/reset')).status).toBe(404);
    expect((await manage(demo, 'GET', 'people')).json.items).toMatchObject([{ id: 'demo', role: 'admin' }]);
  });

  it('may do what the role allows, in every interface of /manage, and from the next call on what another role allows', async () => {
    const tenant = await newTenant();
    const admin = await member(operator, tenant, 'admin');
    const viewer = await member(admin.token, tenant, 'viewer');
    const reviewer = await member(admin.token, tenant, 'reviewer');
    expect((await manage(viewer.token, 'GET', 'me')).json).toEqual({
      id: expect.any(String),
      name: viewer.id,
      tenant,
      kind: 'person',
      role: 'viewer',
    });
    const app = { name: 'Web shop' };
    for (const [one, role] of [
      [viewer, 'viewer'],
      [reviewer, 'reviewer'],
    ] as const) {
      expect((await manage(one.token, 'GET', 'loyalty/apps')).status).toBe(200);
      const refused = await manage(one.token, 'POST', 'loyalty/apps', app);
      expect(refused.headers.get('content-type')).toBe('application/problem+json');
      expect(refused).toMatchObject({
        status: 403,
        json: { code: 'role-required', detail: `This requires the role admin; you have the role ${role}.` },
      });
      expect((await manage(one.token, 'POST', 'people', app)).status).toBe(403);
      expect((await manage(one.token, 'GET', 'audit')).status).toBe(403);
      expect((await manage(one.token, 'GET', 'accounts')).json.code).toBe('operator-required');
    }
    // Nothing waits: the reviewer gets as far as the record, the viewer does not.
    expect((await manage(viewer.token, 'POST', 'image-validations/1/claim')).status).toBe(403);
    expect((await manage(reviewer.token, 'POST', 'image-validations/1/claim')).status).toBe(404);
    expect((await manage(admin.token, 'POST', 'loyalty/apps', app)).status).toBe(201);
    const id = encodeURIComponent(viewer.id);
    expect((await manage(admin.token, 'PATCH', `people/${id}`, { role: 'admin' })).json.role).toBe('admin');
    expect((await manage(viewer.token, 'POST', 'loyalty/apps', app)).status).toBe(201);
    expect((await manage(admin.token, 'PATCH', `people/${id}`, { role: 'viewer' })).status).toBe(200);
    expect((await manage(viewer.token, 'POST', 'loyalty/apps', app)).status).toBe(403);
    const mine = encodeURIComponent(admin.id);
    const last = await manage(admin.token, 'PATCH', `people/${mine}`, { role: 'viewer' });
    expect([last.status, last.json.code]).toEqual([409, 'last-admin']);
  });

  it('is refused from the moment of a sign-out everywhere, a reset, a disabling and a deletion', async () => {
    const tenant = await newTenant();
    const admin = await member(operator, tenant, 'admin');
    const { id, token } = await member(admin.token, tenant, 'viewer');
    const path = `people/${encodeURIComponent(id)}`;
    const stands = async (one: string) => (await manage(one, 'GET', 'runs')).status;
    expect(await stands(token)).toBe(200);
    expect((await manage(admin.token, 'DELETE', `${path}/sessions`)).status).toBe(204);
    expect(await stands(token)).toBe(401);
    aSecondLater();
    const again = await signIn(id, PASSWORD);
    expect(await stands(again)).toBe(200);

    const { json: reset } = await manage(admin.token, 'POST', `${path}/reset`);
    expect(await stands(again)).toBe(401);
    expect(await signIn(id, PASSWORD)).toBe('NotAuthorizedException');
    aSecondLater();
    const third = await signIn(id, reset.temporaryPassword);
    expect(await stands(third)).toBe(200);

    expect((await manage(admin.token, 'PATCH', path, { active: false })).json).toMatchObject({ active: false });
    expect(await stands(third)).toBe(401);
    expect(await signIn(id, PASSWORD)).toBe('NotAuthorizedException');
    expect((await manage(admin.token, 'PATCH', path, { active: true })).status).toBe(200);
    expect(await stands(third)).toBe(401);
    aSecondLater();
    const fourth = await signIn(id, PASSWORD);
    expect(await stands(fourth)).toBe(200);

    expect((await manage(admin.token, 'DELETE', path)).status).toBe(204);
    expect(await stands(fourth)).toBe(401);
    expect((await manage(admin.token, 'GET', path)).status).toBe(404);
    aSecondLater();
    await member(admin.token, tenant, 'viewer');
    expect(await stands(fourth)).toBe(401);
  });

  it('stands in the audit log with every act', async () => {
    const tenant = await newTenant();
    const admin = await member(operator, tenant, 'admin');
    const { id } = await member(admin.token, tenant, 'viewer');
    const path = `people/${encodeURIComponent(id)}`;
    await manage(admin.token, 'PATCH', path, { role: 'reviewer' });
    await manage(admin.token, 'POST', `${path}/reset`);
    await manage(admin.token, 'DELETE', `${path}/sessions`);
    await manage(admin.token, 'DELETE', path);
    await service.cloud.settled();
    const { json } = await manage(admin.token, 'GET', 'audit?action=people');
    expect(json.items.map(({ action, outcome }: Record<string, string>) => `${action} ${outcome}`)).toEqual([
      'people.delete done',
      'people.sessions.delete done',
      'people.reset.create done',
      'people.change done',
      'people.create done',
      'people.create done',
    ]);
    expect(json.items[3]).toMatchObject({ target: { id }, fields: ['role'], actor: { name: admin.id } });
    expect(json.items[4]).toMatchObject({ createdId: id });
  });
});

describe('the console', () => {
  const hidden = (text: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';

  /** Signs in for the first time, and chooses a password. */
  async function firstSignIn(name: string, password: string): Promise<ConsoleVisitor> {
    const visitor = new ConsoleVisitor(service);
    const question = await visitor.signIn(name, password);
    expect(question.text).toContain('Choose a password');
    const fields = { kind: 'new-password', name, session: hidden(question.text, 'session'), value: PASSWORD };
    expect((await visitor.post('/console/sign-in/next', fields)).status).toBe(303);
    return visitor;
  }

  /** Submits a form of a page. */
  const submit = async (visitor: ConsoleVisitor, page: string, action: string, fields: Record<string, string> = {}) =>
    visitor.post(action, { form: await visitor.formToken(page, action), ...fields });

  /** Invites by the screen. @returns the temporary password */
  async function invited(visitor: ConsoleVisitor, tenant: string, email: string, role: string): Promise<string> {
    const form = `/console/t/${tenant}/people/-/new`;
    const { status, text } = await submit(visitor, form, form, { email, name: `The ${role}`, role });
    expect([status, text.includes('It is shown only once.')]).toEqual([200, true]);
    const [, password = ''] = /(Aa1-[\w-]{43})/.exec(text) ?? [];
    return password;
  }

  it('leads from a new account to its first admin, who invites others, limits them and signs them out', async () => {
    const operatorVisitor = new ConsoleVisitor(service);
    await operatorVisitor.signIn('demo-operator');
    const form = '/console/accounts/-/new';
    const fields = { name: 'Harbour', plan: 'free', billingCurrency: 'USD' };
    const created = await submit(operatorVisitor, form, form, fields);
    expect(created.location).toBe('/console/t/harbour/people/-/new?account-created=1');
    const first = await invited(operatorVisitor, 'harbour', 'ada@harbour.example', 'admin');
    expect((await operatorVisitor.get('/console/accounts/harbour')).text).toContain('The admin');

    const ada = await firstSignIn('ada@harbour.example', first);
    const vera = await firstSignIn(
      'vera@harbour.example',
      await invited(ada, 'harbour', 'vera@harbour.example', 'viewer'),
    );
    const apps = '/console/t/harbour/apps';
    const own = (await vera.get(`${apps}/-/new`)).text;
    expect([own.includes('<body class="limited"'), own.includes('<fieldset class="read-only" disabled')]).toEqual([
      true,
      true,
    ]);
    expect((await ada.get(`${apps}/-/new`)).text).not.toContain('class="read-only"');
    expect((await vera.get(apps)).text).not.toContain('/audit"');
    const refused = await vera.post(`${apps}/-/new`, { form: hidden(own, 'form'), ...APP });
    expect([refused.status, refused.text.includes('This requires the role admin')]).toEqual([403, true]);

    const page = '/console/t/harbour/people/vera%40harbour.example';
    const saved = await submit(ada, page, page, { name: 'Vera', role: 'admin' });
    expect(saved.location).toBe(`${page}?notice=saved`);
    // The role counts at once for the API; the console reads it again with the next ID token.
    const again = await vera.post(`${apps}/-/new`, { form: hidden((await vera.get(apps)).text, 'form'), ...APP });
    expect(again.text).toContain('It is shown only once.');
    await later(service.cloud, 15 * 60_000);
    expect((await vera.get(`${apps}/-/new`)).text).not.toContain('class="read-only"');

    const out = await submit(ada, `${page}/sign-out`, `${page}/sign-out`);
    expect(out.location).toBe(`${page}?notice=signed-out`);
    expect((await vera.get(apps)).location).toBe(`/console/sign-in?return=${encodeURIComponent(apps)}`);
    aSecondLater();
    expect((await vera.signIn('vera@harbour.example', PASSWORD)).status).toBe(303);
    expect((await vera.get(apps)).status).toBe(200);

    expect((await submit(ada, `${page}/disable`, `${page}/disable`)).location).toBe(`${page}?notice=saved`);
    expect((await vera.get(apps)).status).toBe(303);
    expect((await vera.signIn('vera@harbour.example', PASSWORD)).status).toBe(403);
    const mine = '/console/t/harbour/people/ada%40harbour.example';
    const last = await ada.get(`${mine}/disable`);
    expect([last.status, last.text.includes('This is the last active admin.')]).toEqual([409, true]);
    const forced = await ada.post(`${mine}/disable`, { form: hidden((await ada.get(page)).text, 'form') });
    expect([forced.status, forced.text.includes('This is the last active admin of the account.')]).toEqual([409, true]);
    expect((await ada.get('/console/t/harbour/audit')).text).toContain('ada@harbour.example');
  });

  it('tells a person whose invitation has ended to ask for a new one', async () => {
    const operatorVisitor = new ConsoleVisitor(service);
    await operatorVisitor.signIn('demo-operator');
    const password = await invited(operatorVisitor, await newTenant(), 'late@house.example', 'viewer');
    await later(service.cloud, 7 * 86_400_000 + 1_000);
    // The other tests' token has ended, too.
    operator = await service.managementToken('ops', { operator: true });
    const { status, text } = await new ConsoleVisitor(service).signIn('late@house.example', password);
    expect([status, text.includes('Your invitation has ended.')]).toEqual([403, true]);
  });
});
