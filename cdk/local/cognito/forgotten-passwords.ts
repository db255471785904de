/** Users who have forgotten their passwords, and prove their mail address instead. */
import { z } from 'zod';
import { CognitoError } from './cognito-error.ts';
import { checkPassword, type UserAction } from './user-actions.ts';
import type { User, UserPool } from './user-pool.ts';

const Named = z.object({ ClientId: z.string(), Username: z.string().min(1) });

export function forgotPassword({ pool, input, now }: UserAction) {
  const { ClientId, Username } = Named.parse(input);
  const user = pool.user(Username);
  // AWS pretends that there is such a user, with an address.
  if (!user?.enabled && hidesMissing(pool, ClientId)) return deliveryTo(Username);
  if (!user) throw new CognitoError('UserNotFoundException', 'User does not exist.');
  if (!user.enabled) throw new CognitoError('NotAuthorizedException', 'User is disabled.');
  if (user.status !== 'CONFIRMED') {
    throw new CognitoError('NotAuthorizedException', 'User password cannot be reset in the current state.');
  }
  const to = verifiedEmail(user);
  pool.settings.sendCode({ to, code: pool.resetCodes.open(Username, now), now });
  return deliveryTo(to);
}

export function confirmForgotPassword({ pool, input, now }: UserAction) {
  const { ClientId, Username, ConfirmationCode, Password } = Named.extend({
    ConfirmationCode: z.string(),
    Password: z.string(),
  }).parse(input);
  checkPassword(pool, Password);
  const user = pool.user(Username);
  if (!user?.enabled) {
    if (hidesMissing(pool, ClientId)) throw FAULTS.mismatch();
    throw new CognitoError('UserNotFoundException', 'User does not exist.');
  }
  const fault = pool.resetCodes.fault(Username, ConfirmationCode, now);
  if (fault) throw FAULTS[fault]();
  pool.resetCodes.close(Username);
  const modifiedAt = Math.floor(now.getTime() / 1000);
  pool.put({ ...user, password: pool.hashPassword(Password), status: 'CONFIRMED', modifiedAt });
  return {};
}

const FAULTS = {
  expired: () => new CognitoError('ExpiredCodeException', 'Invalid code provided, please request a code again.'),
  mismatch: () => new CognitoError('CodeMismatchException', 'Invalid verification code provided, please try again.'),
  limit: () => new CognitoError('LimitExceededException', 'Attempt limit exceeded, please try after some time.'),
} as const;

const hidesMissing = (pool: UserPool, clientId: string) => pool.clients.get(clientId)?.hidesMissingUsers ?? false;

function verifiedEmail({ attributes }: User): string {
  const { email, email_verified: isVerified } = attributes;
  if (email !== undefined && isVerified === 'true') return email;
  throw new CognitoError(
    'InvalidParameterException',
    'Cannot reset password for the user as there is no registered/verified email or phone_number',
  );
}

const deliveryTo = (address: string) => ({
  CodeDeliveryDetails: {
    AttributeName: 'email',
    DeliveryMedium: 'EMAIL',
    Destination: address.replace(/^(.)[^@]*@(.).*$/, '$1***@$2***'),
  },
});
