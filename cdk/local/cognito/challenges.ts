/** Sign-ins that wait for a new password. In memory only: after a restart the user signs in again. */
import { randomBytes } from 'node:crypto';

interface Challenge {
  readonly username: string;
  readonly clientId: string;
  readonly expiresAt: number;
}

const LIFETIME_MS = 3 * 60 * 1000;

export class Challenges {
  private readonly waiting = new Map<string, Challenge>();

  /** @returns The session by which the answer is known. */
  open(username: string, clientId: string, now: Date): string {
    for (const [session, { expiresAt }] of this.waiting) {
      if (expiresAt <= now.getTime()) this.waiting.delete(session);
    }
    const session = randomBytes(96).toString('base64url');
    this.waiting.set(session, { username, clientId, expiresAt: now.getTime() + LIFETIME_MS });
    return session;
  }

  /** The user who began the session; undefined when it is over or was another client's. */
  usernameOf(session: string, clientId: string, now: Date): string | undefined {
    const challenge = this.waiting.get(session);
    if (!challenge || challenge.clientId !== clientId || challenge.expiresAt <= now.getTime()) return undefined;
    return challenge.username;
  }

  close(session: string): void {
    this.waiting.delete(session);
  }
}
