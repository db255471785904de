/** The second factor of a user of a local pool. */
import {
  AdminCreateUserCommand,
  AdminInitiateAuthCommand,
  AdminRespondToAuthChallengeCommand,
  AdminSetUserMFAPreferenceCommand,
  AdminSetUserPasswordCommand,
  AdminUserGlobalSignOutCommand,
  AssociateSoftwareTokenCommand,
  CognitoIdentityProviderClient,
  GetUserCommand,
  SetUserMFAPreferenceCommand,
  VerifySoftwareTokenCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { Mfa, UserPool } from 'aws-cdk-lib/aws-cognito';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cloud } from '../../../../cdk/local/cloud.ts';
import { appOf, clientOptions, startLocalCloud } from '../../../support/cloud/local-cloud.ts';

const PASSWORD = 'Good-Passw0rd';
let cloud: Cloud;
let cognito: CognitoIdentityProviderClient;
let UserPoolId = '';
let ClientId = '';

function fill(stack: Stack) {
  const pool = new UserPool(stack, 'Pool', { mfa: Mfa.OPTIONAL, mfaSecondFactor: { sms: false, otp: true } });
  const client = pool.addClient('Client', { authFlows: { adminUserPassword: true } });
  new CfnOutput(stack, 'PoolId', { value: pool.userPoolId });
  new CfnOutput(stack, 'ClientId', { value: client.userPoolClientId });
}

beforeAll(async () => {
  cloud = await startLocalCloud({ app: appOf(fill) });
  // The endpoint's clock is moved: a signature that it finds too old is made once more.
  cognito = new CognitoIdentityProviderClient({ ...clientOptions(cloud), maxAttempts: 2 });
  UserPoolId = cloud.outputs['PoolId'] ?? '';
  ClientId = cloud.outputs['ClientId'] ?? '';
});
afterAll(() => cloud.close());

const codeOf = (secret: string, seconds = 0) =>
  new TOTP({ secret }).generate({ timestamp: cloud.clock.millis() + seconds * 1000 });
const wrongFor = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
/** So that a code of its own belongs to this moment. */
const later = () => cloud.clock.advance(60_000);

async function user(): Promise<string> {
  const Username = crypto.randomUUID();
  await cognito.send(new AdminCreateUserCommand({ UserPoolId, Username, MessageAction: 'SUPPRESS' }));
  await setPassword(Username, true);
  return Username;
}

const setPassword = (Username: string, Permanent: boolean) =>
  cognito.send(new AdminSetUserPasswordCommand({ UserPoolId, Username, Password: PASSWORD, Permanent }));

const signIn = (Username: string) =>
  cognito.send(
    new AdminInitiateAuthCommand({
      UserPoolId,
      ClientId,
      AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: Username, PASSWORD },
    }),
  );

const state = (USERNAME: string, Session: string | undefined, code: string) =>
  cognito.send(
    new AdminRespondToAuthChallengeCommand({
      UserPoolId,
      ClientId,
      ChallengeName: 'SOFTWARE_TOKEN_MFA',
      Session,
      ChallengeResponses: { USERNAME, SOFTWARE_TOKEN_MFA_CODE: code },
    }),
  );

const accessTokenOf = async (name: string) => (await signIn(name)).AuthenticationResult?.AccessToken ?? '';
const preferring = (AccessToken: string, Enabled: boolean) =>
  cognito.send(new SetUserMFAPreferenceCommand({ AccessToken, SoftwareTokenMfaSettings: { Enabled } }));

async function enrolled() {
  const name = await user();
  const AccessToken = await accessTokenOf(name);
  const { SecretCode: secret = '' } = await cognito.send(new AssociateSoftwareTokenCommand({ AccessToken }));
  await cognito.send(new VerifySoftwareTokenCommand({ AccessToken, UserCode: codeOf(secret) }));
  await preferring(AccessToken, true);
  later();
  return { name, secret, AccessToken };
}

