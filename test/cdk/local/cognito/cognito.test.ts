import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  AdminDeleteUserCommand,
  AdminDisableUserCommand,
  AdminEnableUserCommand,
  AdminGetUserCommand,
  AdminInitiateAuthCommand,
  AdminListGroupsForUserCommand,
  AdminRemoveUserFromGroupCommand,
  AdminRespondToAuthChallengeCommand,
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
  ConfirmForgotPasswordCommand,
  ForgotPasswordCommand,
  ListUsersCommand,
  paginateListUsers,
} from '@aws-sdk/client-cognito-identity-provider';
import { CfnOutput, Duration, type Stack } from 'aws-cdk-lib';
import { CfnUserPoolGroup, StringAttribute, UserPool } from 'aws-cdk-lib/aws-cognito';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cloud } from '../../../../cdk/local/cloud.ts';
import { Challenges } from '../../../../cdk/local/cognito/challenges.ts';
import { CognitoService } from '../../../../cdk/local/cognito/cognito-service.ts';
import { UserPool as Pool, type PoolSettings } from '../../../../cdk/local/cognito/user-pool.ts';
import type { WatchedRequest } from '../../../../cdk/local/endpoint/exchange.ts';
import {
  appOf,
  clientOptions,
  functionOf,
  importing,
  invoke,
  startLocalCloud,
} from '../../../support/cloud/local-cloud.ts';

const PASSWORD = 'Good-Passw0rd';
const ASKING = `
${importing('CognitoIdentityProviderClient, AdminGetUserCommand', '@aws-sdk/client-cognito-identity-provider')}
const cognito = new CognitoIdentityProviderClient();
export const handler = async (input) => cognito.send(new AdminGetUserCommand(input));`;

let cloud: Cloud;
let cognito: CognitoIdentityProviderClient;
let dataDir: string;

function fill(stack: Stack) {
  const pool = new UserPool(stack, 'Pool', {
    customAttributes: { tenant: new StringAttribute({ mutable: false, minLen: 1, maxLen: 5 }) },
    passwordPolicy: {
      minLength: 12,
      requireLowercase: true,
      requireUppercase: true,
      requireDigits: true,
      requireSymbols: true,
    },
  });
  const client = pool.addClient('Client', { authFlows: { adminUserPassword: true }, preventUserExistenceErrors: true });
  const short = pool.addClient('Short', {
    authFlows: { adminUserPassword: true },
    idTokenValidity: Duration.minutes(5),
    accessTokenValidity: Duration.minutes(10),
    refreshTokenValidity: Duration.hours(1),
  });
  const none = pool.addClient('None', { authFlows: { userSrp: true } });
  new CfnUserPoolGroup(stack, 'Group', { userPoolId: pool.userPoolId, groupName: 'operator' });
  functionOf(stack, 'Asking', ASKING);
  for (const [name, { userPoolClientId: value }] of Object.entries({ client, short, none }))
    new CfnOutput(stack, `${name}Id`, { value });
  new CfnOutput(stack, 'PoolId', { value: pool.userPoolId });
  new CfnOutput(stack, 'Issuer', { value: pool.userPoolProviderUrl });
}

let UserPoolId = '';

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'local-cloud-data-'));
  cloud = await startLocalCloud({ app: appOf(fill), dataDir });
  cognito = new CognitoIdentityProviderClient(clientOptions(cloud));
  UserPoolId = cloud.outputs['PoolId'] ?? '';
});
afterAll(async () => {
  await cloud.close();
  rmSync(dataDir, { recursive: true });
});

/**
 * Moves the clock. A client that signs with another time is refused once and tries again, unless its retries are used up,
 * as by refusals that other tests provoke.
 */
function advance(millis: number) {
  cloud.clock.advance(millis);
  const systemClockOffset = cloud.clock.millis() - Date.now();
  cognito = new CognitoIdentityProviderClient({ ...clientOptions(cloud), systemClockOffset });
}

