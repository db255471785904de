import { describe, expect, it } from 'vitest';
import {
  changeConfiguration,
  configurationScreen,
  createConfiguration,
} from '../../../functions/console/configurations/configuration.screens.tsx';
import {
  confirmEndOfPrevious,
  endPreviousSecrets,
  rotateSigningSecret,
} from '../../../functions/console/configurations/signing.screens.tsx';
import { renderedScreen } from '../../support/console/rendered-screen.tsx';

const SECRET = 'whsec_c2VjcmV0';
const signed = {
  id: 'cfg_1',
  name: 'Orders',
  targetUrl: 'https://example.com/',
  retryIntervalSeconds: 0,
  retryTimeoutSeconds: 30,
  maxAttempts: 3,
  description: '',
  enabled: true,
  authentication: { type: 'none', secretSet: false },
  signature: 'standard-webhooks',
  signingSecretSet: true,
  previousSigningSecretEndsAt: null as string | null,
  createdAt: '2026-11-23T10:00:00.000Z',
  updatedAt: '2026-11-23T10:00:00.000Z',
};
const path = { id: 'cfg_1' };
const form = { name: 'Orders', targetUrl: 'https://example.com/', signature: 'standard-webhooks' };
const answers = {
  'GET api-configurations/cfg_1': signed,
  'GET rules': { items: [] },
  'POST api-configurations': { ...signed, signingSecret: SECRET },
  'PUT api-configurations/cfg_1': { ...signed, signingSecret: SECRET },
  'POST api-configurations/cfg_1/signing-secret': { ...signed, signingSecret: SECRET },
  'DELETE api-configurations/cfg_1/signing-secret/previous': {},
};

describe('a signing secret', () => {
  it.each([
    ['is created', createConfiguration],
    ['moves to another server', changeConfiguration],
    ['gets a new secret', rotateSigningSecret],
  ])('is shown when a configuration %s, and a reload leads to where it is not', async (_what, screen) => {
    const { text, reloadLeadsTo, calls } = await renderedScreen(screen, { path, form, answers });
    expect(text).toContain(SECRET);
    expect(calls[0]?.body).toMatchObject(screen === rotateSigningSecret ? {} : { signature: 'standard-webhooks' });
    expect(reloadLeadsTo).toBe('/console/t/demo/api-configurations/cfg_1?shown-once=1');
    const again = await renderedScreen(configurationScreen, { path, query: { 'shown-once': '1' }, answers });
    expect(again.text).toContain("If you haven't copied it, rotate it.");
    expect(again.html).not.toContain('whsec_');
  });

  it('is not asked for by a save that makes none', async () => {
    const unsigned = { ...answers, 'PUT api-configurations/cfg_1': signed };
    const { to } = await renderedScreen(changeConfiguration, { path, form, answers: unsigned });
    expect(to).toBe('/console/t/demo/api-configurations/cfg_1?notice=saved');
  });

  it('that was replaced is shown with its end, and ended when that is confirmed', async () => {
    const rotating = { ...signed, previousSigningSecretEndsAt: '2026-11-24T10:00:00.000Z' };
    const now = { ...answers, 'GET api-configurations/cfg_1': rotating };
    const { links } = await renderedScreen(configurationScreen, { path, answers: now });
    const end = '/console/t/demo/api-configurations/cfg_1/signing-secret/previous';
    expect(links.get('End it now…')).toBe(end);
    expect((await renderedScreen(confirmEndOfPrevious, { path, answers: now })).html).toContain(`action="${end}"`);
    const { calls } = await renderedScreen(endPreviousSecrets, { path, answers: now });
    expect(calls).toMatchObject([{ method: 'DELETE' }]);
    expect((await renderedScreen(configurationScreen, { path, answers })).links.has('End it now…')).toBe(false);
  });
});

it('a configuration whose requests are not signed offers no rotation', async () => {
  const plain = { ...answers, 'GET api-configurations/cfg_1': { ...signed, signature: 'none' } };
  const { text } = await renderedScreen(configurationScreen, { path, answers: plain });
  expect(text).toContain('Standard Webhooks (HMAC-SHA256)');
  expect(text).not.toContain('Rotate secret');
});
