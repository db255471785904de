export const PASSWORD_RULE = 'At least 16 characters, with uppercase and lowercase letters, digits and symbols.';

const LENGTH_MIN = 16;
const LENGTH_MAX = 256;
/** A password needs a character of each kind. The symbols are those of Cognito, which counts a space inside as one. */
const KINDS = [/[a-z]/, /[A-Z]/, /\d/, /[\^$*.[\]{}()?"!@#%&/\\,><':;|_~`=+\- ]/];

/**
 * Returns whether the user pool accepts a password: the same rule as `passwordPolicy` in `accounts-data.ts` of the CDK. It
 * is checked before the pool is called where the pool's error would reveal that a name exists.
 */
export const meetsPasswordRule = (password: string): boolean =>
  password.length >= LENGTH_MIN &&
  password.length <= LENGTH_MAX &&
  password === password.trim() &&
  KINDS.every((kind) => kind.test(password));
