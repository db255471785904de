import { describe, expect, it } from 'vitest';
import {
  type TestDeps,
  testConfiguration,
} from '../../../functions/webhooks/configuration-tests/test-configuration.ts';
import type { Configuration } from '../../../functions/webhooks/configurations/configuration.ts';
import type { Posting } from '../../../functions/webhooks/deliveries/post-run.ts';
import { UNRESTRICTED } from '../../../shared/auth/account-status.ts';

const NOW = Date.parse('2026-11-21T10:00:00.000Z');
const configuration: Configuration = {
  id: 'cfg_1',
  tenant: 'acme',
  name: 'Warehouse',
  description: '',
  targetUrl: 'https://example.com/hooks',
  retryIntervalSeconds: 0,
  retryTimeoutSeconds: 120,
  maxAttempts: 3,
  authentication: { type: 'bearer', secret: 'sealed' },
  enabled: true,
  createdAt: '2026-11-21T09:00:00.000Z',
  updatedAt: '2026-11-21T09:00:00.000Z',
};

/** A test of the configuration, and what it posted. */
async function tested(own: Partial<Configuration> = {}, deps: Partial<TestDeps> = {}, payload?: string) {
  const posted: Posting[] = [];
  const stored = { ...configuration, ...own };
  const answer = await testConfiguration(
    {
      configurations: { byId: async ({ id }) => (id === stored.id ? stored : undefined) },
      allowance: { take: async () => true },
      secretsOf: async () => ({ authentication: 'clear', signing: [] }),
      statusOf: async () => UNRESTRICTED,
      post: async (posting) => {
        posted.push(posting);
        return { kind: 'not-answered', failure: 'dns_failed', timings: { totalMillis: 3 } };
      },
      now: () => NOW,
      ...deps,
    },
    { tenant: 'acme', id: 'cfg_1' },
    { idempotencyKey: 'key-1', payload },
  );
  return { answer, posted };
}

describe('the test of a configuration', () => {
  it('waits as long as the configuration says, and 20 seconds at the most', async () => {
    const timeouts = [1, 20, 120].map(async (retryTimeoutSeconds) => {
      const { posted } = await tested({ retryTimeoutSeconds });
      return posted[0]?.run.retryTimeoutSeconds;
    });
    expect(await Promise.all(timeouts)).toEqual([1, 20, 20]);
  });

  it('posts with the secret in clear and shows it masked', async () => {
    const { answer, posted } = await tested();
    expect(posted).toMatchObject([
      { secrets: { authentication: 'clear' }, run: { idempotencyKey: 'key-1', tenant: 'acme' } },
    ]);
    expect(answer.headers).toContainEqual({ name: 'Authorization', value: 'Bearer ***' });
    expect(JSON.stringify(answer)).not.toContain('clear');
    expect(answer).toMatchObject({ outcome: 'dns_failed', error: 'dns_failed', timings: { totalMillis: 3 } });
  });

  it.each([
    ['a configuration that does not exist', { configurations: { byId: async () => undefined } }, 404, 'not-found'],
    ['more tests than a tenant may make', { allowance: { take: async () => false } }, 429, 'too-many-tests'],
    ['a secret that cannot be decrypted', { secretsOf: async () => undefined }, 409, 'secret-unreadable'],
    [
      'a suspended account',
      { statusOf: async () => ({ active: false, apiIntegration: true }) },
      409,
      'account-suspended',
    ],
    [
      'an account whose webhooks are off',
      { statusOf: async () => ({ active: true, apiIntegration: false }) },
      409,
      'api-integration-off',
    ],
  ])('posts nothing for %s', async (_what, deps, status, code) => {
    const post = () => Promise.reject(new Error('It was posted.'));
    await expect(tested({}, { ...deps, post })).rejects.toMatchObject({ status, code });
  });
});
