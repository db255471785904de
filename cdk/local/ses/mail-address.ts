/** Addresses as mails write them: `ann@example.com` or `"Ann Smith" <ann@example.com>`. */
import { CallRefusal } from '../endpoint/call-refusal.ts';

export interface MailAddress {
  readonly address: string;
  /** The domain in lower case, because its case has no meaning. */
  readonly domain: string;
  readonly displayName?: string;
}

const ADDRESS_LENGTH_MAX = 320;

/** Throws a refusal when the text is no address. */
export function mailAddress(text: string): MailAddress {
  if (hasControlCharacter(text)) throw badAddress('Header contains disallowed control characters');
  const [, name = '', inBrackets] = /^\s*(.*?)\s*<([^<>]*)>\s*$/.exec(text) ?? [];
  const address = inBrackets ?? text.trim();
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1).toLowerCase();
  if (at < 1 || domain === '') throw badAddress("Missing final '@domain'");
  if (/[\s,;<>()]/.test(address)) throw badAddress('Local address contains control or whitespace');
  // AWS takes domains in Punycode only and no other names.
  if (!/^[\u0021-\u007e]+$/.test(address)) throw badAddress('Address contains non-ASCII characters');
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(domain)) throw badAddress('Domain contains illegal character');
  if (address.length > ADDRESS_LENGTH_MAX) throw badAddress('Address is too long');
  const displayName = name.replace(/^"(.*)"$/, '$1').replaceAll(/\\(.)/g, '$1');
  return { address, domain, ...(displayName !== '' && { displayName }) };
}

export function hasControlCharacter(text: string): boolean {
  return Array.from(text).some((character) => character < ' ' || character === '\u007f');
}

const badAddress = (message: string) => new CallRefusal(400, 'BadRequestException', message);
