import { describe, expect, it } from 'vitest';
import {
  issuingSecrets,
  KeySecretsText,
  needsOf,
  withNewVersion,
  withoutVersion,
} from '../../../shared/auth/key-rotation.ts';
import { newKey, provenKey } from '../../../shared/auth/self-proving-key.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const CHANGED = Date.parse('2026-11-01T00:00:00Z');
const TWO = { 1: 'a'.repeat(32), 2: 'b'.repeat(32) };
const stored = { secrets: TWO, changedAt: CHANGED };
const key = { what: 'conversion key k1', tenant: 'acme', secretVersion: '1' };

describe('a version that is added', () => {
  it('makes keys once every function has read it, and not before', () => {
    expect(issuingSecrets(stored, CHANGED + 10 * MINUTE)).toEqual({ 1: TWO[1] });
    expect(issuingSecrets(stored, CHANGED + 11 * MINUTE)).toEqual(TWO);
  });

  it('makes keys at once if it is the only one', () => {
    const only = { 1: TWO[1] };
    expect(issuingSecrets({ secrets: only, changedAt: CHANGED }, CHANGED)).toEqual(only);
  });

  it('is named after the newest one, by digits and then by letters, up to z', () => {
    let secrets: Record<string, string> = { 9: 'a'.repeat(32) };
    for (let count = 0; count < 26; count += 1) secrets = withNewVersion(secrets, 'c'.repeat(32)).secrets;
    expect(Object.keys(secrets).toSorted().join('')).toBe('9abcdefghijklmnopqrstuvwxyz');
    expect(KeySecretsText.parse(JSON.stringify(secrets))).toEqual(secrets);
    expect(() => withNewVersion(secrets, 'd'.repeat(32))).toThrow('no version after z');
    const made = newKey({ kind: 'mk', tenant: 'acme', id: 'k1' }, secrets);
    expect(made.secretVersion).toBe('z');
    expect(provenKey(made.key, ['mk'], secrets)).toMatchObject({ id: 'k1' });
  });
});

describe('a version', () => {
  const needs = (version: string, now: number, issued: Parameters<typeof needsOf>[1]['issued']) =>
    needsOf(version, { stored, issued, now });

  it('is needed by every key that it proves, and by no other', () => {
    const keys = [key, { ...key, what: 'OAuth client k2' }, { ...key, what: 'conversion key k3', secretVersion: '2' }];
    expect(needs('1', CHANGED + DAY, { keys })).toEqual(['conversion key k1 of acme', 'OAuth client k2 of acme']);
  });

  it('is needed while it is the newest, even if nothing was made with it', () => {
    expect(needs('2', CHANGED + 365 * DAY, { keys: [] })).toEqual([
      'Version 2 is the newest: new keys are made with it.',
    ]);
  });

  it('is needed for half an hour, in which functions may still make keys with it', () => {
    expect(needs('1', CHANGED + 30 * MINUTE - 1, { keys: [] })).toEqual([
      'Keys made with version 1 may be in use until 2026-11-01T00:30:00.000Z.',
    ]);
    expect(needs('1', CHANGED + 30 * MINUTE, { keys: [] })).toEqual([]);
  });

  it('is needed until the last token that it signed is over', () => {
    const issued = { keys: [], tokenSeconds: 30 * 86_400 };
    expect(needs('1', CHANGED + 30 * DAY + 30 * MINUTE - 1, issued)).toHaveLength(1);
    expect(needs('1', CHANGED + 30 * DAY + 30 * MINUTE, issued)).toEqual([]);
  });

  it('is not taken out while it is needed, and not if it is none', () => {
    expect(() => withoutVersion(TWO, '1', ['conversion key k1 of acme'])).toThrow('conversion key k1 of acme');
    expect(() => withoutVersion(TWO, '3', [])).toThrow('There is no version 3.');
    expect(withoutVersion(TWO, '1', [])).toEqual({ 2: TWO[2] });
  });
});