async function userWithPassword(Username: string, attributes: Record<string, string> = {}) {
  const UserAttributes = Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }));
  await cognito.send(new AdminCreateUserCommand({ UserPoolId, Username, UserAttributes, MessageAction: 'SUPPRESS' }));
  await cognito.send(new AdminSetUserPasswordCommand({ UserPoolId, Username, Password: PASSWORD, Permanent: true }));
}

const signIn = (Username: string, password = PASSWORD, { client = 'clientId', pool = cognito } = {}) =>
  pool.send(
    new AdminInitiateAuthCommand({
      UserPoolId,
      ClientId: cloud.outputs[client],
      AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: Username, PASSWORD: password },
    }),
  );

describe('an administrator', () => {
  it('creates a user once', async () => {
    const UserAttributes = [{ Name: 'custom:tenant', Value: 'acme' }];
    const created = await cognito.send(new AdminCreateUserCommand({ UserPoolId, Username: 'new', UserAttributes }));
    expect(created.User).toMatchObject({
      Username: 'new',
      UserStatus: 'FORCE_CHANGE_PASSWORD',
      Enabled: true,
      UserCreateDate: expect.any(Date),
      Attributes: expect.arrayContaining([{ Name: 'custom:tenant', Value: 'acme' }]),
    });
    await expect(cognito.send(new AdminCreateUserCommand({ UserPoolId, Username: 'new' }))).rejects.toMatchObject({
      name: 'UsernameExistsException',
    });
  });

  it('reads and deletes a user', async () => {
    await userWithPassword('short-lived');
    const user = { UserPoolId, Username: 'short-lived' };
    expect(await cognito.send(new AdminGetUserCommand(user))).toMatchObject({
      UserStatus: 'CONFIRMED',
      UserAttributes: [{ Name: 'sub', Value: expect.stringMatching(/^[0-9a-f-]{36}$/) }],
    });
    await cognito.send(new AdminDeleteUserCommand(user));
    await expect(cognito.send(new AdminGetUserCommand(user))).rejects.toMatchObject({ name: 'UserNotFoundException' });
  });

  it.each([
    ['custom:other', 'x', 'does not exist in the schema'],
    ['unknown', 'x', 'does not exist in the schema'],
    ['custom:tenant', '', 'at least 1 characters'],
    ['custom:tenant', 'longer', 'no longer than 5 characters'],
  ])('gives no attribute that the pool does not have: %s=%s', async (Name, Value, message) => {
    const UserAttributes = [{ Name, Value }];
    const command = new AdminCreateUserCommand({ UserPoolId, Username: 'never', UserAttributes });
    await expect(cognito.send(command)).rejects.toMatchObject({
      name: 'InvalidParameterException',
      message: expect.stringContaining(message),
    });
  });

  it('reads all users, page by page, and is refused unsupported filters', async () => {
    const names = Array.from({ length: 130 }, (_, n) => `listed-${String(n).padStart(3, '0')}`);
    for (const Username of names) await cognito.send(new AdminCreateUserCommand({ UserPoolId, Username }));
    const listed: string[] = [];
    let pages = 0;
    for await (const { Users: users = [] } of paginateListUsers({ client: cognito }, { UserPoolId })) {
      pages += 1;
      listed.push(...users.map(({ Username: name = '' }) => name));
    }
    expect(pages).toBeGreaterThan(2);
    expect(listed.filter((name) => name.startsWith('listed-'))).toEqual(names);
    const filtered = new ListUsersCommand({ UserPoolId, Filter: 'username = "listed-001"' });
    await expect(cognito.send(filtered)).rejects.toMatchObject({ name: 'InvalidParameterException' });
  });

  it.each([
    ['Short-1a', 'not long enough'],
    ['NO-LOWERCASE-1', 'must have lowercase'],
    ['no-uppercase-1', 'must have uppercase'],
    ['No-number-here', 'must have numeric'],
    ['NoSymbolHere123', 'must have symbol'],
  ])('sets no password that is weaker than the policy: %s', async (Password, message) => {
    await cognito.send(new AdminCreateUserCommand({ UserPoolId, Username: `weak-${message}` }));
    const command = new AdminSetUserPasswordCommand({ UserPoolId, Username: `weak-${message}`, Password });
    await expect(cognito.send(command)).rejects.toMatchObject({
      name: 'InvalidPasswordException',
      message: expect.stringContaining(message),
    });
  });

  it('puts users into groups that exist, and takes them out', async () => {
    await userWithPassword('member');
    const user = { UserPoolId, Username: 'member' };
    const groups = async () => {
      const { Groups } = await cognito.send(new AdminListGroupsForUserCommand(user));
      return Groups?.map(({ GroupName }) => GroupName);
    };
    await cognito.send(new AdminAddUserToGroupCommand({ ...user, GroupName: 'operator' }));
    expect(await groups()).toEqual(['operator']);
    await cognito.send(new AdminRemoveUserFromGroupCommand({ ...user, GroupName: 'operator' }));
    expect(await groups()).toEqual([]);
    await expect(cognito.send(new AdminAddUserToGroupCommand({ ...user, GroupName: 'kings' }))).rejects.toThrow(
      'Group not found',
    );
  });

  it('is refused without the permission', async () => {
    const answer = await invoke(cloud, cloud.functionName('Asking'), { UserPoolId, Username: 'new' });
    expect(answer.payload).toMatchObject({ errorType: 'AccessDeniedException' });
  });

  it('knows no other pools', async () => {
    const command = new AdminGetUserCommand({ UserPoolId: 'us-east-1_missing00', Username: 'x' });
    await expect(cognito.send(command)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });
});

describe('signing in', () => {
  it('gives tokens as Cognito makes them', async () => {
    await userWithPassword('alice', { 'custom:tenant': 'acme', email: 'a@example.com', email_verified: 'true' });
    await cognito.send(new AdminAddUserToGroupCommand({ UserPoolId, Username: 'alice', GroupName: 'operator' }));
    const { AuthenticationResult: result } = await signIn('alice');
    expect(result).toMatchObject({ ExpiresIn: 3600, TokenType: 'Bearer', RefreshToken: expect.any(String) });
    const id = decodeJwt(result?.IdToken ?? '');
    const access = decodeJwt(result?.AccessToken ?? '');
    const shared = {
      iss: cloud.outputs['Issuer'],
      'cognito:groups': ['operator'],
      auth_time: id['auth_time'],
      sub: id.sub,
    };
    expect(id).toMatchObject({
      ...shared,
      token_use: 'id',
      aud: cloud.outputs['clientId'],
      'cognito:username': 'alice',
      'custom:tenant': 'acme',
      email: 'a@example.com',
      email_verified: true,
    });
    expect(access).toMatchObject({
      ...shared,
      token_use: 'access',
      client_id: cloud.outputs['clientId'],
      username: 'alice',
      scope: 'aws.cognito.signin.user.admin',
    });
    expect(access.aud).toBeUndefined();
    expect((id.exp ?? 0) - (id.iat ?? 0)).toBe(3600);
    expect(decodeProtectedHeader(result?.IdToken ?? '')).toEqual({ alg: 'RS256', kid: expect.any(String) });
  });

  it('answers a wrong password and a missing user alike', async () => {
    await userWithPassword('bob');
    const wrong = { name: 'NotAuthorizedException', message: 'Incorrect username or password.' };
    await expect(signIn('bob', 'Wrong-Passw0rd')).rejects.toMatchObject(wrong);
    await expect(signIn('nobody')).rejects.toMatchObject(wrong);
  });

  it('is refused while a user is disabled', async () => {
    await userWithPassword('carol');
    await cognito.send(new AdminDisableUserCommand({ UserPoolId, Username: 'carol' }));
    await expect(signIn('carol')).rejects.toThrow('User is disabled.');
    await cognito.send(new AdminEnableUserCommand({ UserPoolId, Username: 'carol' }));
    await expect(signIn('carol')).resolves.toMatchObject({ AuthenticationResult: { TokenType: 'Bearer' } });
  });

  it('with a temporary password asks for a new one', async () => {
    await cognito.send(new AdminCreateUserCommand({ UserPoolId, Username: 'dave', TemporaryPassword: PASSWORD }));
    expect(await signIn('dave')).toMatchObject({ ChallengeName: 'NEW_PASSWORD_REQUIRED', Session: expect.any(String) });
  });

  it('needs a flow that the client allows', async () => {
    await userWithPassword('erin');
    await expect(signIn('erin', PASSWORD, { client: 'noneId' })).rejects.toThrow(
      'Auth flow not enabled for this client',
    );
  });

  it('is renewed by a refresh token of the same client', async () => {
    await userWithPassword('frank');
    const { AuthenticationResult: first } = await signIn('frank');
    const refresh = (ClientId: string | undefined, REFRESH_TOKEN: string) =>
      cognito.send(
        new AdminInitiateAuthCommand({
          UserPoolId,
          ClientId,
          AuthFlow: 'REFRESH_TOKEN_AUTH',
          AuthParameters: { REFRESH_TOKEN },
        }),
      );
    const { AuthenticationResult: second } = await refresh(cloud.outputs['clientId'], first?.RefreshToken ?? '');
    expect(decodeJwt(second?.IdToken ?? '')['auth_time']).toBe(decodeJwt(first?.IdToken ?? '')['auth_time']);
    expect(second?.RefreshToken).toBeUndefined();
    await expect(refresh(cloud.outputs['noneId'], first?.RefreshToken ?? '')).rejects.toThrow('Invalid Refresh Token');
    await expect(refresh(cloud.outputs['clientId'], 'made up')).rejects.toThrow('Invalid Refresh Token');
  });
});

describe('a challenge for a new password', () => {
  it('exchanges a temporary password for one of their own, once', async () => {
    const user = { UserPoolId, Username: 'iris' };
    await cognito.send(new AdminCreateUserCommand({ ...user, TemporaryPassword: PASSWORD }));
    const answer = (Session: string | undefined, password: string, USERNAME = 'iris') =>
      cognito.send(
        new AdminRespondToAuthChallengeCommand({
          UserPoolId,
          ClientId: cloud.outputs['clientId'],
          ChallengeName: 'NEW_PASSWORD_REQUIRED',
          Session,
          ChallengeResponses: { USERNAME, NEW_PASSWORD: password },
        }),
      );
    const { Session: session } = await signIn('iris');
    await expect(answer(session, 'weak')).rejects.toMatchObject({ name: 'InvalidPasswordException' });
    await userWithPassword('judy');
    const refused = { name: 'NotAuthorizedException', message: expect.stringContaining('Invalid session') };
    await expect(answer(session, 'Brand-New-Passw0rd', 'judy')).rejects.toMatchObject(refused);
    await expect(answer('made up', 'Brand-New-Passw0rd')).rejects.toMatchObject(refused);
    const { AuthenticationResult } = await answer(session, 'Brand-New-Passw0rd');
    expect(decodeJwt(AuthenticationResult?.IdToken ?? '')['cognito:username']).toBe('iris');
    await expect(answer(session, 'Another-Passw0rd')).rejects.toMatchObject(refused);
    await expect(signIn('iris')).rejects.toMatchObject({ message: 'Incorrect username or password.' });
    expect(await signIn('iris', 'Brand-New-Passw0rd')).toHaveProperty('AuthenticationResult');
  });

  it('comes for seven days, as the template of a pool says by default, and again after a reset', async () => {
    const user = { UserPoolId, Username: 'ines' };
    await cognito.send(new AdminCreateUserCommand({ ...user, TemporaryPassword: PASSWORD }));
    advance(7 * 86_400_000 - 10_000);
    expect(await signIn('ines')).toHaveProperty('ChallengeName', 'NEW_PASSWORD_REQUIRED');
    advance(20_000);
    await expect(signIn('ines')).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: 'Temporary password has expired and must be reset by an administrator.',
    });
    await cognito.send(new AdminSetUserPasswordCommand({ ...user, Password: PASSWORD, Permanent: false }));
    expect(await signIn('ines')).toHaveProperty('ChallengeName', 'NEW_PASSWORD_REQUIRED');
  });
});

