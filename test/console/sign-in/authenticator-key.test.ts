import { TOTP, URI } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { inGroups, isSecret, keyUriOf } from '../../../functions/console/sign-in/authenticator-key.ts';

const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXPJBSQ';

describe('the key of an authenticator app', () => {
  it.each(['demo', 'dana@example.com', 'a+b.c_d-e'])('is read by apps for %s', (name) => {
    const read = URI.parse(keyUriOf(SECRET, name));
    expect(read).toBeInstanceOf(TOTP);
    expect([read.label, read.issuer, read.secret.base32]).toEqual([name, 'Five Services', SECRET]);
  });

  it('is typed in groups of four', () => {
    expect(inGroups('ABCDEFGHIJ')).toBe('ABCD EFGH IJ');
    expect(inGroups(SECRET).replaceAll(' ', '')).toBe(SECRET);
  });

  it.each(['', 'JBSW', SECRET.toLowerCase(), `${SECRET}"><script>`, 'A'.repeat(129)])('is not %s', (text) => {
    expect(isSecret(text)).toBe(false);
  });

  it('has 160 bits or more', () => {
    expect([isSecret(SECRET), isSecret(SECRET.slice(0, 32))]).toEqual([true, true]);
  });
});
