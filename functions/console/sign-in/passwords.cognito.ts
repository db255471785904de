import { countFault } from '#shared/telemetry/faults';
import { log } from '#shared/telemetry/log';
import type { Passwords, PoolChange } from '../sessions/own-password.ts';
import { cognito, type ManagersPool, ownAccessToken } from './user-pool.cognito.ts';

/** Changes passwords with the person's own access token, so that nobody can change that of another person. */
export const passwords = (pool: ManagersPool): Passwords => ({
  async change({ refreshToken }, { current, next }): Promise<PoolChange> {
    const { sdk, client } = await cognito();
    const AccessToken = await ownAccessToken(pool, refreshToken);
    try {
      await client.send(
        new sdk.ChangePasswordCommand({ AccessToken, PreviousPassword: current, ProposedPassword: next }),
      );
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error));
      if (name === 'InvalidPasswordException' || name === 'InvalidParameterException') {
        return { kind: 'weak', reason: message };
      }
      if (name === 'NotAuthorizedException') return { kind: 'wrong' };
      if (name === 'LimitExceededException') return { kind: 'locked' };
      throw error;
    }
    // The password is changed already: the person must not be told otherwise.
    await client.send(new sdk.GlobalSignOutCommand({ AccessToken })).catch((error: unknown) => {
      log.error('sessions not ended after a change of password', { error });
      countFault();
    });
    return { kind: 'changed' };
  },
});
