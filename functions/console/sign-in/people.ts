import type { Person, Tokens } from '../sessions/session.ts';

/** Who the user pool says somebody is, and the tokens that prove it. */
export interface SignedIn {
  readonly person: Person;
  readonly tokens: Tokens;
}

/** A step of signing in. */
export type SignInStep =
  | ({ readonly kind: 'signed-in' } & SignedIn)
  /** The person has to choose a password, or to state a code; `session` continues the sign-in at the user pool. */
  | { readonly kind: 'new-password' | 'code'; readonly session: string }
  /** Wrong name, password or code, or a sign-in that has taken too long: which of them is not said. */
  | { readonly kind: 'refused' }
  /** The user pool looks at no password of this name for a while, after several wrong ones. */
  | { readonly kind: 'locked' }
  /** The user pool does not take the new password. */
  | { readonly kind: 'weak-password'; readonly reason: string };

/** The user pool, as the console asks it. */
export interface People {
  readonly signIn: (name: string, password: string, now: number) => Promise<SignInStep>;
  readonly answer: (challenge: ChallengeAnswer, now: number) => Promise<SignInStep>;
  /** New tokens, and the person as of now; undefined if the person may no longer be signed in. */
  readonly refresh: (tokens: Tokens, now: number) => Promise<SignedIn | undefined>;
}

export interface ChallengeAnswer {
  readonly kind: 'new-password' | 'code';
  readonly name: string;
  readonly session: string;
  /** The new password, or the code. */
  readonly value: string;
}
