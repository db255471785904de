import type { Tokens } from './session.ts';

export const PASSWORD_PATH = '/console/password';

/** The answer of the user pool to a change of password; `locked` after too many tries, whatever the passwords. */
export type PoolChange =
  | { readonly kind: 'changed' }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'locked' }
  | { readonly kind: 'weak'; readonly reason: string };

/** The result of a change of password; too many wrong passwords close the name for a while. */
export type PasswordChange =
  | { readonly kind: 'changed' | 'wrong' }
  | { readonly kind: 'weak'; readonly reason: string }
  | { readonly kind: 'locked-out'; readonly reason: string };

/** The passwords in the user pool. */
export interface Passwords {
  /**
   * Replaces the password of the person whose tokens these are, and revokes their refresh tokens: other sessions end
   * when their ID token expires.
   */
  readonly change: (tokens: Tokens, change: { current: string; next: string }) => Promise<PoolChange>;
}

/** The password of the signed-in person. */
export interface OwnPassword {
  /** Replaces the password. Wrong passwords count like those of a sign-in. */
  readonly change: (change: { readonly current: string; readonly next: string }) => Promise<PasswordChange>;
}
