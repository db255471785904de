/** A code that was mailed, and the password that it shall set. */
interface PasswordReset {
  readonly name: string;
  readonly code: string;
  readonly next: string;
}

type PasswordResetResult =
  | { readonly kind: 'changed' }
  /** The code is wrong or has expired, or there is no such person. */
  | { readonly kind: 'refused' };

/** People who have forgotten their passwords. */
export interface ForgottenPasswords {
  /** Mails a code, if there is such a person whose password can be reset. The caller does not learn whether. */
  sendCode(name: string): Promise<void>;
  /** Sets a password that meets the rule, and ends all sessions of the person. */
  reset(reset: PasswordReset): Promise<PasswordResetResult>;
}
