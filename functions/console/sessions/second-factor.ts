import type { Person, Tokens } from './session.ts';

/** Codes of an authenticator app (TOTP, RFC 6238), as the user pool keeps them for people who are signed in. */
export interface SecondFactors {
  /** Whether signing in asks the person for a code. */
  readonly isOn: (tokens: Tokens) => Promise<boolean>;
  /** A secret for an app, in base32. It counts once a code of it was confirmed; an earlier one stays good until then. */
  readonly newSecret: (tokens: Tokens) => Promise<string>;
  /** Proves that an app has the new secret, and asks for its codes from now on; false if the code is not of it. */
  readonly confirm: (tokens: Tokens, code: string) => Promise<boolean>;
  readonly turnOff: (tokens: Tokens) => Promise<void>;
}

/** The second factor of the person who asks. */
export interface OwnSecondFactor {
  /** The deployment lets this person in with a code only. */
  readonly isRequired: boolean;
  /** Whoever finds a browser open must not lock out its owner: only a person who has just signed in may change it. */
  readonly mayChange: boolean;
  readonly isOn: () => Promise<boolean>;
  readonly newSecret: () => Promise<string>;
  readonly confirm: (code: string) => Promise<boolean>;
  readonly turnOff: () => Promise<void>;
}

export const SECOND_FACTOR_PATH = '/console/second-factor';

const FRESH_MILLIS = 10 * 60_000;

export const isFresh = (signedInAt: number, now: number): boolean => now - signedInAt < FRESH_MILLIS;

/** Operators act for every tenant: a password that was guessed or found must not be enough. */
export interface SecondFactorRule {
  readonly operatorsNeedCode: boolean;
}

export const needsCode = ({ operatorsNeedCode }: SecondFactorRule, { isOperator }: Person): boolean =>
  operatorsNeedCode && isOperator;
