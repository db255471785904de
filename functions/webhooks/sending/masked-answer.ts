import { type Authentication, basicPair } from './request-headers.ts';
import type { SendResult } from './sending.ts';

const MASK = '***';

/**
 * The answer without the secret, which endpoints may send back, as echo services and error pages do: the delivery log
 * must not show it. A secret that is sent back in another form, reversed or encrypted, is not recognised.
 */
export function withoutSecret(result: SendResult, authentication: Authentication): SendResult {
  if (!result.body || authentication.type === 'none') return result;
  const { body } = result;
  // Each character is a byte here, whatever the bytes mean.
  const text = Buffer.from(body.bytes).toString('latin1');
  const masked = formsOf(authentication).reduce((left, form) => left.replaceAll(form, MASK), text);
  return masked === text ? result : { ...result, body: { ...body, bytes: Buffer.from(masked, 'latin1') } };
}

/**
 * As bytes on the wire, the longest first: a header carries Latin-1, and an endpoint may convert it to UTF-8 or JSON.
 */
function formsOf(authentication: Exclude<Authentication, { type: 'none' }>): readonly string[] {
  const { secret } = authentication;
  const asSent = authentication.type === 'basic' ? [basicPair(authentication)] : [];
  const texts = [...asSent, secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
  const forms = texts.flatMap((text) => [text, Buffer.from(text).toString('latin1')]);
  return [...new Set(forms)].filter((form) => form !== '').sort((a, b) => b.length - a.length);
}