describe('without a signature', () => {
  it('anybody can check a token with the keys of the pool', async () => {
    await userWithPassword('henry');
    const { AuthenticationResult } = await signIn('henry');
    const keys = createRemoteJWKSet(new URL(`${cloud.awsUrl}/${UserPoolId}/.well-known/jwks.json`));
    const { payload } = await jwtVerify(AuthenticationResult?.IdToken ?? '', keys, {
      issuer: cloud.outputs['Issuer'] ?? '',
      audience: cloud.outputs['clientId'] ?? '',
    });
    expect(payload).toMatchObject({ 'cognito:username': 'henry' });
  });

  it.each([
    ['RespondToAuthChallenge', 400, 'UnknownOperationException'],
    ['SignUp', 400, 'UnknownOperationException'],
    ['InitiateAuth', 400, 'UnknownOperationException'],
    ['AdminGetUser', 403, 'AccessDeniedException'],
    ['AdminInitiateAuth', 403, 'AccessDeniedException'],
    ['ListUsers', 403, 'AccessDeniedException'],
  ])('%s is answered with %i %s', async (action, status, name) => {
    const headers = { 'x-amz-target': `AWSCognitoIdentityProviderService.${action}` };
    const body = JSON.stringify({ UserPoolId, Username: 'new' });
    const answer = await fetch(cloud.awsUrl, { method: 'POST', headers, body });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ __type: name });
  });

  it.each(['/bucket/.well-known/jwks.json', '/us-east-1_a/.well-known/other', '/us-east-1_a/b/.well-known/jwks.json'])(
    'no object is read: %s',
    async (path) => {
      const answer = await fetch(cloud.awsUrl + path);
      expect(answer.status).toBe(403);
      expect(await answer.text()).toContain('<Code>AccessDenied</Code>');
    },
  );

  it('a pool that does not exist has no keys', async () => {
    const answer = await fetch(`${cloud.awsUrl}/us-east-1_missing00/.well-known/jwks.json`);
    expect(await answer.json()).toMatchObject({ __type: 'ResourceNotFoundException' });
  });
});

