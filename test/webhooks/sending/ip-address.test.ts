import { isIP } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Address,
  formatAddress,
  isPublicAddress,
  parseAddress,
} from '../../../functions/webhooks/sending/ip-address.ts';

/**
 * The IANA special-purpose registries of both families, and multicast, reserved and deprecated space. The two flags say
 * whether the address just before and the one just after the block are public.
 */
const REGISTRY: readonly (readonly [block: string, before: boolean, after: boolean])[] = [
  ['0.0.0.0/8', false, true],
  ['0.0.0.0/32', false, false],
  ['10.0.0.0/8', true, true],
  ['100.64.0.0/10', true, true],
  ['127.0.0.0/8', true, true],
  ['169.254.0.0/16', true, true],
  ['172.16.0.0/12', true, true],
  ['192.0.0.0/24', true, true],
  ['192.0.0.0/29', true, false],
  ['192.0.0.8/32', false, false],
  ['192.0.0.9/32', false, false],
  ['192.0.0.10/32', false, false],
  ['192.0.0.170/32', false, false],
  ['192.0.0.171/32', false, false],
  ['192.0.2.0/24', true, true],
  ['192.31.196.0/24', true, true],
  ['192.52.193.0/24', true, true],
  ['192.88.99.0/24', true, true],
  ['192.88.99.2/32', false, false],
  ['192.168.0.0/16', true, true],
  ['192.175.48.0/24', true, true],
  ['198.18.0.0/15', true, true],
  ['198.51.100.0/24', true, true],
  ['203.0.113.0/24', true, true],
  ['224.0.0.0/4', true, false],
  ['240.0.0.0/4', false, false],
  ['255.255.255.255/32', false, false],
  ['::/128', false, false],
  ['::1/128', false, false],
  ['::/96', false, false],
  ['::ffff:0:0/96', false, false],
  ['::ffff:0:0:0/96', false, false],
  ['64:ff9b::/96', false, false],
  ['64:ff9b:1::/48', false, false],
  ['100::/64', false, false],
  ['100:0:0:1::/64', false, false],
  ['2001::/23', true, true],
  ['2001::/32', true, false],
  ['2001:1::1/128', false, false],
  ['2001:1::2/128', false, false],
  ['2001:1::3/128', false, false],
  ['2001:2::/48', false, false],
  ['2001:3::/32', false, false],
  ['2001:4:112::/48', false, false],
  ['2001:10::/28', false, false],
  ['2001:20::/28', false, false],
  ['2001:30::/28', false, false],
  ['2001:db8::/32', true, true],
  ['2002::/16', true, true],
  ['2620:4f:8000::/48', true, true],
  ['3fff::/20', true, true],
  ['5f00::/16', false, false],
  ['fc00::/7', false, false],
  ['fe80::/10', false, false],
  ['fec0::/10', false, false],
  ['ff00::/8', false, false],
  ['::/3', false, true],
  ['4000::/2', true, false],
];

const parsed = (text: string): Address => {
  const address = parseAddress(text);
  if (!address) throw new Error(text);
  return address;
};
const bitsOf = (family: 4 | 6) => (family === 4 ? 32n : 128n);
const isPublicValue = (family: 4 | 6, value: bigint) => isPublicAddress(formatAddress({ family, value }));

const ipv4 = fc.bigInt({ min: 0n, max: 2n ** 32n - 1n });
const ipv6 = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }),
  // Sparse ones, so that `::` can replace zeros.
  fc
    .array(fc.constantFrom<bigint>(0n, 0n, 0n, 1n, 0xffffn, 0x5efen), { minLength: 8, maxLength: 8 })
    .map((groups) => groups.reduce((value, group) => (value << 16n) | group, 0n)),
);
const address: fc.Arbitrary<Address> = fc.oneof(
  ipv4.map((value) => ({ family: 4 as const, value })),
  ipv6.map((value) => ({ family: 6 as const, value })),
  fc.tuple(ipv6, fc.constantFrom('eth0', '1', 'en-1.2')).map(([value, zone]) => ({ family: 6 as const, value, zone })),
);

/** An IPv4 address that must not be called, taken evenly from all such blocks. */
const forbiddenIpv4 = fc
  .constantFrom(...REGISTRY.map(([block]) => block).filter((block) => !block.includes(':')))
  .chain((block) => {
    const [start = '', bits] = block.split('/');
    const first = parsed(start).value;
    return fc.bigInt({ min: first, max: first + 2n ** (32n - BigInt(bits ?? 0)) - 1n });
  });

