/** The second factor of a user: codes that an authenticator app counts by the time (TOTP, RFC 6238). */
import { jwtVerify } from 'jose';
import { Secret, TOTP } from 'otpauth';
import { z } from 'zod';
import { CognitoError } from './cognito-error.ts';
import { attributesOf, type UserAction, userOf } from './user-actions.ts';
import type { User, UserPool } from './user-pool.ts';

const SECRET_BYTES = 32;
const STEP_SECONDS = 30;

const ByToken = z.object({ AccessToken: z.string() });
const Preference = z.object({ SoftwareTokenMfaSettings: z.object({ Enabled: z.boolean().default(false) }).optional() });

/** Gives the user a new secret. It takes effect once the user has entered a code from it. */
export async function associateSoftwareToken({ pool, input, now }: UserAction) {
  const user = await userOfToken(pool, input, now);
  const secret = new Secret({ size: SECRET_BYTES }).base32;
  pool.offeredSecrets.set(user.username, secret);
  return { SecretCode: secret };
}

export async function verifySoftwareToken({ pool, input, now }: UserAction) {
  const { UserCode } = z.object({ UserCode: z.string().regex(/^\d{6}$/) }).parse(input);
  const user = await userOfToken(pool, input, now);
  const secret = pool.offeredSecrets.get(user.username);
  const step = secret === undefined ? undefined : stepOf(secret, UserCode, now);
  if (secret === undefined || step === undefined) {
    throw new CognitoError('EnableSoftwareTokenMFAException', 'Code mismatch and fail enable Software Token MFA');
  }
  pool.offeredSecrets.delete(user.username);
  const isAskedFor = user.softwareToken?.isAskedFor ?? false;
  pool.put({ ...user, softwareToken: { secret, usedStep: step, isAskedFor } });
  return { Status: 'SUCCESS' };
}

export async function setUserMfaPreference({ pool, input, now }: UserAction) {
  return prefer(pool, await userOfToken(pool, input, now), input);
}

export function adminSetUserMfaPreference({ pool, input }: UserAction) {
  return prefer(pool, userOf(pool, input), input);
}

export async function getUser({ pool, input, now }: UserAction) {
  const user = await userOfToken(pool, input, now);
  const factors = user.softwareToken?.isAskedFor
    ? { UserMFASettingList: ['SOFTWARE_TOKEN_MFA'], PreferredMfaSetting: 'SOFTWARE_TOKEN_MFA' }
    : {};
  return { Username: user.username, UserAttributes: attributesOf(user), ...factors };
}

/** Verifies the code of a sign-in. Each code can be used once. */
export function proveCode(pool: UserPool, user: User, code: string, now: Date): void {
  const token = user.softwareToken;
  const step = token && stepOf(token.secret, code, now);
  if (!token || step === undefined) {
    throw new CognitoError('CodeMismatchException', 'Invalid code received for user');
  }
  if (step <= token.usedStep) {
    throw new CognitoError('ExpiredCodeException', 'Your software token has already been used once.');
  }
  pool.put({ ...user, softwareToken: { ...token, usedStep: step } });
}

/** Returns the time step of a code; undefined if the code belongs to no step near now. */
function stepOf(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime();
  const delta = new TOTP({ secret, period: STEP_SECONDS }).validate({ token: code, timestamp, window: 1 });
  return delta === null ? undefined : Math.floor(timestamp / 1000 / STEP_SECONDS) + delta;
}

function prefer(pool: UserPool, user: User, input: unknown) {
  const { SoftwareTokenMfaSettings: settings } = Preference.parse(input);
  if (!settings) return {};
  if (!user.softwareToken) {
    if (!settings.Enabled) return {};
    throw new CognitoError('InvalidParameterException', 'User has not verified software token mfa');
  }
  if (settings.Enabled && !pool.settings.takesCodes) {
    throw new CognitoError('InvalidParameterException', 'SoftwareTokenMFA is not enabled for the userPool.');
  }
  pool.put({ ...user, softwareToken: { ...user.softwareToken, isAskedFor: settings.Enabled } });
  return {};
}

/** The user of an access token. */
export async function userOfToken(pool: UserPool, input: unknown, now: Date): Promise<User> {
  const { AccessToken } = ByToken.parse(input);
  const claims = await claimsOf(pool, AccessToken, now);
  const user = claims['token_use'] === 'access' ? pool.user(String(claims['username'])) : undefined;
  if (!user?.enabled) throw new CognitoError('NotAuthorizedException', 'Invalid Access Token');
  return user;
}

async function claimsOf({ publicKey, settings }: UserPool, token: string, now: Date) {
  try {
    const rules = { issuer: settings.issuer, algorithms: ['RS256'], currentDate: now };
    return (await jwtVerify(token, publicKey, rules)).payload;
  } catch {
    throw new CognitoError('NotAuthorizedException', 'Invalid Access Token');
  }
}
