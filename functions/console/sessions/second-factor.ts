import type { Person, Tokens } from './session.ts';

/** Two-factor authentication by an authenticator app (TOTP, RFC 6238), stored by the user pool. */
export interface SecondFactors {
  /** Returns whether the person needs a code to sign in. */
  readonly isOn: (tokens: Tokens) => Promise<boolean>;
  /** Returns a new secret for an app, in base32. It replaces the earlier one when a code of it is confirmed. */
  readonly newSecret: (tokens: Tokens) => Promise<string>;
  /** Confirms the new secret by a code of the app, and requires its codes from now on; false for a wrong code. */
  readonly confirm: (tokens: Tokens, code: string) => Promise<boolean>;
  readonly turnOff: (tokens: Tokens) => Promise<void>;
}

/** The proof that the sender owns the present authenticator app. */
interface Proof {
  readonly password: string;
  readonly code: string;
}

/** The two-factor authentication of the signed-in person. */
export interface OwnSecondFactor {
  /** True if the deployment requires a code of this person. */
  readonly isRequired: boolean;
  /**
   * True if the person has just signed in and may change it: someone at an unattended browser must not lock out its
   * owner.
   */
  readonly mayChange: boolean;
  readonly isOn: () => Promise<boolean>;
  /**
   * Checks the password and a code of the current app, which must be known before the app is replaced or turned off.
   * Returns why they are refused; undefined if they are right.
   */
  readonly refusalOf: (proof: Proof) => Promise<string | undefined>;
  readonly newSecret: () => Promise<string>;
  readonly confirm: (code: string) => Promise<boolean>;
  readonly turnOff: () => Promise<void>;
}

export const SECOND_FACTOR_PATH = '/console/second-factor';

const FRESH_MILLIS = 10 * 60_000;

export const isFresh = (signedInAt: number, now: number): boolean => now - signedInAt < FRESH_MILLIS;

/** The rule for operators: they have access to every tenant, so a password alone must not be enough. */
export interface SecondFactorRule {
  readonly operatorsNeedCode: boolean;
}

export const needsCode = ({ operatorsNeedCode }: SecondFactorRule, { isOperator }: Person): boolean =>
  operatorsNeedCode && isOperator;