/** Every well-known way to carry an IPv4 address in an IPv6 address. `rest` fills what the form leaves open. */
const EMBEDDINGS: Readonly<Record<string, (ipv4: bigint, rest: bigint) => bigint>> = {
  compatible: (v4) => v4,
  mapped: (v4) => (0xffffn << 32n) | v4,
  SIIT: (v4) => (0xffffn << 48n) | v4,
  NAT64: (v4) => (0x64ff9bn << 96n) | v4,
  'NAT64 of the local network': (v4, rest) => (0x64ff9b0001n << 80n) | ((rest % 2n ** 48n) << 32n) | v4,
  'NAT64 of the local network, /48': (v4, rest) =>
    (0x64ff9b0001n << 80n) | ((v4 >> 16n) << 64n) | ((v4 & 0xffffn) << 40n) | (rest % 2n ** 40n),
  '6to4': (v4, rest) => (0x2002n << 112n) | (v4 << 80n) | (rest % 2n ** 80n),
  'Teredo server': (v4, rest) => (0x2001_0000n << 96n) | (v4 << 64n) | (rest % 2n ** 64n),
  'Teredo client': (v4, rest) => (0x2001_0000n << 96n) | ((rest % 2n ** 64n) << 32n) | (v4 ^ 0xffff_ffffn),
  ISATAP: (v4, rest) => (0b001n << 125n) | ((rest % 2n ** 61n) << 64n) | (0x5efen << 32n) | v4,
  'ISATAP, universal': (v4, rest) => (0b001n << 125n) | ((rest % 2n ** 61n) << 64n) | (0x0200_5efen << 32n) | v4,
};

describe('the addresses that may be called', () => {
  it.each(REGISTRY)('leave out %s from its first to its last', (block, before, after) => {
    const [start = '', bits] = block.split('/');
    const { family, value: first } = parsed(start);
    const last = first + 2n ** (bitsOf(family) - BigInt(bits ?? 0)) - 1n;
    expect(isPublicValue(family, first)).toBe(false);
    expect(isPublicValue(family, last)).toBe(false);
    if (first > 0n) expect(isPublicValue(family, first - 1n)).toBe(before);
    if (last < 2n ** bitsOf(family) - 1n) expect(isPublicValue(family, last + 1n)).toBe(after);
  });

  it.each(['1.1.1.1', '8.8.8.8', '52.95.110.1', '100.63.255.255', '100.128.0.0', '223.255.255.255'])(
    'hold %s',
    (text) => {
      expect(isPublicAddress(text)).toBe(true);
    },
  );

  it.each([
    '2000::',
    '2606:4700::1111',
    '2a00:1450:4001:81b::200e',
    '2001:200::',
    '3ffe:ffff::',
    '2600:1f18::5efe:808:808',
  ])('hold %s', (text) => {
    expect(isPublicAddress(text)).toBe(true);
  });

  it.each(['', 'example.com', '127.1', '0x7f.0.0.1', '127.0.0.01', '1.2.3', '1.2.3.4.5', '[::1]', '2606:4700::1%eth0'])(
    'do not hold %s',
    (text) => {
      expect(isPublicAddress(text)).toBe(false);
    },
  );

  it.each(Object.entries(EMBEDDINGS))('hold no forbidden IPv4 address in the form %s', (_form, embed) => {
    fc.assert(
      fc.property(forbiddenIpv4, fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }), (v4, rest) => {
        expect(isPublicValue(4, v4)).toBe(false);
        expect(isPublicValue(6, embed(v4, rest))).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the text of an address', () => {
  it('reads back as the same address', () => {
    fc.assert(
      fc.property(address, (one) => {
        expect(parseAddress(formatAddress(one))).toEqual(one);
      }),
      { numRuns: 2000 },
    );
  });

  it('is judged alike however it is written', () => {
    fc.assert(
      fc.property(ipv6, fc.nat(7), fc.boolean(), (value, at, upper) => {
        const hex = value.toString(16).padStart(32, '0');
        const full = hex.match(/.{4}/g) ?? [];
        const mixed = [...full.slice(0, 6), formatAddress({ family: 4, value: value & 0xffff_ffffn })];
        const short = full.map((group) => group.replace(/^0{1,3}/, ''));
        // A single zero group as `::` is unusual, but means the same.
        const oneZero =
          full[at] === '0000' ? [`${short.slice(0, at).join(':')}::${short.slice(at + 1).join(':')}`] : [];
        for (const variant of [full.join(':'), mixed.join(':'), short.join(':'), ...oneZero]) {
          const text = upper ? variant.toUpperCase() : variant;
          expect(parseAddress(text), text).toEqual({ family: 6, value });
          expect(isPublicAddress(text)).toBe(isPublicValue(6, value));
        }
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['::', '::'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['::FFFF:127.0.0.1', '::ffff:7f00:1'],
    ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
  ])('%s is %s', (text, canonical) => {
    expect(formatAddress(parsed(text))).toBe(canonical);
  });

  it('is an address exactly when the runtime accepts it', () => {
    const piece = fc.constantFrom(
      '0',
      '1',
      'ffff',
      '00001',
      'g',
      '127.0.0.1',
      '1.2.3',
      '256',
      '01',
      ':',
      '::',
      '.',
      '%',
      '%1',
      ' ',
    );
    const texts = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
      fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join(':')),
      fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join('.')),
      address.map(formatAddress),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(parseAddress(text)?.family ?? 0, text).toBe(isIP(text));
      }),
      { numRuns: 5000 },
    );
  });
});
