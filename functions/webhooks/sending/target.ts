import { isPublicAddress, parseAddress } from './ip-address.ts';

/** Where a request goes, read from the URL once and for all. */
export interface Target {
  /** The URL as it is called, without fragment. */
  readonly url: string;
  /** In lower case, international names in ASCII, without the trailing dot; an IPv6 address without its brackets. */
  readonly host: string;
  readonly port: number;
  /** Path and query. */
  readonly path: string;
  /** The value of the `Host` header. */
  readonly authority: string;
  /** The host is an address and needs no look-up. */
  readonly isAddress: boolean;
  /** It may be called although its address is private: a local run allows it. */
  readonly mayBePrivate: boolean;
}

/** `reason` is for the person who saves the URL. It depends on the text alone, never on what a name resolves to. */
export type ReadTarget =
  | { readonly ok: true; readonly target: Target }
  | { readonly ok: false; readonly reason: string };

/** The one public code of a target that we refuse to call, whatever the reason. */
export const BLOCKED_TARGET = 'blocked_target';

/** `host:port` of the targets that may be called although private. */
export type PrivateTargets = ReadonlySet<string>;

const URL_CHARACTERS_MAX = 2048;
const HTTPS_PORT = 443;
/** Lower ports belong to well-known services other than HTTPS, such as mail; no webhook endpoint is one of those. */
const FREE_PORT_MIN = 1024;

const HOST_CHARACTERS_MAX = 253;
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** Names that only mean something inside a network. */
const INSIDE = /(^|\.)(localhost|local|internal|intranet|lan|private|corp|home|home\.arpa)$/;

/**
 * Reads the URL of an endpoint and refuses what is not an HTTPS endpoint on the public internet. Called at save and
 * again at every attempt. The sender checks later what the host resolves to.
 */
export function readTarget(text: string, allowed: PrivateTargets = new Set()): ReadTarget {
  if (text.length > URL_CHARACTERS_MAX) return refused(`must have at most ${URL_CHARACTERS_MAX} characters`);
  const url = URL.parse(text);
  if (!url) return refused('must be a valid URL, such as https://example.com/hooks');
  if (url.protocol !== 'https:') return refused('must begin with https://');
  if (url.username !== '' || url.password !== '') return refused('must not hold a user name or password');
  const target = targetOf(url, allowed);
  if (target.url.length > URL_CHARACTERS_MAX) return refused(`must have at most ${URL_CHARACTERS_MAX} characters`);
  const reason = target.mayBePrivate ? undefined : whyNot(target);
  return reason === undefined ? { ok: true, target } : refused(reason);
}

/** The list in `WEBHOOK_PRIVATE_TARGETS`: `localhost:8443, 127.0.0.1:9000, [::1]:9000`. */
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

/** `example.com.` is `example.com`, and must not count as another host. */
function hostnameOf(url: URL): string {
  return url.hostname.replace(/\.$/, '');
}

function portOf(url: URL): number {
  return url.port === '' ? HTTPS_PORT : Number(url.port);
}

function whyNot({ host, port, isAddress }: Target): string | undefined {
  if (port !== HTTPS_PORT && port < FREE_PORT_MIN) return `must have port ${HTTPS_PORT}, or one from ${FREE_PORT_MIN}`;
  if (isAddress) return isPublicAddress(host) ? undefined : 'must not be an address inside a network';
  if (!isHostName(host)) return 'must have a valid host name';
  if (!host.includes('.') || INSIDE.test(host)) return 'must have a host name of the public internet';
  return undefined;
}

function isHostName(host: string): boolean {
  return host.length <= HOST_CHARACTERS_MAX && host.split('.').every((label) => LABEL.test(label));
}

function refused(reason: string): ReadTarget {
  return { ok: false, reason };
}