describe('a challenge', () => {
  it('waits three minutes for its answer, from the client that asked', () => {
    const challenges = new Challenges();
    const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
    const challenge = { name: 'SOFTWARE_TOKEN_MFA', username: 'alice', clientId: 'page' } as const;
    const session = challenges.open(challenge, at(0));
    expect(challenges.isWaiting(session, challenge, at(179))).toBe(true);
    expect(challenges.isWaiting(session, { ...challenge, clientId: 'other' }, at(1))).toBe(false);
    expect(challenges.isWaiting(session, { ...challenge, username: 'bob' }, at(1))).toBe(false);
    expect(challenges.isWaiting(session, { ...challenge, name: 'NEW_PASSWORD_REQUIRED' }, at(1))).toBe(false);
    expect(challenges.isWaiting(session, challenge, at(180))).toBe(false);
  });
});

describe('the file of a pool', () => {
  it('is for its owner only and holds no password', async () => {
    await userWithPassword('gina');
    const folder = join(dataDir, 'cognito');
    const [file = ''] = readdirSync(folder);
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, file), 'utf8')).not.toContain(PASSWORD);
  });
});

describe('a restart', () => {
  it('keeps users, and tokens stay good', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'local-cloud-data-'));
    const keyIds: unknown[] = [];
    for (let run = 0; run < 2; run++) {
      const restarted = await startLocalCloud({ app: appOf(fill), dataDir: folder });
      const pool = new CognitoIdentityProviderClient(clientOptions(restarted));
      if (run === 0) {
        await pool.send(new AdminCreateUserCommand({ UserPoolId, Username: 'kept' }));
        const password = { UserPoolId, Username: 'kept', Password: PASSWORD, Permanent: true };
        await pool.send(new AdminSetUserPasswordCommand(password));
      }
      const { AuthenticationResult } = await signIn('kept', PASSWORD, { pool });
      keyIds.push(decodeProtectedHeader(AuthenticationResult?.IdToken ?? '').kid);
      await restarted.close();
    }
    expect(keyIds[1]).toBe(keyIds[0]);
    rmSync(folder, { recursive: true });
  });
});

