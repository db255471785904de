import { PASSWORD_PATH } from './own-password.ts';
import { SECOND_FACTOR_PATH } from './second-factor.ts';

/** Returns whether a path is a screen of the person's own password or authenticator app. */
export const isOwnCredentialPath = (path: string): boolean =>
  [PASSWORD_PATH, SECOND_FACTOR_PATH].some((own) => path === own || path.startsWith(`${own}/`));
