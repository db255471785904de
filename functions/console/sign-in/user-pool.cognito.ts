import type { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { callLimits } from '#shared/quotas/call-limits';
import { SessionEnded } from '../sessions/session.ts';

export interface ManagersPool {
  readonly poolId: string;
  readonly clientId: string;
}

let client: CognitoIdentityProviderClient | undefined;

/** Loads the client of the user pool on demand, because most pages do not need it. */
export async function cognito() {
  const sdk = await import('@aws-sdk/client-cognito-identity-provider');
  client ??= new sdk.CognitoIdentityProviderClient({ maxAttempts: 3, requestHandler: callLimits(4_000) });
  return { sdk, client };
}

/** Returns new tokens for a refresh token. */
export async function refreshed({ poolId, clientId }: ManagersPool, refreshToken: string) {
  const { sdk, client } = await cognito();
  const { AuthenticationResult: result } = await client.send(
    new sdk.AdminInitiateAuthCommand({
      UserPoolId: poolId,
      ClientId: clientId,
      AuthFlow: 'REFRESH_TOKEN_AUTH',
      AuthParameters: { REFRESH_TOKEN: refreshToken },
    }),
  );
  return result;
}

/** Returns the access token of a session's person, for calls of the pool that are made as this person. */
export async function ownAccessToken(pool: ManagersPool, refreshToken: string): Promise<string | undefined> {
  try {
    return (await refreshed(pool, refreshToken))?.AccessToken;
  } catch (error) {
    const isEnded = error instanceof Error && ENDED.has(error.name);
    throw isEnded ? new SessionEnded('The user pool refuses the refresh token.', { cause: error }) : error;
  }
}

const ENDED = new Set(['NotAuthorizedException', 'UserNotFoundException']);