describe('an authenticator app', () => {
  it('is required at every sign-in once it was verified and enabled', async () => {
    const name = await user();
    const AccessToken = await accessTokenOf(name);
    await expect(preferring(AccessToken, true)).rejects.toMatchObject({ name: 'InvalidParameterException' });
    const { SecretCode: secret = '' } = await cognito.send(new AssociateSoftwareTokenCommand({ AccessToken }));
    expect(secret).toMatch(/^[A-Z2-7]{52}$/);
    await expect(
      cognito.send(new VerifySoftwareTokenCommand({ AccessToken, UserCode: wrongFor(codeOf(secret)) })),
    ).rejects.toMatchObject({ name: 'EnableSoftwareTokenMFAException' });
    const verified = await cognito.send(new VerifySoftwareTokenCommand({ AccessToken, UserCode: codeOf(secret) }));
    expect(verified.Status).toBe('SUCCESS');
    expect((await signIn(name)).ChallengeName).toBeUndefined();
    await preferring(AccessToken, true);
    expect(await cognito.send(new GetUserCommand({ AccessToken }))).toMatchObject({
      Username: name,
      UserMFASettingList: ['SOFTWARE_TOKEN_MFA'],
    });
    later();
    const { ChallengeName, Session, AuthenticationResult } = await signIn(name);
    expect([ChallengeName, AuthenticationResult]).toEqual(['SOFTWARE_TOKEN_MFA', undefined]);
    expect((await state(name, Session, codeOf(secret))).AuthenticationResult?.IdToken).toBeDefined();
  });

  it('takes each code once, a step early or late', async () => {
    const { name, secret } = await enrolled();
    const first = await signIn(name);
    await expect(state(name, first.Session, wrongFor(codeOf(secret)))).rejects.toMatchObject({
      name: 'CodeMismatchException',
    });
    await expect(state(name, first.Session, codeOf(secret, -90))).rejects.toMatchObject({
      name: 'CodeMismatchException',
    });
    const code = codeOf(secret, -30);
    expect((await state(name, first.Session, code)).AuthenticationResult).toBeDefined();
    const second = await signIn(name);
    await expect(state(name, second.Session, code)).rejects.toMatchObject({ name: 'ExpiredCodeException' });
    expect((await state(name, second.Session, codeOf(secret, 30))).AuthenticationResult).toBeDefined();
  });

  it('is asked for after a new password, too', async () => {
    const { name, secret } = await enrolled();
    await setPassword(name, false);
    const { ChallengeName, Session } = await signIn(name);
    expect(ChallengeName).toBe('NEW_PASSWORD_REQUIRED');
    await expect(state(name, Session, codeOf(secret))).rejects.toMatchObject({ name: 'NotAuthorizedException' });
    const chosen = await cognito.send(
      new AdminRespondToAuthChallengeCommand({
        UserPoolId,
        ClientId,
        ChallengeName: 'NEW_PASSWORD_REQUIRED',
        Session,
        ChallengeResponses: { USERNAME: name, NEW_PASSWORD: `${PASSWORD}-2` },
      }),
    );
    expect(chosen.ChallengeName).toBe('SOFTWARE_TOKEN_MFA');
    expect((await state(name, chosen.Session, codeOf(secret))).AuthenticationResult).toBeDefined();
  });

  it('is replaced only when a code of the new one has been entered', async () => {
    const { name, secret, AccessToken } = await enrolled();
    const { SecretCode: next = '' } = await cognito.send(new AssociateSoftwareTokenCommand({ AccessToken }));
    const { Session } = await signIn(name);
    expect((await state(name, Session, codeOf(secret))).AuthenticationResult).toBeDefined();
    await cognito.send(new VerifySoftwareTokenCommand({ AccessToken, UserCode: codeOf(next) }));
    later();
    const again = await signIn(name);
    await expect(state(name, again.Session, codeOf(secret))).rejects.toMatchObject({ name: 'CodeMismatchException' });
    expect((await state(name, again.Session, codeOf(next))).AuthenticationResult).toBeDefined();
  });

  it('is taken away by an administrator', async () => {
    const { name } = await enrolled();
    const SoftwareTokenMfaSettings = { Enabled: false };
    await cognito.send(new AdminSetUserMFAPreferenceCommand({ UserPoolId, Username: name, SoftwareTokenMfaSettings }));
    expect((await signIn(name)).ChallengeName).toBeUndefined();
  });

  it('is refused for an invalid access token', async () => {
    const { AuthenticationResult: result } = await signIn(await user());
    const wrong = [result?.IdToken, `${result?.AccessToken?.slice(0, -4)}AAAA`, 'x'];
    for (const AccessToken of wrong) {
      await expect(cognito.send(new AssociateSoftwareTokenCommand({ AccessToken }))).rejects.toMatchObject({
        name: 'NotAuthorizedException',
      });
    }
  });
});

it('a user who is signed out everywhere gets no new tokens', async () => {
  const name = await user();
  const { AuthenticationResult: result } = await signIn(name);
  await cognito.send(new AdminUserGlobalSignOutCommand({ UserPoolId, Username: name }));
  const refresh = new AdminInitiateAuthCommand({
    UserPoolId,
    ClientId,
    AuthFlow: 'REFRESH_TOKEN_AUTH',
    AuthParameters: { REFRESH_TOKEN: result?.RefreshToken ?? '' },
  });
  await expect(cognito.send(refresh)).rejects.toMatchObject({ name: 'NotAuthorizedException' });
  expect((await signIn(name)).AuthenticationResult).toBeDefined();
});
