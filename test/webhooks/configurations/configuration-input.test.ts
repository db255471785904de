import { describe, expect, it } from 'vitest';
import {
  ConfigurationChange,
  NewConfiguration,
} from '../../../functions/webhooks/configurations/configuration-input.ts';

const least = { name: 'Orders', targetUrl: 'https://example.com/hooks' };
const isTaken = (input: object) => NewConfiguration.safeParse({ ...least, ...input }).success;

describe('a stated configuration', () => {
  it.each([undefined, null, ''])('that leaves a field at %j gets what the specification says', (blank) => {
    const input = {
      ...least,
      retryIntervalSeconds: blank,
      retryTimeoutSeconds: blank,
      maxAttempts: blank,
      description: blank,
    };
    expect(NewConfiguration.parse(input)).toEqual({
      ...least,
      retryIntervalSeconds: 0,
      retryTimeoutSeconds: 30,
      maxAttempts: 3,
      description: '',
      enabled: true,
    });
  });

  it('is enabled or not, and stays as it is where a change does not say', () => {
    expect(NewConfiguration.parse({ ...least, enabled: false }).enabled).toBe(false);
    expect(ConfigurationChange.parse({ enabled: false })).toEqual({ enabled: false });
    expect(ConfigurationChange.parse({ description: 'x' })).toEqual({ description: 'x' });
    for (const enabled of [null, '', 'yes', 0]) expect(isTaken({ enabled })).toBe(false);
  });

  it.each([
    ['retryIntervalSeconds', 0, 86_400],
    ['retryTimeoutSeconds', 1, 120],
    ['maxAttempts', 1, 20],
  ])('has %s from %i to %i', (field, min, max) => {
    for (const value of [min, max]) expect(isTaken({ [field]: value })).toBe(true);
    for (const value of [min - 1, max + 1, min + 0.5, '5', true, [], Number.NaN, 1e300]) {
      expect([value, isTaken({ [field]: value })]).toEqual([value, false]);
    }
  });

  it('has a name of 1 to 50 characters on one line, blanks around it aside', () => {
    expect(NewConfiguration.parse({ ...least, name: `  ${'ü'.repeat(50)} ` }).name).toBe('ü'.repeat(50));
    expect(isTaken({ name: '🙂'.repeat(50) })).toBe(true);
    for (const name of ['', '   ', 'x'.repeat(51), '🙂'.repeat(51), 'a\nb', '\ud800', 5, null]) {
      expect([name, isTaken({ name })]).toEqual([name, false]);
    }
    // The same to the eye is the same name.
    expect(NewConfiguration.parse({ ...least, name: 'u\u0308' }).name).toBe('ü');
  });

  it('has at most 500 characters of description', () => {
    expect(isTaken({ description: 'two\nlines'.padEnd(500, '.') })).toBe(true);
    expect(isTaken({ description: 'x'.repeat(501) })).toBe(false);
  });

  it('may also hold the members that answers show, but nothing unknown', () => {
    const readOnly = {
      id: 'cfg_x',
      operationType: 'Outbound API Integration',
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
    };
    expect(Object.keys(NewConfiguration.parse({ ...least, ...readOnly }))).not.toContain('id');
    expect(isTaken({ operationType: 'Inbound' })).toBe(false);
    expect(isTaken({ retries: 3 })).toBe(false);
  });
});

describe('a change', () => {
  it('holds the named fields alone, and a blank one means its default', () => {
    expect(ConfigurationChange.parse({ maxAttempts: null, description: 'x' })).toEqual({
      maxAttempts: 3,
      description: 'x',
    });
  });

  it.each([[{}], [{ id: 'cfg_x' }], [{ name: '' }], [{ name: null }], [{ targetUrl: null }], [[]], [null]])(
    'is refused as %j',
    (input) => {
      expect(ConfigurationChange.safeParse(input).success).toBe(false);
    },
  );
});
