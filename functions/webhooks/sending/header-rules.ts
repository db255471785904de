/**
 * Headers that we set on every request, or that concern the connection. A rule or an API key under one of these names,
 * in whatever case, would break the framing of a message or the way receivers recognise it.
 */
const SYSTEM =
  /^(content-type|content-length|host|connection|transfer-encoding|x-service-idempotency-key|te|trailer|upgrade|expect|keep-alive|proxy-.*)$/i;

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const NAME_CHARACTERS_MAX = 100;
/** The characters of a valid header value: Latin-1 without control characters, except the tab. */
const VALUE = /^[\t\x20-\x7e\xa0-\xff]*$/;

export const isSystemHeader = (name: string): boolean => SYSTEM.test(name);

/** Returns why a custom header name is invalid; undefined if it is valid. */
export function headerNameFault(name: string): string | undefined {
  if (!NAME.test(name)) return 'is not a valid header name';
  if (name.length > NAME_CHARACTERS_MAX) return `must have at most ${NAME_CHARACTERS_MAX} characters`;
  if (isSystemHeader(name)) return 'is set by the service itself and cannot be chosen';
  return undefined;
}

/** Returns whether a header can carry this text. */
export const isHeaderValue = (value: string): boolean => VALUE.test(value);
