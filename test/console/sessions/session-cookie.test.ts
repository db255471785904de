import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newSessionId } from '../../../functions/console/sessions/sealed-tokens.ts';
import {
  endedCookie,
  sessionCookie,
  sessionIdIn,
  timeZoneIn,
} from '../../../functions/console/sessions/session-cookie.ts';

const secure = { isSecure: true };
const local = { isSecure: false };

describe('the cookie of a session', () => {
  it('is of this host alone over https, and is never shown to scripts', () => {
    const id = newSessionId();
    expect(sessionCookie(id, secure)).toBe(`__Host-console=${id}; Path=/; HttpOnly; SameSite=Lax; Secure`);
    expect(sessionCookie(id, local)).toBe(`console=${id}; Path=/; HttpOnly; SameSite=Lax`);
    expect(endedCookie(secure)).toContain('Max-Age=0');
  });

  it('is read under its own name only', () => {
    const id = newSessionId();
    expect(sessionIdIn(['a=b', `__Host-console=${id}`], secure)).toBe(id);
    expect(sessionIdIn([`console=${id}`], secure)).toBeUndefined();
    expect(sessionIdIn([`__Host-console=${id}`], local)).toBeUndefined();
    expect(sessionIdIn([], secure)).toBeUndefined();
  });

  it('holds nothing that was never given out', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const found = sessionIdIn([`console=${value}`], local);
        expect(found === undefined || /^[\w-]{43}$/.test(found)).toBe(true);
      }),
    );
  });
});

describe('the time zone of the browser', () => {
  it.each([
    ['Europe%2FBerlin', 'Europe/Berlin'],
    ['America/New_York', 'America/New_York'],
    ['', 'UTC'],
    ['Mars%2FOlympus', 'UTC'],
    ['%E0%A4', 'UTC'],
    ['x'.repeat(5_000), 'UTC'],
  ])('%s is %s', (value, zone) => {
    expect(timeZoneIn([`zone=${value}`])).toBe(zone);
  });

  it('is UTC without a cookie', () => {
    expect(timeZoneIn([])).toBe('UTC');
  });
});
