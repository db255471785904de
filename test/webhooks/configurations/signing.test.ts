import { beforeEach, describe, expect, it } from 'vitest';
import type { Configuration, Configurations } from '../../../functions/webhooks/configurations/configuration.ts';
import {
  ConfigurationChange,
  NewConfiguration,
} from '../../../functions/webhooks/configurations/configuration-input.ts';
import {
  changeConfiguration,
  createConfiguration,
} from '../../../functions/webhooks/configurations/manage-configurations.ts';
import { endPreviousSecrets, rotateSigningSecret } from '../../../functions/webhooks/configurations/manage-signing.ts';
import { presentSaved } from '../../../functions/webhooks/configurations/present-configuration.ts';
import { secretsOf } from '../../../functions/webhooks/configurations/secrets.kms.ts';

const HOUR_MILLIS = 3_600_000;
const KEY = { tenant: 'acme', id: 'cfg_1' };
const WHERE = { name: 'Orders', targetUrl: 'https://example.com/hooks' };

let now: number;
let stored: Configuration | undefined;
let secrets: number;
/** Somebody else saves between the reading and the writing of a change. */
let conflict: ((configuration: Configuration) => Configuration) | undefined;
beforeEach(() => {
  now = Date.parse('2026-11-25T10:00:00Z');
  [stored, secrets, conflict] = [undefined, 0, undefined];
});

const configurations = {
  add: async (configuration) => {
    stored = configuration;
    return 'added';
  },
  change: async (_key, edit) => {
    if (!stored) return 'missing';
    if (conflict) {
      await edit(stored);
      stored = conflict(stored);
      conflict = undefined;
    }
    stored = await edit(stored);
    return stored;
  },
} satisfies Partial<Configurations> as unknown as Configurations;
const saving = {
  configurations,
  newSigningSecret: () => `whsec_${(secrets += 1)}`,
  encrypt: async (secret: string) => `sealed ${secret}`,
  privateTargets: new Set<string>(),
};
const decrypt = async (ciphertext: string) => ciphertext.replace('sealed ', '');

const create = async (own: object = {}) =>
  presentSaved(await createConfiguration(saving, NewConfiguration.parse({ ...WHERE, ...own }), { ...KEY, now }), now);
const change = async (body: object) =>
  presentSaved(await changeConfiguration(saving, ConfigurationChange.parse(body), { ...KEY, now }), now);
const rotate = async () => presentSaved(await rotateSigningSecret(saving, { ...KEY, now }), now);
/** The secrets that sign an attempt at this time. */
const signing = async () => (await secretsOf({ decrypt })(stored!, now))?.signing;
const SIGNED = { signature: 'standard-webhooks' };

describe('requests are not signed', () => {
  it('unless the configuration asks for it, and no secret is made', async () => {
    expect(await create()).toMatchObject({ signature: 'none', signingSecretSet: false });
    expect(await change({ targetUrl: 'https://example.org/' })).not.toHaveProperty('signingSecret');
    expect([await signing(), secrets]).toEqual([[], 0]);
    await expect(rotate()).rejects.toMatchObject({ status: 409, code: 'not-signed' });
  });

  it('any more when the signature is turned off, and turned on again it has another secret', async () => {
    const first = await create(SIGNED);
    expect(await change({ signature: 'none' })).toMatchObject({ signature: 'none', signingSecretSet: false });
    expect(await signing()).toEqual([]);
    const { signingSecret } = await change(SIGNED);
    expect([first.signingSecret, signingSecret, await signing()]).toEqual(['whsec_1', 'whsec_2', ['whsec_2']]);
  });
});

