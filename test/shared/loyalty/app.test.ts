import { describe, expect, it } from 'vitest';
import { AppChange } from '../../../functions/accounts/apps/app-settings.ts';
import { AppSettings } from '../../../shared/loyalty/app.ts';
import { appSecretHash, isAppSecret, newAppSecret } from '../../../shared/loyalty/app-secret.ts';

const DEFAULTS = {
  distanceUnit: 'km',
  placesEnabled: true,
  imagesEnabled: true,
  radiusMeters: 5_000,
  limit: 20,
  acceptedDistanceMeters: 100,
  cooldownSeconds: 86_400,
  checkInsPerDay: 10,
  checkInsPerBrandAndDay: 0,
  imagesPerRecord: 10,
  submissionsPerDay: 20,
};
const BOUNDS = [
  ['radiusMeters', 1, 50_000],
  ['limit', 1, 100],
  ['acceptedDistanceMeters', 1, 50_000],
  ['cooldownSeconds', 1, 31_622_400],
  ['checkInsPerDay', 1, 1_000],
  ['checkInsPerBrandAndDay', 0, 1_000],
  ['imagesPerRecord', 1, 40],
  ['submissionsPerDay', 1, 1_000],
] as const;

describe('the settings of an app', () => {
  it('need only a name', () => {
    expect(AppSettings.parse({ name: ' Shop ' })).toEqual({ name: 'Shop', ...DEFAULTS });
    expect(AppSettings.safeParse({}).success).toBe(false);
  });

  it.each(BOUNDS)('take %s from %d to %d, and no other', (field, min, max) => {
    const takes = (value: unknown) => AppSettings.safeParse({ name: 'Shop', [field]: value }).success;
    expect([min, max].map(takes)).toEqual([true, true]);
    expect([min - 1, max + 1, min + 0.5, String(min), null].map(takes)).toEqual([false, false, false, false, false]);
  });

  it.each([
    { name: '' },
    { name: '  ' },
    { name: 'n'.repeat(101) },
    { name: 'Shop', distanceUnit: 'm' },
    { name: 'Shop', placesEnabled: 'true' },
    { name: 'Shop', tenant: 'victim' },
    { name: 'Shop', secretHash: 'mine' },
  ])('are not %j', (settings) => {
    expect(AppSettings.safeParse(settings).success).toBe(false);
  });
});

describe('a change of an app', () => {
  it('contains its own members, and no default of others', () => {
    expect(AppChange.parse({ limit: 7 })).toEqual({ limit: 7 });
  });

  it('may be an answer sent back as it was', () => {
    const answer = { id: 'app_1', apiKey: 'app_1', createdAt: '2026-01-01T00:00:00.000Z', name: 'Shop', ...DEFAULTS };
    expect(AppChange.parse(answer)).toEqual({ name: 'Shop', ...DEFAULTS });
  });

  it.each(BOUNDS)('takes %s from %d to %d, and no other', (field, min, max) => {
    const takes = (value: unknown) => AppChange.safeParse({ [field]: value }).success;
    expect([min, max].map(takes)).toEqual([true, true]);
    expect([min - 1, max + 1, min + 0.5].map(takes)).toEqual([false, false, false]);
  });

  it.each([{}, { id: 'app_1' }, { tenant: 'victim' }, { secretHash: 'mine' }, { name: null }])(
    'is not %j',
    (change) => {
      expect(AppChange.safeParse(change).success).toBe(false);
    },
  );
});

describe('the secret of an app', () => {
  it('has 256 random bits, and is recognised by a hash that does not reveal it', () => {
    const secret = newAppSecret();
    const hash = appSecretHash(secret);
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(hash).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(isAppSecret(secret, hash)).toBe(true);
    expect(new Set(Array.from({ length: 100 }, newAppSecret)).size).toBe(100);
  });

  it('is not accepted as any other text, not even its own hash', () => {
    const secret = newAppSecret();
    const hash = appSecretHash(secret);
    for (const other of ['', hash, `${secret} `, secret.slice(1), newAppSecret()]) {
      expect(isAppSecret(other, hash)).toBe(false);
    }
    expect(isAppSecret(secret, '')).toBe(false);
    expect(isAppSecret(secret, hash.slice(0, 20))).toBe(false);
  });
});
