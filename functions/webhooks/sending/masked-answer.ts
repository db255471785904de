import { type Authentication, basicPair } from './request-headers.ts';
import type { Header, SendResult } from './sending.ts';
import { signaturesIn, signingKey } from './signature.ts';

const MASK = '***';
/** Parts of a secret with at least this many characters are masked; shorter ones occur by chance. */
const PART_CHARACTERS = 8;

/** The decrypted secrets that authenticated and signed a request. */
interface UsedSecrets {
  readonly authentication: Authentication;
  readonly signing: readonly string[];
  /** The headers of the signature. */
  readonly signature: readonly Header[];
}

/**
 * Masks the secrets in a response: echo services and error pages may return them, and the delivery log must not show
 * them. It masks each secret and its parts in either case, as text, reversed, in base64, in hexadecimal and escaped for
 * JSON or a URL, also if the body was cut within one of these. An endpoint that deliberately encodes its own secret in
 * another way can still reveal it.
 */
export function withoutSecrets(result: SendResult, used: UsedSecrets): SendResult {
  if (!result.body) return result;
  const forms = formsOf(used);
  if (forms.length === 0) return result;
  const { body } = result;
  // Each character is a byte here, whatever the bytes mean.
  const text = Buffer.from(body.bytes).toString('latin1');
  const masked = maskedText(text, forms, body.isTruncated);
  return masked === text ? result : { ...result, body: { ...body, bytes: Buffer.from(masked, 'latin1') } };
}

function maskedText(text: string, forms: readonly string[], isTruncated: boolean): string {
  const searched = lowerCase(text);
  const isMasked = new Uint8Array(text.length);
  const mask = (from: number, to: number) => isMasked.fill(1, from, to);

  const parts = new Set(forms.flatMap(partsOf));
  for (let at = 0; at + PART_CHARACTERS <= text.length; at += 1) {
    if (parts.has(searched.slice(at, at + PART_CHARACTERS))) mask(at, at + PART_CHARACTERS);
  }
  for (const form of forms.filter(({ length }) => length < PART_CHARACTERS)) {
    for (let at = searched.indexOf(form); at >= 0; at = searched.indexOf(form, at + 1)) mask(at, at + form.length);
  }
  if (isTruncated) {
    const cut = longestStartAtEnd(searched, forms);
    mask(text.length - cut, text.length);
  }

  let result = '';
  for (let at = 0; at < text.length; at += 1) {
    if (!isMasked[at]) result += text[at];
    else if (!isMasked[at - 1]) result += MASK;
  }
  return result;
}

const partsOf = (form: string): string[] =>
  Array.from({ length: Math.max(0, form.length - PART_CHARACTERS + 1) }, (_, at) =>
    form.slice(at, at + PART_CHARACTERS),
  );

/** Returns how many characters at the end of the text may be the beginning of a form that was cut. */
function longestStartAtEnd(text: string, forms: readonly string[]): number {
  for (let length = PART_CHARACTERS - 1; length > 0; length -= 1) {
    if (forms.some((form) => form.startsWith(text.slice(-length)))) return length;
  }
  return 0;
}

/** Converts ASCII letters only, because others could change the length of the text. */
const lowerCase = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/**
 * Returns the secrets as bytes on the wire: a header carries Latin-1, and an endpoint may convert it to UTF-8 or JSON.
 */
function formsOf({ authentication, signing, signature }: UsedSecrets): readonly string[] {
  const asSent = authentication.type === 'basic' ? [basicPair(authentication)] : [];
  const secrets = [...(authentication.type === 'none' ? [] : [authentication.secret]), ...signing];
  const keys = signing.map((secret) => signingKey(secret).toString('latin1'));
  const asText = secrets.flatMap((one) => [one, JSON.stringify(one).slice(1, -1), encodeURIComponent(one)]);
  const texts = [...asSent, ...asText, ...keys, ...signaturesIn(signature)];
  const onWire = texts.flatMap((text) => [text, Buffer.from(text).toString('latin1')]);
  const reversed = onWire.map((text) => Array.from(text).reverse().join(''));
  const encoded = [...new Set([...onWire, ...reversed])].flatMap((text) => {
    const bytes = Buffer.from(text, 'latin1');
    return [bytes.toString('hex'), ...base64Of(bytes)];
  });
  const forms = [...onWire, ...reversed, ...encoded].map(lowerCase);
  return [...new Set(forms)].filter((form) => form !== '');
}

/**
 * Returns the base64 of the bytes alone, and within a longer text: without the characters that the bytes before and
 * after also decide. What is left of a short secret there would be found everywhere, and is not a form of it.
 */
function base64Of(bytes: Buffer): string[] {
  const within = [0, 1, 2].map((before) => {
    const shifted = Buffer.concat([Buffer.alloc(before), bytes]);
    return shifted.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((shifted.length * 8) / 6));
  });
  const long = within.filter(({ length }) => length >= PART_CHARACTERS);
  return [bytes.toString('base64'), ...long].flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
}