describe('a user who has forgotten the password', () => {
  const email = 'fay@example.com';
  const ask = (Username: string, client = 'clientId') =>
    cognito.send(new ForgotPasswordCommand({ ClientId: cloud.outputs[client], Username }));
  const confirm = (Username: string, ConfirmationCode: string, Password = 'Another-password-1') =>
    cognito.send(
      new ConfirmForgotPasswordCommand({ ClientId: cloud.outputs['clientId'], Username, ConfirmationCode, Password }),
    );
  const code = () => /\d{6}/.exec(cloud.mails().at(-1)?.text ?? '')?.[0] ?? '';

  it('gets a code by mail, and chooses another password with it once', async () => {
    await userWithPassword('fay', { email, email_verified: 'true' });
    const { CodeDeliveryDetails } = await ask('fay');
    expect(CodeDeliveryDetails).toEqual({ AttributeName: 'email', DeliveryMedium: 'EMAIL', Destination: 'f***@e***' });
    expect(cloud.mails().at(-1)?.recipients).toEqual([email]);
    const sent = code();
    await expect(confirm('fay', 'wrong')).rejects.toMatchObject({ name: 'CodeMismatchException' });
    await expect(confirm('fay', sent, 'short')).rejects.toMatchObject({ name: 'InvalidPasswordException' });
    await confirm('fay', sent);
    expect((await signIn('fay', 'Another-password-1')).AuthenticationResult).toBeDefined();
    await expect(signIn('fay')).rejects.toMatchObject({ name: 'NotAuthorizedException' });
    await expect(confirm('fay', sent)).rejects.toMatchObject({ name: 'ExpiredCodeException' });
  });

  it('cannot use a code after an hour, nor after five wrong ones', async () => {
    await userWithPassword('flo', { email, email_verified: 'true' });
    await ask('flo');
    const late = code();
    advance(3_600_000);
    await expect(confirm('flo', late)).rejects.toMatchObject({ name: 'ExpiredCodeException' });
    await ask('flo');
    for (let wrong = 0; wrong < 5; wrong += 1)
      await expect(confirm('flo', 'wrong')).rejects.toMatchObject({ name: 'CodeMismatchException' });
    await expect(confirm('flo', code())).rejects.toMatchObject({ name: 'LimitExceededException' });
  });

  it('is not told apart from one that does not exist, where the client hides that', async () => {
    const before = cloud.mails().length;
    expect((await ask('nobody')).CodeDeliveryDetails).toMatchObject({ DeliveryMedium: 'EMAIL' });
    await expect(confirm('nobody', '123456')).rejects.toMatchObject({ name: 'CodeMismatchException' });
    await expect(ask('nobody', 'shortId')).rejects.toMatchObject({ name: 'UserNotFoundException' });
    await userWithPassword('mute');
    await expect(ask('mute')).rejects.toMatchObject({ name: 'InvalidParameterException' });
    expect(cloud.mails()).toHaveLength(before);
  });
});

