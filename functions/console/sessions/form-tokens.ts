import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { sessionKeyFor } from './sealed-tokens.ts';

const NONCE_BYTES = 12;
const TOKEN = /^([\w-]{16})\.([\w-]{43})$/;

/**
 * The form tokens of one session. Another site cannot make one (OWASP, CSRF Prevention: HMAC-based token), and each is
 * valid for one submission, so that a double click has no second effect.
 */
export class FormTokens {
  private readonly key: Buffer;

  constructor(sessionId: string) {
    this.key = sessionKeyFor(sessionId, 'forms');
  }

  make(): string {
    const nonce = randomBytes(NONCE_BYTES).toString('base64url');
    return `${nonce}.${this.proofOf(nonce)}`;
  }

  /** Returns the nonce of a token of this session; undefined for any other text. */
  nonceIn(token: string): string | undefined {
    const [, nonce = '', proof = ''] = TOKEN.exec(token) ?? [];
    if (nonce === '') return undefined;
    return timingSafeEqual(Buffer.from(proof), Buffer.from(this.proofOf(nonce))) ? nonce : undefined;
  }

  private proofOf(nonce: string): string {
    return createHmac('sha256', this.key).update(nonce).digest('base64url');
  }
}
