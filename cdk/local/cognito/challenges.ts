/** Sign-ins that wait for a new password or a code. In memory only: after a restart the user signs in again. */
import { randomBytes } from 'node:crypto';

export const CHALLENGE_NAMES = ['NEW_PASSWORD_REQUIRED', 'SOFTWARE_TOKEN_MFA'] as const;

/** The answer that a sign-in waits for. */
export interface Challenge {
  readonly name: (typeof CHALLENGE_NAMES)[number];
  readonly username: string;
  readonly clientId: string;
}

const LIFETIME_MS = 3 * 60 * 1000;

export class Challenges {
  private readonly waiting = new Map<string, Challenge & { readonly expiresAt: number }>();

  /** @returns The session that identifies the challenge. */
  open(challenge: Challenge, now: Date): string {
    for (const [session, { expiresAt }] of this.waiting) {
      if (expiresAt <= now.getTime()) this.waiting.delete(session);
    }
    const session = randomBytes(96).toString('base64url');
    this.waiting.set(session, { ...challenge, expiresAt: now.getTime() + LIFETIME_MS });
    return session;
  }

  /** Returns whether the session waits for exactly this challenge and has not expired. */
  isWaiting(session: string, { name, username, clientId }: Challenge, now: Date): boolean {
    const challenge = this.waiting.get(session);
    if (!challenge || challenge.expiresAt <= now.getTime()) return false;
    return challenge.name === name && challenge.username === username && challenge.clientId === clientId;
  }

  close(session: string): void {
    this.waiting.delete(session);
  }
}
