import { type Authentication, basicPair } from './request-headers.ts';
import type { SendResult } from './sending.ts';

const MASK = '***';

/**
 * The answer without the secret, where the endpoint sends back what it got, as echo services and error pages do: the
 * delivery log must not show it. One that is sent back in another form, reversed or encrypted, cannot be known.
 */
export function withoutSecret(result: SendResult, authentication: Authentication): SendResult {
  if (!result.body || authentication.type === 'none') return result;
  const { body } = result;
  // Each character is a byte here, whatever the bytes mean.
  const text = Buffer.from(body.bytes).toString('latin1');
  const masked = formsOf(authentication).reduce((left, form) => left.replaceAll(form, MASK), text);
  return masked === text ? result : { ...result, body: { ...body, bytes: Buffer.from(masked, 'latin1') } };
}

/** As bytes on the wire, the longest first: a header carries Latin-1, and an endpoint may make UTF-8 or JSON of it. */
function formsOf(authentication: Exclude<Authentication, { type: 'none' }>): readonly string[] {
  const { secret } = authentication;
  const asSent = authentication.type === 'basic' ? [basicPair(authentication)] : [];
  const texts = [...asSent, secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
  const forms = texts.flatMap((text) => [text, Buffer.from(text).toString('latin1')]);
  return [...new Set(forms)].filter((form) => form !== '').sort((a, b) => b.length - a.length);
}
