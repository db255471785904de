import { countFault } from '#shared/telemetry/faults';
import { log } from '#shared/telemetry/log';
import type { ForgottenPasswords } from './forgotten-passwords.ts';
import { cognito, type ManagersPool } from './user-pool.cognito.ts';

/** The pool's errors for people whose password cannot be reset: unknown, disabled, invited, or without an address. */
const SILENT = new Set([
  'InvalidParameterException',
  'LimitExceededException',
  'NotAuthorizedException',
  'TooManyRequestsException',
  'UserNotFoundException',
]);

const REFUSALS = new Set([
  ...SILENT,
  'CodeMismatchException',
  'ExpiredCodeException',
  'TooManyFailedAttemptsException',
]);

/** Resets of the pool, which mails the codes and counts wrong ones too. Both calls need no credentials. */
export const forgottenPasswords = ({ poolId, clientId }: ManagersPool): ForgottenPasswords => ({
  async sendCode(name) {
    const { sdk, client } = await cognito();
    try {
      await client.send(new sdk.ForgotPasswordCommand({ ClientId: clientId, Username: name }));
    } catch (error) {
      if (!(error instanceof Error) || !SILENT.has(error.name)) throw error;
      log.info('no code for a forgotten password', { reason: error.name });
    }
  },

  async reset({ name, code, next }) {
    const { sdk, client } = await cognito();
    try {
      await client.send(
        new sdk.ConfirmForgotPasswordCommand({
          ClientId: clientId,
          Username: name,
          ConfirmationCode: code,
          Password: next,
        }),
      );
    } catch (error) {
      const { name: kind, message } = error instanceof Error ? error : new Error(String(error));
      if (kind === 'InvalidPasswordException') return { kind: 'weak', reason: message };
      if (REFUSALS.has(kind)) return { kind: 'refused' };
      throw error;
    }
    // The password is changed already: the person must not be told otherwise.
    await client
      .send(new sdk.AdminUserGlobalSignOutCommand({ UserPoolId: poolId, Username: name }))
      .catch((error: unknown) => {
        log.error('sessions not ended after a password was reset', { error });
        countFault();
      });
    return { kind: 'changed' };
  },
});
