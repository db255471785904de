const BASIC = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i;
const CHARACTERS_MAX = 1_024;
const CONTROL = /\p{Cc}/u;

export interface BasicCredentials {
  readonly name: string;
  readonly password: string;
}

/**
 * The name and password in `Authorization: Basic` (RFC 7617), in UTF-8. The name ends at the first colon; the password
 * may contain more. Undefined for anything else.
 */
export function basicCredentials(authorization: string | undefined): BasicCredentials | undefined {
  const encoded = BASIC.exec(authorization ?? '')?.[1];
  if (!encoded || encoded.length > CHARACTERS_MAX) return undefined;
  const pair = decoded(encoded);
  const colon = pair?.indexOf(':') ?? -1;
  if (pair === undefined || colon < 0 || CONTROL.test(pair)) return undefined;
  return { name: pair.slice(0, colon), password: pair.slice(colon + 1) };
}

function decoded(encoded: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
}
