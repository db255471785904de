import { isPublicAddress, parseAddress } from './ip-address.ts';

/** The target of a request, parsed from its URL. */
export interface Target {
  /** The URL as it is called, without fragment. */
  readonly url: string;
  /**
   * The host in lower case, international names in ASCII, without the trailing dot; an IPv6 address without its
   * brackets.
   */
  readonly host: string;
  readonly port: number;
  /** Path and query. */
  readonly path: string;
  /** The value of the `Host` header. */
  readonly authority: string;
  /** True if the host is an address, which needs no DNS lookup. */
  readonly isAddress: boolean;
  /** True if it may be called although its address is private, as a local run allows. */
  readonly mayBePrivate: boolean;
}

/** `reason` is for the person who saves the URL. It depends on the text alone, never on DNS. */
export type ReadTarget =
  | { readonly ok: true; readonly target: Target }
  | { readonly ok: false; readonly reason: string };

/** The single public code for every target that we refuse to call. */
export const BLOCKED_TARGET = 'blocked_target';

/** `host:port` of the targets that may be called although private. */
export type PrivateTargets = ReadonlySet<string>;

const URL_CHARACTERS_MAX = 2048;
const HTTPS_PORT = 443;
/** The lowest port besides 443. Lower ports belong to well-known services other than HTTPS, such as mail. */
const UNPRIVILEGED_PORT_MIN = 1024;

const HOST_CHARACTERS_MAX = 253;
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** Host names that are reserved for private networks. */
const INTERNAL_HOST = /(^|\.)(localhost|local|internal|intranet|lan|private|corp|home|home\.arpa)$/;

/**
 * Parses the URL of an endpoint and refuses any that is not an HTTPS endpoint on the public internet. It is called at
 * save and at every attempt. The sender checks later which addresses the host resolves to.
 */
export function readTarget(text: string, allowed: PrivateTargets = new Set()): ReadTarget {
  if (text.length > URL_CHARACTERS_MAX) return refused(`must have at most ${URL_CHARACTERS_MAX} characters`);
  const url = URL.parse(text);
  if (!url) return refused('must be a valid URL, such as https://example.com/hooks');
  if (url.protocol !== 'https:') return refused('must begin with https://');
  if (url.username !== '' || url.password !== '') return refused('must not contain a user name or password');
  const target = targetOf(url, allowed);
  if (target.url.length > URL_CHARACTERS_MAX) return refused(`must have at most ${URL_CHARACTERS_MAX} characters`);
  const reason = target.mayBePrivate ? undefined : refusalReason(target);
  return reason === undefined ? { ok: true, target } : refused(reason);
}

/** Parses the list in `WEBHOOK_PRIVATE_TARGETS`: `localhost:8443, 127.0.0.1:9000, [::1]:9000`. */
export function readPrivateTargets(list: string): PrivateTargets {
  const entries = list.split(',').map((entry) => entry.trim());
  return new Set(entries.filter((entry) => entry !== '').map(privateTarget));
}

function privateTarget(entry: string): string {
  const url = /^[^/?#@\\]+:[0-9]+$/.test(entry) ? URL.parse(`https://${entry}`) : null;
  if (!url) throw new Error(`Not a host and port: ${entry}`);
  return keyOf(url);
}

function keyOf(url: URL): string {
  return `${hostnameOf(url)}:${portOf(url)}`;
}

function targetOf(url: URL, allowed: PrivateTargets): Target {
  const hostname = hostnameOf(url);
  const port = portOf(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const path = `${url.pathname}${url.search}`;
  const authority = port === HTTPS_PORT ? hostname : `${hostname}:${port}`;
  return {
    url: `https://${authority}${path}`,
    host,
    port,
    path,
    authority,
    isAddress: parseAddress(host) !== undefined,
    mayBePrivate: allowed.has(keyOf(url)),
  };
}

/** Removes the trailing dot: `example.com.` is the same host as `example.com`. */
function hostnameOf(url: URL): string {
  return url.hostname.replace(/\.$/, '');
}

function portOf(url: URL): number {
  return url.port === '' ? HTTPS_PORT : Number(url.port);
}

function refusalReason({ host, port, isAddress }: Target): string | undefined {
  if (port !== HTTPS_PORT && port < UNPRIVILEGED_PORT_MIN)
    return `must use port ${HTTPS_PORT}, or port ${UNPRIVILEGED_PORT_MIN} or higher`;
  if (isAddress) return isPublicAddress(host) ? undefined : 'must not be a private address';
  if (!isHostName(host)) return 'must have a valid host name';
  if (!host.includes('.') || INTERNAL_HOST.test(host)) return 'must have a public host name';
  return undefined;
}

function isHostName(host: string): boolean {
  return host.length <= HOST_CHARACTERS_MAX && host.split('.').every((label) => LABEL.test(label));
}

function refused(reason: string): ReadTarget {
  return { ok: false, reason };
}
