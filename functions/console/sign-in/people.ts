import type { Person, Tokens } from '../sessions/session.ts';

/** A person who has signed in, with their tokens. */
export interface SignedIn {
  readonly person: Person;
  readonly tokens: Tokens;
}

/** A step of signing in. */
export type SignInStep =
  | ({ readonly kind: 'signed-in' } & SignedIn)
  /** The person has to choose a password or enter a code; `session` continues the sign-in at the user pool. */
  | { readonly kind: 'new-password' | 'code'; readonly session: string }
  /** Wrong name, password or code, or an expired sign-in; the reason is not revealed. */
  | { readonly kind: 'refused' }
  /** The temporary password of an invitation is too old. */
  | { readonly kind: 'invitation-ended' }
  /** The user pool has locked the name for a while after several wrong passwords. */
  | { readonly kind: 'locked' }
  /** The user pool rejects the new password. */
  | { readonly kind: 'weak-password' };

/** The calls of the console to the user pool. */
export interface People {
  readonly signIn: (name: string, password: string, now: number) => Promise<SignInStep>;
  readonly answer: (challenge: ChallengeAnswer, now: number) => Promise<SignInStep>;
  /** Returns new tokens and the current person; undefined if the person may no longer be signed in. */
  readonly refresh: (tokens: Tokens, now: number) => Promise<SignedIn | undefined>;
}

export interface ChallengeAnswer {
  readonly kind: 'new-password' | 'code';
  readonly name: string;
  readonly session: string;
  /** The new password, or the code. */
  readonly value: string;
}
