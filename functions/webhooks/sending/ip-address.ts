/** An address as a number of 32 or 128 bits. */
export interface Address {
  readonly family: 4 | 6;
  readonly value: bigint;
  /** The interface of an IPv6 address that has a meaning on one machine only: `eth0` in `fe80::1%eth0`. */
  readonly zone?: string;
}

interface Block {
  readonly start: bigint;
  readonly bits: number;
}

const LENGTH = { 4: 32, 6: 128 } as const;
/** The number of 16-bit groups in an IPv6 address. */
const GROUPS = 8;

/**
 * The IANA IPv4 special-purpose registry, multicast and the reserved rest. Also refused are the few blocks that the
 * registry calls reachable (AS112, AMT): no customer's endpoint lives there.
 */
const REFUSED_IPV4 = blocks(
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
);

/**
 * The blocks that IANA allocates for public use. Everything else is refused, including the forms that carry an IPv4
 * address: compatible `::/96`, mapped `::ffff:0:0/96`, SIIT `::ffff:0:0:0/96`, NAT64 `64:ff9b::/96` and
 * `64:ff9b:1::/48`.
 */
const GLOBAL_IPV6 = blocks('2000::/3');

/** Protocol assignments with Teredo, documentation, 6to4 and AS112. 6to4 and Teredo carry an IPv4 address. */
const REFUSED_IPV6 = blocks('2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20');

/** The upper half of an ISATAP interface identifier; the lower half is an IPv4 address. */
const ISATAP = [0x0000_5efen, 0x0200_5efen];

const LOW_32_BITS = 0xffff_ffffn;

/**
 * Returns whether this is the address of one host on the public internet. Text that is not an address is not public.
 *
 * No IPv6 address that embeds a forbidden IPv4 address in a well-known way is public. A NAT64 prefix of a private
 * network looks like any other address, so the sender must not run behind such a gateway.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  return address !== undefined && isPublic(address);
}

function isPublic({ family, value, zone }: Address): boolean {
  if (family === 4) return !contains(REFUSED_IPV4, 4, value);
  if (zone !== undefined || !contains(GLOBAL_IPV6, 6, value) || contains(REFUSED_IPV6, 6, value)) return false;
  const embedsIpv4 = ISATAP.includes((value >> 32n) & LOW_32_BITS);
  return !embedsIpv4 || isPublic({ family: 4, value: value & LOW_32_BITS });
}

function contains(blocks: readonly Block[], family: 4 | 6, value: bigint): boolean {
  return blocks.some(({ start, bits }) => {
    const host = BigInt(LENGTH[family] - bits);
    return value >> host === start >> host;
  });
}

function blocks(...texts: readonly string[]): readonly Block[] {
  return texts.map((text) => {
    const [address = '', bits] = text.split('/');
    const start = parseAddress(address)?.value;
    if (start === undefined) throw new Error(`Not a block of addresses: ${text}`);
    return { start, bits: Number(bits) };
  });
}

/** Reads dotted IPv4 and every notation of RFC 4291 for IPv6, with or without a zone; undefined for anything else. */
export function parseAddress(text: string): Address | undefined {
  if (!text.includes(':')) {
    const value = ipv4Of(text);
    return value === undefined ? undefined : { family: 4, value };
  }
  const [, digits = '', zone] = /^([0-9a-f:.]+)(?:%([0-9a-z.:_-]+))?$/i.exec(text) ?? [];
  const value = ipv6Of(digits);
  return value === undefined ? undefined : { family: 6, value, ...(zone !== undefined && { zone }) };
}

/** Parses four decimal numbers. A leading zero is refused, because some parsers read it as octal. */
function ipv4Of(text: string): bigint | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  let value = 0n;
  for (const part of parts) {
    if (!/^(0|[1-9][0-9]{0,2})$/.test(part) || Number(part) > 255) return undefined;
    value = (value << 8n) | BigInt(part);
  }
  return value;
}

function ipv6Of(text: string): bigint | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [before = '', after] = halves;
  const head = groupsOf(before, after === undefined);
  const tail = groupsOf(after ?? '', true);
  if (!head || !tail) return undefined;
  const missing = GROUPS - head.length - tail.length;
  // `::` stands for at least one group.
  if (after === undefined ? missing !== 0 || before === '' : missing < 1) return undefined;
  const groups = [...head, ...Array<number>(missing).fill(0), ...tail];
  return groups.reduce((value, group) => (value << 16n) | BigInt(group), 0n);
}

/** Parses the groups on one side of `::`. Only the very last may be an IPv4 address, which fills two groups. */
function groupsOf(text: string, last: boolean): number[] | undefined {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(part)) {
      groups.push(Number.parseInt(part, 16));
      continue;
    }
    const value = last && index === parts.length - 1 ? ipv4Of(part) : undefined;
    if (value === undefined) return undefined;
    groups.push(Number(value >> 16n), Number(value & 0xffffn));
  }
  return groups;
}

/** The canonical text of an address (RFC 5952), so that two texts can be compared. */
export function formatAddress({ family, value, zone }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.');
  const groups = Array.from({ length: GROUPS }, (_, index) => (value >> BigInt(16 * (GROUPS - 1 - index))) & 0xffffn);
  const text = withoutZeros(groups.map((group) => group.toString(16)));
  return zone === undefined ? text : `${text}%${zone}`;
}

/** Writes the first of the longest runs of two or more zero groups as `::`. */
function withoutZeros(groups: readonly string[]): string {
  let [start, length] = [0, 1];
  for (let from = 0; from < GROUPS; from++) {
    const end = groups.findIndex((group, index) => index >= from && group !== '0');
    const run = (end === -1 ? GROUPS : end) - from;
    if (run > length) [start, length] = [from, run];
  }
  if (length < 2) return groups.join(':');
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
}
