import { describe, expect, it } from 'vitest';
import { type Credentials, identifyCaller } from '../../functions/edge/identify-caller.ts';
import type { KnownManagementKey } from '../../shared/auth/management-key.ts';
import { newKey } from '../../shared/auth/self-proving-key.ts';

const SECRETS = { 1: 'a'.repeat(64) };
const { key, hash } = newKey({ kind: 'mk', tenant: 'acme', id: 'k1' }, SECRETS);
const STORED: KnownManagementKey = { tenant: 'acme', name: 'Announcer', scopes: ['events'], hash };

/** Counts the looks at the table, at the secret and at the keys of tokens. */
function credentialsWith(stored: KnownManagementKey | 'none' = STORED, active = true, recordUse = async () => {}) {
  const looks: string[] = [];
  const credentials: Credentials = {
    tokens: {
      issuer: 'https://issuer',
      audiences: ['client'],
      consoleAudience: 'console',
      people: { byId: async () => undefined, recordRequest: async () => {} },
      signingKeys: async () => {
        looks.push('tokens');
        return undefined;
      },
    },
    keys: {
      byId: async (id) => {
        looks.push(`table ${id}`);
        return stored === 'none' ? undefined : stored;
      },
      recordUse: (id, { lastUsedAt }) => {
        looks.push(`use of ${id} after ${lastUsedAt}`);
        return recordUse();
      },
    },
    keySecrets: async () => {
      looks.push('secret');
      return SECRETS;
    },
    statusOf: async (tenant) => {
      looks.push(`status ${tenant}`);
      return { active, apiIntegration: true };
    },
  };
  const identify = (header: string, now = 0) => identifyCaller(header, credentials, now);
  return { identify, looks };
}

const NOT_VALID = { refused: 'The key is not valid.' };

describe('a management key', () => {
  it('stands for its tenant with its scopes, never for an operator, after a look at the key and one at its account', async () => {
    const { identify, looks } = credentialsWith();
    expect(await identify(`Bearer ${key}`)).toEqual({
      tenant: 'acme',
      operator: false,
      scopes: ['events'],
      subject: 'k1',
      name: 'Announcer',
      credential: 'key',
    });
    expect(await identify(`bearer  ${key} `)).toMatchObject({ tenant: 'acme' });
    const once = ['secret', 'table k1', 'status acme'];
    expect(looks.filter((look) => !look.startsWith('use'))).toEqual([...once, ...once]);
  });

  it('of a suspended account is told so, and a revoked one that it is revoked', async () => {
    const header = `Bearer ${key}`;
    expect(await credentialsWith(STORED, false).identify(header)).toEqual({ suspended: true });
    const revoked = { ...STORED, revokedAt: '2026-01-01T00:00:00.000Z' };
    expect(await credentialsWith(revoked, false).identify(header)).toEqual({ refused: 'The key has been revoked.' });
  });

  it('has its use noted once an hour at most', async () => {
    const used = (lastUsedAt?: string) => credentialsWith({ ...STORED, lastUsedAt });
    const hour = 3_600_000;
    const last = new Date(0).toISOString();
    const notes = async ({ identify, looks }: ReturnType<typeof credentialsWith>, now: number) => {
      expect(await identify(`Bearer ${key}`, now)).toMatchObject({ tenant: 'acme' });
      return looks.filter((look) => look.startsWith('use'));
    };
    expect(await notes(used(), 0)).toEqual(['use of k1 after undefined']);
    expect(await notes(used(last), hour - 1)).toEqual([]);
    expect(await notes(used(last), hour)).toEqual([`use of k1 after ${last}`]);
  });

  it('is accepted although its use cannot be noted', async () => {
    const { identify } = credentialsWith(STORED, true, () => Promise.reject(new Error('the table hangs')));
    expect(await identify(`Bearer ${key}`)).toMatchObject({ tenant: 'acme' });
  });

  it('is refused from the moment at which it expires, and its use is not noted', async () => {
    const { identify, looks } = credentialsWith({ ...STORED, expiresAt: new Date(5_000).toISOString() });
    expect(await identify(`Bearer ${key}`, 4_999)).toMatchObject({ tenant: 'acme' });
    looks.length = 0;
    expect(await identify(`Bearer ${key}`, 5_000)).toEqual({ refused: 'The key has expired.' });
    expect(looks).toEqual(['secret', 'table k1']);
  });

  it.each([
    ['is forged', `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`],
    ['names another tenant', key.replace('mk_acme_', 'mk_acma_')],
    ['names another key', key.replace('_k1_', '_k2_')],
    ['was made with another secret', newKey({ kind: 'mk', tenant: 'acme', id: 'k1' }, { 1: 'b'.repeat(64) }).key],
    ['is nothing but its beginning', 'mk_'],
  ])('is refused without a look at the table if it %s', async (_how, forged) => {
    const { identify, looks } = credentialsWith();
    expect(await identify(`Bearer ${forged}`)).toEqual(NOT_VALID);
    expect(looks).toEqual(['secret']);
  });

  it('is refused if it is not stored, is stored otherwise, or was revoked', async () => {
    const header = `Bearer ${key}`;
    const { identify } = credentialsWith({ ...STORED, revokedAt: '2026-01-01T00:00:00.000Z' });
    expect(await identify(header)).toEqual({ refused: 'The key has been revoked.' });
    expect(await credentialsWith({ ...STORED, hash: 'other' }).identify(header)).toEqual(NOT_VALID);
    expect(await credentialsWith({ ...STORED, tenant: 'other' }).identify(header)).toEqual(NOT_VALID);
    expect(await credentialsWith('none').identify(header)).toEqual(NOT_VALID);
  });
});

describe('a header', () => {
  it.each(['', 'Bearer', 'Bearer ', key, `Basic ${key}`, `Bearer ${key} x`, `Bearer ${key},Bearer ${key}`])(
    'that is %j identifies nobody, at no cost',
    async (header) => {
      const { identify, looks } = credentialsWith();
      expect(await identify(header)).toHaveProperty('refused');
      expect(looks.filter((look) => look !== 'secret')).toEqual([]);
    },
  );
});
