/** Signing in to a user pool, with a password and a code, or with a refresh token. */
import { z } from 'zod';
import { CHALLENGE_NAMES, type Challenge } from './challenges.ts';
import { CognitoError } from './cognito-error.ts';
import { proveCode } from './software-tokens.ts';
import { refreshTokenFor, type SignIn, tokensFor } from './tokens.ts';
import { checkPassword, type UserAction } from './user-actions.ts';
import type { PoolClient, User, UserPool } from './user-pool.ts';

const Input = z.object({
  AuthFlow: z.string(),
  ClientId: z.string(),
  AuthParameters: z.record(z.string(), z.string()).default({}),
});

const NOT_AUTHORIZED = 'Incorrect username or password.';

export async function initiateAuth(action: UserAction): Promise<object> {
  const { pool, now } = action;
  const { AuthFlow, ClientId, AuthParameters } = Input.parse(action.input);
  const client = clientOf(pool, ClientId);
  const refreshes = AuthFlow === 'REFRESH_TOKEN_AUTH' || AuthFlow === 'REFRESH_TOKEN';
  requireFlow(client, refreshes ? 'REFRESH_TOKEN_AUTH' : AuthFlow);
  if (refreshes)
    return { AuthenticationResult: await refreshed(action, client, AuthParameters['REFRESH_TOKEN'] ?? '') };

  const name = AuthParameters['USERNAME'] ?? '';
  const user = proven(pool, client, { name, password: AuthParameters['PASSWORD'] ?? '' });
  return nextStep({ pool, client, user, now });
}

const Answer = z.object({
  ChallengeName: z.enum(CHALLENGE_NAMES, { error: 'the local cloud asks for new passwords and codes only' }),
  ClientId: z.string(),
  Session: z.string(),
  ChallengeResponses: z.record(z.string(), z.string()).default({}),
});

/** A user chooses a password or states a code, and is signed in or asked for more. */
export async function respondToChallenge({ pool, input, now }: UserAction): Promise<object> {
  const { ChallengeName, ClientId, Session, ChallengeResponses: answers } = Answer.parse(input);
  const client = clientOf(pool, ClientId);
  const name = answers['USERNAME'] ?? '';
  const user = pool.user(name);
  const challenge = { name: ChallengeName, username: user?.username ?? '', clientId: client.id };
  if (!user || !pool.challenges.isWaiting(Session, challenge, now)) {
    throw new CognitoError('NotAuthorizedException', 'Invalid session for the user, session is expired.');
  }
  if (ChallengeName === 'SOFTWARE_TOKEN_MFA') {
    proveCode(pool, user, answers['SOFTWARE_TOKEN_MFA_CODE'] ?? '', now);
    pool.challenges.close(Session);
    return signedIn({ pool, client, user, now });
  }
  const password = answers['NEW_PASSWORD'] ?? '';
  checkPassword(pool, password);
  pool.challenges.close(Session);
  const modifiedAt = Math.floor(now.getTime() / 1000);
  const confirmed: User = { ...user, password: pool.hashPassword(password), status: 'CONFIRMED', modifiedAt };
  pool.put(confirmed);
  return nextStep({ pool, client, user: confirmed, now });
}

/** Answers a correct password: with the next challenge, or with the tokens. */
async function nextStep(signIn: SignIn): Promise<object> {
  const { user, now } = signIn;
  if (user.status === 'FORCE_CHANGE_PASSWORD' && now.getTime() > (user.temporaryUntil ?? Infinity) * 1000) {
    const message = 'Temporary password has expired and must be reset by an administrator.';
    throw new CognitoError('NotAuthorizedException', message);
  }
  if (user.status === 'FORCE_CHANGE_PASSWORD')
    return challengeFor(signIn, 'NEW_PASSWORD_REQUIRED', { requiredAttributes: '[]' });
  return user.softwareToken?.isAskedFor ? challengeFor(signIn, 'SOFTWARE_TOKEN_MFA', {}) : signedIn(signIn);
}

const challengeFor = ({ pool, client, user, now }: SignIn, name: Challenge['name'], more: Record<string, string>) => ({
  ChallengeName: name,
  Session: pool.challenges.open({ name, username: user.username, clientId: client.id }, now),
  ChallengeParameters: { USER_ID_FOR_SRP: user.username, ...more },
});

async function signedIn(signIn: SignIn): Promise<object> {
  return { AuthenticationResult: { ...(await tokensFor(signIn)), RefreshToken: refreshTokenFor(signIn) } };
}

function clientOf(pool: UserPool, id: string): PoolClient {
  const client = pool.clients.get(id);
  if (!client) throw new CognitoError('ResourceNotFoundException', `User pool client ${id} does not exist.`);
  return client;
}

const FLOWS = ['ADMIN_USER_PASSWORD_AUTH', 'REFRESH_TOKEN_AUTH'];

function requireFlow({ flows }: PoolClient, flow: string) {
  if (!FLOWS.includes(flow)) {
    throw new CognitoError('InvalidParameterException', `The local cloud does not have the flow ${flow}.`);
  }
  if (!flows.includes(`ALLOW_${flow}`)) {
    throw new CognitoError('InvalidParameterException', 'Auth flow not enabled for this client');
  }
}

function proven(pool: UserPool, client: PoolClient, { name, password }: { name: string; password: string }): User {
  const user = pool.user(name);
  if (!user && !client.hidesMissingUsers) throw new CognitoError('UserNotFoundException', 'User does not exist.');
  if (!user || !pool.hasPassword(user, password)) {
    throw new CognitoError('NotAuthorizedException', NOT_AUTHORIZED);
  }
  if (!user.enabled) throw new CognitoError('NotAuthorizedException', 'User is disabled.');
  return user;
}

async function refreshed({ pool, now }: UserAction, client: PoolClient, token: string) {
  const refresh = pool.refreshOf(token);
  if (!refresh || refresh.clientId !== client.id) {
    throw new CognitoError('NotAuthorizedException', 'Invalid Refresh Token');
  }
  if (refresh.expiresAt * 1000 <= now.getTime()) {
    throw new CognitoError('NotAuthorizedException', 'Refresh Token has expired');
  }
  const user = pool.user(refresh.username);
  if (!user?.enabled) throw new CognitoError('NotAuthorizedException', 'Invalid Refresh Token');
  return tokensFor({ pool, client, user, now, authTime: refresh.authTime });
}
