export const PASSWORD_RULE = 'At least 16 characters, with uppercase and lowercase letters, digits and symbols.';

const LENGTH_MIN = 16;
const LENGTH_MAX = 256;
/** A password needs one of each kind: lower case, upper case, a digit, and a symbol of Cognito, which an inner space is too. */
const KINDS = [/[a-z]/, /[A-Z]/, /\d/, /[\^$*.[\]{}()?"!@#%&/\\,><':;|_~`=+\- ]/];

/** Returns whether the user pool accepts a password. It is asked where the pool's answer would tell that a name exists. */
export const meetsPasswordRule = (password: string): boolean =>
  password.length >= LENGTH_MIN &&
  password.length <= LENGTH_MAX &&
  password === password.trim() &&
  KINDS.every((kind) => kind.test(password));
