import { randomInt } from 'node:crypto';

const LIFETIME_MS = 3_600_000;
/** AWS stops after 5 to 20 wrong codes in an hour. */
const TRIES_MAX = 5;

interface ResetCode {
  readonly code: string;
  readonly expiresAt: number;
  wrong: number;
}

/** The codes that were mailed to users who have forgotten their passwords, the newest of each. In memory only. */
export class ResetCodes {
  private readonly codes = new Map<string, ResetCode>();

  open(username: string, now: Date): string {
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    this.codes.set(username, { code, expiresAt: now.getTime() + LIFETIME_MS, wrong: 0 });
    return code;
  }

  /** Returns what is wrong with a code; undefined for the right one. */
  fault(username: string, code: string, now: Date): 'expired' | 'mismatch' | 'limit' | undefined {
    const sent = this.codes.get(username);
    if (!sent || sent.expiresAt <= now.getTime()) return 'expired';
    if (sent.wrong >= TRIES_MAX) return 'limit';
    if (sent.code === code) return undefined;
    sent.wrong += 1;
    return 'mismatch';
  }

  close(username: string): void {
    this.codes.delete(username);
  }
}
