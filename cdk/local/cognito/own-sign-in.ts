/** The actions of a signed-in user on their own password and sessions. */
import { z } from 'zod';
import { CognitoError } from './cognito-error.ts';
import { userOfToken } from './software-tokens.ts';
import { checkPassword, type UserAction } from './user-actions.ts';

const Passwords = z.object({ PreviousPassword: z.string(), ProposedPassword: z.string() });

export async function changePassword({ pool, input, now }: UserAction) {
  const { PreviousPassword, ProposedPassword } = Passwords.parse(input);
  const user = await userOfToken(pool, input, now);
  if (!pool.hasPassword(user, PreviousPassword)) {
    throw new CognitoError('NotAuthorizedException', 'Incorrect username or password.');
  }
  checkPassword(pool, ProposedPassword);
  pool.put({ ...user, password: pool.hashPassword(ProposedPassword), status: 'CONFIRMED' });
  return {};
}

export async function globalSignOut({ pool, input, now }: UserAction) {
  pool.forgetRefreshes((await userOfToken(pool, input, now)).username);
  return {};
}
