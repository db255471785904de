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

/** The pool's errors when it cannot mail. Only names that exist meet them, so the caller must not. */
const UNDELIVERED = new Set(['CodeDeliveryFailureException', 'InvalidEmailRoleAccessPolicyException']);

/** True if the mails of the pool are used up for the day: no person gets a code any more. */
const isMailLimit = ({ name, message }: Error): boolean =>
  name === 'LimitExceededException' && /daily email limit/i.test(message);

const REFUSALS = new Set([
  ...SILENT,
  'CodeMismatchException',
  'ExpiredCodeException',
  // The rule was checked before. Only for names that exist does the pool say so.
  'InvalidPasswordException',
  'TooManyFailedAttemptsException',
]);

/** Resets of the pool, which mails the codes and counts wrong ones too. Both calls need no credentials. */
export const forgottenPasswords = ({ poolId, clientId }: ManagersPool): ForgottenPasswords => ({
  async sendCode(name) {
    const { sdk, client } = await cognito();
    try {
      await client.send(new sdk.ForgotPasswordCommand({ ClientId: clientId, Username: name }));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (UNDELIVERED.has(error.name) || isMailLimit(error)) {
        log.error('no code could be mailed', { error });
        countFault();
      } else if (SILENT.has(error.name)) log.info('no code for a forgotten password', { reason: error.name });
      else throw error;
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
      if (!(error instanceof Error) || !REFUSALS.has(error.name)) throw error;
      return { kind: 'refused' };
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