describe('the secret that signs', () => {
  it('is shown when it is made and never again, and stored as ciphertext', async () => {
    expect(await create(SIGNED)).toMatchObject({ ...SIGNED, signingSecretSet: true, signingSecret: 'whsec_1' });
    const renamed = await change({ name: 'Renamed' });
    expect(renamed).toMatchObject({ ...SIGNED, signingSecretSet: true, previousSigningSecretEndsAt: null });
    expect(JSON.stringify(renamed)).not.toContain('whsec_');
    expect(stored?.signingSecrets).toEqual([{ secret: 'sealed whsec_1' }]);
  });

  it.each([
    ['is not stated', {}],
    ['is stated again', SIGNED],
    ['comes back in an answer', { ...SIGNED, signingSecret: 'x', signingSecretSet: true }],
  ])('stays when the signature %s and the server is the same', async (_what, own) => {
    await create(SIGNED);
    await rotate();
    await change({ ...WHERE, targetUrl: 'https://example.com:443/other', ...own });
    expect(await signing()).toEqual(['whsec_2', 'whsec_1']);
  });

  it.each(['https://example.org/hooks', 'https://example.com:8443/hooks', 'https://example.com.listener.net/hooks'])(
    'does not follow the URL to %s: that server gets a new one, and none of the old ones',
    async (targetUrl) => {
      await create(SIGNED);
      await rotate();
      const { signingSecret, previousSigningSecretEndsAt } = await change({ targetUrl });
      expect([signingSecret, previousSigningSecretEndsAt, await signing()]).toEqual(['whsec_3', null, ['whsec_3']]);
      expect((await change({ targetUrl: WHERE.targetUrl })).signingSecret).toBe('whsec_4');
    },
  );

  it('is the stored one when the save is repeated after a conflict', async () => {
    await create(SIGNED);
    conflict = (one) => ({ ...one, description: 'meanwhile' });
    expect((await rotate()).signingSecret).toBe('whsec_3');
    expect(await signing()).toEqual(['whsec_3', 'whsec_1']);
    conflict = (one) => ({ ...one, targetUrl: 'https://example.org/' });
    expect(await change({ targetUrl: 'https://example.org/' })).not.toHaveProperty('signingSecret');
  });

  it.each(['webhook-id', 'Webhook-Signature'])(
    'cannot be joined by an API key in the header %s',
    async (headerName) => {
      const authentication = { type: 'apiKey', headerName, key: 'key' };
      await expect(create({ ...SIGNED, authentication })).rejects.toMatchObject({ code: 'invalid-input' });
      await create({ authentication });
      await expect(change(SIGNED)).rejects.toMatchObject({ code: 'invalid-input' });
    },
  );
});

describe('a rotation', () => {
  it('leaves the secret before it valid for a day', async () => {
    await create(SIGNED);
    const { signingSecret, previousSigningSecretEndsAt } = await rotate();
    expect([signingSecret, previousSigningSecretEndsAt]).toEqual(['whsec_2', '2026-11-26T10:00:00.000Z']);
    now += 24 * HOUR_MILLIS - 1;
    expect(await signing()).toEqual(['whsec_2', 'whsec_1']);
    now += 1;
    expect(await signing()).toEqual(['whsec_2']);
    expect((await change({ description: 'x' })).previousSigningSecretEndsAt).toBeNull();
  });

  it('that is repeated because its answer was lost ends no secret that receivers may know', async () => {
    await create(SIGNED);
    await rotate();
    now += HOUR_MILLIS;
    expect((await rotate()).previousSigningSecretEndsAt).toBe('2026-11-26T11:00:00.000Z');
    expect(await signing()).toEqual(['whsec_3', 'whsec_2', 'whsec_1']);
    now += 23 * HOUR_MILLIS;
    expect(await signing()).toEqual(['whsec_3', 'whsec_2']);
  });

  it('can be ended at once, which may be said twice', async () => {
    await create(SIGNED);
    await rotate();
    for (let times = 0; times < 2; times += 1) {
      await endPreviousSecrets(configurations, { ...KEY, now });
      expect(await signing()).toEqual(['whsec_2']);
    }
  });

  it('of what does not exist is not found', async () => {
    await expect(rotate()).rejects.toMatchObject({ status: 404 });
    await expect(endPreviousSecrets(configurations, { ...KEY, now })).rejects.toMatchObject({ status: 404 });
  });
});

it('an attempt is not made with half of its secrets', async () => {
  await create(SIGNED);
  await rotate();
  const unreadable = secretsOf({ decrypt: async (one) => (one.endsWith('1') ? undefined : decrypt(one)) });
  expect(await unreadable(stored!, now)).toBeUndefined();
  expect(await unreadable(stored!, now + 24 * HOUR_MILLIS)).toEqual({ signing: ['whsec_2'] });
});
