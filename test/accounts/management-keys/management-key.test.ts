import { describe, expect, it } from 'vitest';
import {
  createManagementKey,
  type ManagementKey,
  ManagementKeyId,
  NewManagementKey,
  presentManagementKey,
} from '../../../functions/accounts/management-keys/management-key.ts';
import { provenKey } from '../../../shared/auth/self-proving-key.ts';

const SECRETS = { 1: 'a'.repeat(64) };
const BY = { kind: 'person', id: 'sub-1', name: 'dana', isOperator: false } as const;
const input = NewManagementKey.parse({ name: ' Announcer ', scopes: ['events', 'read'] });

describe('a management key as it is stated', () => {
  it('has a name without blanks around it, and scopes', () => {
    expect(input).toEqual({ name: 'Announcer', scopes: ['events', 'read'] });
  });

  it.each([
    ['no name', { scopes: ['read'] }],
    ['a blank name', { name: '  ', scopes: ['read'] }],
    ['a long name', { name: 'x'.repeat(51), scopes: ['read'] }],
    ['no scopes', { name: 'a' }],
    ['an empty list of scopes', { name: 'a', scopes: [] }],
    ['an unknown scope', { name: 'a', scopes: ['all'] }],
    ['a scope twice', { name: 'a', scopes: ['read', 'read'] }],
    ['a text for a list', { name: 'a', scopes: 'read' }],
    ['an expiry that is no time', { name: 'a', scopes: ['read'], expiresAt: 'tomorrow' }],
    ['an expiry without a zone', { name: 'a', scopes: ['read'], expiresAt: '2027-01-01T00:00:00' }],
    ['a member of no meaning', { name: 'a', scopes: ['read'], tenant: 'other' }],
  ])('is refused with %s', (_what, body) => {
    expect(NewManagementKey.safeParse(body).success).toBe(false);
  });
});

describe('a new management key', () => {
  it('proves itself by its tenant and id, and what is stored and shown does not hold it', async () => {
    const added: ManagementKey[] = [];
    const keys = {
      add: async (key: ManagementKey) => added.push(key) === 1,
      list: () => Promise.reject(new Error('not asked for')),
      revoke: () => Promise.reject(new Error('not asked for')),
    };
    const { key, stored } = await createManagementKey(keys, { tenant: 'acme', secrets: SECRETS, by: BY }, input, 0);
    expect(key).toMatch(/^mk_acme_/);
    expect(ManagementKeyId.safeParse(stored.id).success).toBe(true);
    expect(provenKey(key, ['mk'], SECRETS)).toEqual({ kind: 'mk', tenant: 'acme', id: stored.id, hash: stored.hash });
    expect(added).toEqual([stored]);
    expect(JSON.stringify(stored)).not.toContain(key.split('_').at(-1));
    expect(presentManagementKey(stored)).toEqual({
      id: stored.id,
      ...input,
      createdAt: '1970-01-01T00:00:00.000Z',
      createdBy: { kind: 'person', id: 'sub-1', name: 'dana', operator: false },
      lastUsedAt: null,
      expiresAt: null,
    });
  });

  it('expires in the future or not at all, at a moment that is stored in UTC', async () => {
    const keys = { add: async () => true, list: () => Promise.reject(new Error()), revoke: async () => false };
    const make = (expiresAt: string, now: number) =>
      createManagementKey(keys, { tenant: 'acme', secrets: SECRETS, by: BY }, { ...input, expiresAt }, now);
    const end = Date.UTC(2026, 11, 31, 23);
    const { stored } = await make('2027-01-01T00:00:00+01:00', end - 1);
    expect(stored.expiresAt).toBe('2026-12-31T23:00:00.000Z');
    await expect(make('2027-01-01T00:00:00+01:00', end)).rejects.toMatchObject({ status: 400, code: 'invalid-input' });
  });
});
