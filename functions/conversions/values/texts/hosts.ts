import { domainToASCII } from 'node:url';
import { parse } from 'tldts';
import { quoteForMessage } from '../../items/item-refusal.ts';
import { type Reading, read, unreadable } from './reading.ts';
import { tidyLine } from './tidy.ts';

const HOST_CHARACTERS_MAX = 253;
const LOCAL_PART_CHARACTERS_MAX = 64;

/** A host name with a public suffix, in lower case and punycode. IP addresses and local names are not accepted. */
export function readHost(text: string): Reading<string> {
  const written = tidyLine(text);
  if (written.length > HOST_CHARACTERS_MAX) return unreadable('The name of the host is too long.');
  if (/[\s/?#@:\\%]/.test(written)) return unreadable(`${quoteForMessage(text)} is not the name of a host.`);
  const host = domainToASCII(written).replace(/\.$/, '');
  const { hostname, domain, isIcann, isPrivate, isIp } = parse(host, { allowPrivateDomains: true });
  if (isIp || host === '' || hostname !== host)
    return unreadable(`${quoteForMessage(text)} is not the name of a host.`);
  if (!isIcann && !isPrivate) return unreadable(`${quoteForMessage(text)} ends in no public suffix.`);
  if (domain === null) return unreadable(`${quoteForMessage(text)} is a public suffix, not the name of a host.`);
  return read(host);
}

/** Scheme and host of a web address in canonical form. The rest may be case-sensitive and stays as it is. */
export function readWebAddress(text: string): Reading<string> {
  const written = tidyLine(text);
  const [, scheme, user = '', host = '', port = '', rest = ''] =
    /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^\s/?#@]*@)?([^\s/?#@:]+)(:\d{1,5})?([/?#]\S*)?$/i.exec(written) ?? [];
  if (host === '') return unreadable(`${quoteForMessage(text)} is not a web address.`);
  if (scheme !== undefined && !/^https?$/i.test(scheme))
    return unreadable(`${quoteForMessage(text)} is no http or https address.`);
  const ascii = readHost(host);
  if (ascii.kind !== 'read') return ascii;
  const start = scheme === undefined ? '' : `${scheme.toLowerCase()}://`;
  return read(start + user + ascii.value + port + rest);
}

/** The part after the @ in canonical form. The part before may be case-sensitive and stays as it is. */
export function readEmail(text: string): Reading<string> {
  const written = tidyLine(text).replace(/^mailto:/i, '');
  const at = written.lastIndexOf('@');
  const local = written.slice(0, Math.max(at, 0));
  if (
    at < 1 ||
    local.length > LOCAL_PART_CHARACTERS_MAX ||
    !/^[^\s@"<>(),:;[\]\\]+$/.test(local) ||
    /^\.|\.\.|\.$/.test(local)
  )
    return unreadable(`${quoteForMessage(text)} is not an email address.`);
  const host = readHost(written.slice(at + 1));
  return host.kind === 'read' ? read(`${local}@${host.value}`, host.confidence) : host;
}
