import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import type { Tokens } from './session.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const TokensText = z.object({ idToken: z.string(), idTokenUntil: z.number(), refreshToken: z.string() });

/** Returns a session id of 256 random bits, which only the cookie contains. */
export const newSessionId = (): string => randomBytes(32).toString('base64url');

/** Derives a key for one purpose from the session id, which has enough entropy for that. */
export const sessionKeyFor = (sessionId: string, purpose: 'tokens' | 'forms'): Buffer =>
  Buffer.from(hkdfSync('sha256', sessionId, '', `console ${purpose}`, 32));

/** Encrypts the tokens so that only the session id decrypts them; the table alone is not enough. */
export function sealed(tokens: Tokens, sessionId: string): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, sessionKeyFor(sessionId, 'tokens'), nonce);
  return Buffer.concat([nonce, cipher.update(JSON.stringify(tokens), 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts the tokens; throws if the bytes were not encrypted with this id. */
export function opened(bytes: Uint8Array, sessionId: string): Tokens {
  const all = Buffer.from(bytes);
  const [nonce, tag] = [all.subarray(0, NONCE_BYTES), all.subarray(-TAG_BYTES)];
  const decipher = createDecipheriv(ALGORITHM, sessionKeyFor(sessionId, 'tokens'), nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(tag);
  const text = Buffer.concat([decipher.update(all.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  return TokensText.parse(JSON.parse(text.toString('utf8')));
}
