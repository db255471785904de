import type { AuthenticationResultType, ChallengeNameType } from '@aws-sdk/client-cognito-identity-provider';
import { decodeJwt } from 'jose';
import * as z from 'zod/mini';
import type { Person, Tokens } from '../sessions/session.ts';
import type { People, SignInStep } from './people.ts';
import { cognito, type ManagersPool, refreshed } from './user-pool.cognito.ts';

const Claims = z.object({
  sub: z.string(),
  'cognito:username': z.string(),
  'custom:tenant': z.optional(z.string()),
  'cognito:groups': z.optional(z.array(z.string())),
});

const CHALLENGES = {
  NEW_PASSWORD_REQUIRED: { kind: 'new-password', answer: 'NEW_PASSWORD' },
  SOFTWARE_TOKEN_MFA: { kind: 'code', answer: 'SOFTWARE_TOKEN_MFA_CODE' },
} as const satisfies Partial<Record<ChallengeNameType, { kind: 'new-password' | 'code'; answer: string }>>;

/** The errors of the pool for a person who cannot be signed in. */
const REFUSALS = new Set([
  'NotAuthorizedException',
  'UserNotFoundException',
  'UserNotConfirmedException',
  'PasswordResetRequiredException',
  'CodeMismatchException',
  'ExpiredCodeException',
  // The error for an invalid name.
  'InvalidParameterException',
]);

/** The message of the pool after too many wrong passwords. The error has the same name as that for a wrong password. */
const LOCKED = 'Password attempts exceeded';
/** Its message for a temporary password that is too old, by the same name. */
const ENDED = 'Temporary password has expired';

/** The people in the user pool. The calls need AWS credentials, so that nobody can bypass the limiter. */
export const people = ({ poolId, clientId }: ManagersPool): People => ({
  signIn: (name, password, now) =>
    refusing(async () => {
      const { sdk, client } = await cognito();
      const answer = await client.send(
        new sdk.AdminInitiateAuthCommand({
          UserPoolId: poolId,
          ClientId: clientId,
          AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
          AuthParameters: { USERNAME: name, PASSWORD: password },
        }),
      );
      return stepOf(answer, now);
    }),

  answer: ({ kind, name, session, value }, now) =>
    refusing(async () => {
      const [challenge, { answer: member }] =
        kind === 'code' ? entryOf('SOFTWARE_TOKEN_MFA') : entryOf('NEW_PASSWORD_REQUIRED');
      const { sdk, client } = await cognito();
      const answer = await client.send(
        new sdk.AdminRespondToAuthChallengeCommand({
          UserPoolId: poolId,
          ClientId: clientId,
          ChallengeName: challenge,
          Session: session,
          ChallengeResponses: { USERNAME: name, [member]: value },
        }),
      );
      return stepOf(answer, now);
    }),

  async refresh({ refreshToken }, now) {
    const step = await refusing(async () => {
      const result = await refreshed({ poolId, clientId }, refreshToken);
      // The response has no refresh token: the first one stays valid.
      return signedIn({ RefreshToken: refreshToken, ...result }, now);
    });
    return step.kind === 'signed-in' ? { person: step.person, tokens: step.tokens } : undefined;
  },
});

const entryOf = <Name extends keyof typeof CHALLENGES>(name: Name) => [name, CHALLENGES[name]] as const;

interface PoolAnswer {
  readonly AuthenticationResult?: AuthenticationResultType | undefined;
  readonly ChallengeName?: ChallengeNameType | undefined;
  readonly Session?: string | undefined;
}

function stepOf({ AuthenticationResult: result, ChallengeName: name, Session: session }: PoolAnswer, now: number) {
  if (result) return signedIn(result, now);
  const challenge = Object.entries(CHALLENGES).find(([type]) => type === name)?.[1];
  if (!challenge || session === undefined) throw new Error(`The user pool asks for ${String(name)}.`);
  return { kind: challenge.kind, session } as const;
}

function signedIn(result: AuthenticationResultType, now: number): SignInStep {
  const { IdToken: idToken, RefreshToken: refreshToken, ExpiresIn: seconds = 0 } = result;
  if (idToken === undefined || refreshToken === undefined) throw new Error('The user pool returned no token.');
  const tokens: Tokens = { idToken, refreshToken, idTokenUntil: now + seconds * 1_000 };
  return { kind: 'signed-in', person: personOf(idToken), tokens };
}

/**
 * Reads the person from an ID token. It comes directly from the pool, and the authoriser of the management API verifies
 * it at every call.
 */
function personOf(idToken: string): Person {
  const claims = Claims.parse(decodeJwt(idToken));
  return {
    name: claims['cognito:username'],
    subject: claims.sub,
    tenant: claims['custom:tenant'] ?? '',
    isOperator: claims['cognito:groups']?.includes('operator') ?? false,
  };
}

async function refusing(ask: () => Promise<SignInStep>): Promise<SignInStep> {
  try {
    return await ask();
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    if (name === 'InvalidPasswordException') return { kind: 'weak-password' };
    if (name === 'NotAuthorizedException' && message.includes(LOCKED)) return { kind: 'locked' };
    if (name === 'NotAuthorizedException' && message.includes(ENDED)) return { kind: 'invitation-ended' };
    if (REFUSALS.has(name)) return { kind: 'refused' };
    throw error;
  }
}