describe('what is open to everybody', () => {
  const settings: PoolSettings = {
    id: 'us-east-1_abcdefghi',
    arn: 'arn:aws:cognito-idp:us-east-1:000000000000:userpool/us-east-1_abcdefghi',
    issuer: 'https://cognito-idp.us-east-1.amazonaws.com/us-east-1_abcdefghi',
    passwordPolicy: {
      minimumLength: 8,
      requireLowercase: false,
      requireUppercase: false,
      requireNumbers: false,
      requireSymbols: false,
    },
    temporaryPasswordDays: 7,
    customAttributes: [],
    sendCode: () => undefined,
    takesCodes: false,
  };
  const pool = new Pool(settings, null);
  const service = new CognitoService(() => new Date());
  service.add(pool);
  pool.clients.set('client', {
    id: 'client',
    flows: ['ALLOW_ADMIN_USER_PASSWORD_AUTH'],
    idTokenSeconds: 60,
    accessTokenSeconds: 60,
    refreshTokenSeconds: 60,
    hidesMissingUsers: false,
  });

  const request = (change: Partial<WatchedRequest>): WatchedRequest => ({
    method: 'POST',
    path: '/',
    query: new URLSearchParams(),
    headers: {},
    body: Buffer.alloc(0),
    principal: { kind: 'root', arn: 'arn:aws:iam::000000000000:root' },
    gone: new AbortController().signal,
    ...change,
  });
  async function call(action: string, input: object) {
    const headers = { 'x-amz-target': `AWSCognitoIdentityProviderService.${action}` };
    const asked = request({ headers, body: Buffer.from(JSON.stringify(input)) });
    const { status, body } = await service.handle(asked);
    return { status, body: JSON.parse(String(body)) as Record<string, unknown>, open: service.isPublic(asked) };
  }

  it('are the keys of a pool', async () => {
    const asked = request({ method: 'GET', path: `/${settings.id}/.well-known/jwks.json` });
    expect(service.isPublic(asked)).toBe(true);
    const { body } = await service.handle(asked);
    expect(JSON.parse(String(body))).toEqual({
      keys: [{ kty: 'RSA', alg: 'RS256', use: 'sig', kid: pool.keyId, n: expect.any(String), e: 'AQAB' }],
    });
  });

  it('excludes the actions of administrators, and a refusal names unsupported actions', async () => {
    const user = { UserPoolId: settings.id, Username: 'ann' };
    expect(await call('AdminCreateUser', user)).toMatchObject({ status: 200, open: false });
    const parameters = { AuthFlow: 'ADMIN_USER_PASSWORD_AUTH', AuthParameters: { USERNAME: 'bob', PASSWORD: 'p' } };
    const signingIn = { UserPoolId: settings.id, ClientId: 'client', ...parameters };
    expect(await call('AdminInitiateAuth', signingIn)).toMatchObject({
      open: false,
      body: { __type: 'UserNotFoundException' },
    });
    expect(await call('InitiateAuth', signingIn)).toMatchObject({
      open: true,
      status: 400,
      body: { message: 'The local cloud does not have InitiateAuth of Cognito.' },
    });
  });
});

describe('a pool of a template', () => {
  it.each([
    [
      'that signs in by mail address',
      (stack: Stack) => new UserPool(stack, 'P', { signInAliases: { email: true } }),
      'sign-in by name only',
    ],
    [
      'with a client that has a secret',
      (stack: Stack) => new UserPool(stack, 'P').addClient('C', { generateSecret: true }),
      'clients without a secret only',
    ],
  ])('%s fails the start', async (_what, fillWith, message) => {
    await expect(startLocalCloud({ app: appOf((stack) => void fillWith(stack)) })).rejects.toThrow(message);
  });
});
