import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../../functions/webhooks/sending/ip-address.ts';
import { readPrivateTargets, readTarget } from '../../../functions/webhooks/sending/target-policy.ts';

function target(text: string, allowed = '') {
  const read = readTarget(text, readPrivateTargets(allowed));
  if (!read.ok) throw new Error(`${text} ${read.reason}`);
  return read.target;
}

function reason(text: string, allowed = ''): string | undefined {
  const read = readTarget(text, readPrivateTargets(allowed));
  return read.ok ? undefined : read.reason;
}

describe('a target', () => {
  it('is read into what the sender needs', () => {
    expect(target('https://hooks.example.com/a/b?c=d#e')).toEqual({
      url: 'https://hooks.example.com/a/b?c=d',
      host: 'hooks.example.com',
      port: 443,
      path: '/a/b?c=d',
      authority: 'hooks.example.com',
      isAddress: false,
      mayBePrivate: false,
    });
  });

  it.each([
    ['https://EXAMPLE.com.:443', 'https://example.com/'],
    ['https://example.com:8443/x', 'https://example.com:8443/x'],
    ['  https://example.com/a b', 'https://example.com/a%20b'],
    ['https:\\\\example.com\\a', 'https://example.com/a'],
    ['https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC'],
    ['https://example.com/a/../../b', 'https://example.com/b'],
    ['https://@example.com/', 'https://example.com/'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['https://134744072/', 'https://8.8.8.8/'],
    ['https://[2606:4700:0:0::1111]:1024/', 'https://[2606:4700::1111]:1024/'],
    ['https://under_score.example.com/', 'https://under_score.example.com/'],
  ])('%s is called as %s', (text, url) => {
    expect(target(text).url).toBe(url);
  });

  it.each([
    ['', 'valid URL'],
    ['example.com/hooks', 'valid URL'],
    ['/hooks', 'valid URL'],
    ['https://', 'valid URL'],
    ['https://exa mple.com/', 'valid URL'],
    ['https://1.2.3.256/', 'valid URL'],
    ['https://[fe80::1%25eth0]/', 'valid URL'],
    ['https://example.com:65536/', 'valid URL'],
    ['http://example.com/', 'https'],
    ['ftp://example.com/', 'https'],
    ['file:///etc/passwd', 'https'],
    ['javascript:alert(1)', 'https'],
    ['https://user@example.com/', 'user name'],
    ['https://user:secret@example.com/', 'user name'],
    ['https://:secret@example.com/', 'user name'],
    ['https://example.com:80/', 'port'],
    ['https://example.com:25/', 'port'],
    ['https://example.com:0/', 'port'],
    ['https://localhost/', 'public host name'],
    ['https://localhost./', 'public host name'],
    ['https://a.localhost/', 'public host name'],
    ['https://intranet/', 'public host name'],
    ['https://api.svc.cluster.local/', 'public host name'],
    ['https://metadata.google.internal/', 'public host name'],
    ['https://ip-10-0-0-1.ec2.internal/', 'public host name'],
    ['https://a..example.com/', 'valid host name'],
    ['https://example.com../', 'valid host name'],
    ['https://-a.example.com/', 'valid host name'],
    [`https://${'a'.repeat(64)}.example.com/`, 'valid host name'],
    [`https://${'a.'.repeat(130)}com/`, 'valid host name'],
    ["https://a'b.example.com/", 'valid host name'],
  ])('%s is refused because of its %s', (text, why) => {
    expect(reason(text)).toContain(why);
  });

  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://0/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://0x7f.1/',
    'https://127.0.0.1./',
    'https://127。0。0。1/',
    'https://①②⑦.0.0.1/',
    'https://%31%32%37.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://10.1.2.3:8443/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:8.8.8.8]/',
    'https://[::ffff:7f00:1]/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://[2002:7f00:1::]/',
    'https://[fd00:ec2::254]/',
    'https://[2600::5efe:a00:1]/',
  ])('%s is refused because it lies inside', (text) => {
    expect(reason(text)).toBe('must not be a private address');
  });

  it('has at most 2,048 characters, as written and as called', () => {
    const fits = `https://example.com/${'a'.repeat(2048 - 20)}`;
    expect(target(fits).url).toBe(fits);
    expect(reason(`${fits}a`)).toContain('2048 characters');
    expect(reason(`https://example.com/${'ü'.repeat(1000)}`)).toContain('2048 characters');
  });

  it('never reads an address that is not public, however it is written', () => {
    const number = fc.nat({ max: 2 ** 32 - 1 });
    const radix = fc.constantFrom(
      (n: number) => String(n),
      (n: number) => `0x${n.toString(16)}`,
      (n: number) => `0${n.toString(8)}`,
    );
    const text = fc.tuple(number, radix, fc.integer({ min: 1, max: 4 })).map(([value, write, parts]) => {
      const bytes = [24, 16, 8].slice(0, parts - 1).map((shift) => (value >>> shift) & 255);
      const rest = parts === 1 ? value : value % 2 ** (32 - 8 * (parts - 1));
      return `https://${[...bytes, rest].map(write).join('.')}/`;
    });
    fc.assert(
      fc.property(text, (url) => {
        const read = readTarget(url);
        expect(read.ok).toBe(isPublicAddress(new URL(url).hostname));
      }),
      { numRuns: 500 },
    );
  });
});

describe('targets that may be private', () => {
  it('are allowed by the host and port in the URL', () => {
    const allowed = ' LOCALHOST:8443, 127.1:9000 ,[0:0::1]:443,';
    expect(target('https://localhost:8443/a', allowed)).toMatchObject({ mayBePrivate: true, isAddress: false });
    expect(target('https://localhost.:8443/a', allowed)).toMatchObject({ host: 'localhost', mayBePrivate: true });
    expect(target('https://127.0.0.1:9000/', allowed)).toMatchObject({ mayBePrivate: true, isAddress: true });
    expect(target('https://[::1]/', allowed)).toMatchObject({ host: '::1', authority: '[::1]', mayBePrivate: true });
    expect(target('https://example.com/', allowed)).toMatchObject({ mayBePrivate: false });
    expect(reason('https://localhost:8444/', allowed)).toContain('public host name');
    expect(reason('https://127.0.0.1:8443/', allowed)).toContain('private address');
    expect(reason('http://localhost:8443/', allowed)).toContain('https');
    expect(reason('https://me@localhost:8443/', allowed)).toContain('user name');
  });

  it.each(['localhost', 'https://localhost:8443', 'localhost:8443/a', 'a@localhost:1', 'localhost:99999'])(
    'cannot be written as %s',
    (entry) => {
      expect(() => readPrivateTargets(entry)).toThrow(entry);
    },
  );
});
