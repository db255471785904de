/**
 * The format of ciphertexts of this cloud: the key, its version, then AES-256-GCM. AWS does not document its format, so
 * no caller may rely on either.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { canonicalContext, type EncryptionContext } from './encryption-context.ts';

/** Names the bytes with which something is encrypted. */
export interface MaterialName {
  /** A UUID. */
  readonly keyId: string;
  readonly version: number;
}

const CIPHER = 'aes-256-gcm';
const FORMAT = 1;
const KEY_ID_AT = 1;
const VERSION_AT = 17;
const NONCE_AT = 21;
const TEXT_AT = 33;
const TAG_BYTES = 16;

export function encrypted(
  { name, material }: { readonly name: MaterialName; readonly material: Buffer },
  plaintext: Buffer,
  context: EncryptionContext,
): Buffer {
  const head = Buffer.alloc(NONCE_AT);
  head.writeUInt8(FORMAT);
  head.write(name.keyId.replaceAll('-', ''), KEY_ID_AT, 'hex');
  head.writeUInt32BE(name.version, VERSION_AT);
  const nonce = randomBytes(TEXT_AT - NONCE_AT);
  const cipher = createCipheriv(CIPHER, material, nonce).setAAD(authenticated(head, context));
  return Buffer.concat([head, nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** Returns the key material that a ciphertext names; undefined for other bytes. */
export function materialOf(blob: Buffer): MaterialName | undefined {
  if (blob.length < TEXT_AT + TAG_BYTES || blob[0] !== FORMAT) return undefined;
  const hex = blob.toString('hex', KEY_ID_AT, VERSION_AT);
  return { keyId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'), version: blob.readUInt32BE(VERSION_AT) };
}

/** Undefined when the ciphertext has been changed, the context is another one, or the material is. */
export function decrypted(blob: Buffer, material: Buffer, context: EncryptionContext): Buffer | undefined {
  const tagAt = blob.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, material, blob.subarray(NONCE_AT, TEXT_AT), { authTagLength: TAG_BYTES })
    .setAAD(authenticated(blob.subarray(0, NONCE_AT), context))
    .setAuthTag(blob.subarray(tagAt));
  const plaintext = decipher.update(blob.subarray(TEXT_AT, tagAt));
  try {
    return Buffer.concat([plaintext, decipher.final()]);
  } catch {
    return undefined;
  }
}

function authenticated(head: Buffer, context: EncryptionContext): Buffer {
  return Buffer.concat([head, Buffer.from(canonicalContext(context))]);
}
