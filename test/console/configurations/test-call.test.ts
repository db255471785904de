import { describe, expect, it } from 'vitest';
import { testCall } from '../../../functions/console/configurations/test-call.screen.tsx';
import { ManagementFailure } from '../../../functions/console/management/management.ts';
import { renderedScreen } from '../../support/console/rendered-screen.tsx';
import { sentAttempt } from '../../support/console/run-answers.ts';

const configuration = {
  id: 'cfg_1',
  name: 'Cases',
  targetUrl: 'https://cases.example.com/hooks',
  retryIntervalSeconds: 0,
  retryTimeoutSeconds: 30,
  maxAttempts: 3,
  description: '',
  authentication: { type: 'none', secretSet: false },
  createdAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-01T00:00:00.000Z',
};
const sent = { payload: '{"test":true}', headers: [{ name: 'X-Service-Test', value: 'true' }] };
const called = (answer: unknown) =>
  renderedScreen(testCall, {
    path: { id: 'cfg_1' },
    answers: { 'GET api-configurations/cfg_1': configuration, 'POST api-configurations/cfg_1/test': answer },
  });

describe('a test call', () => {
  it('shows the request beside the response, with a verdict', async () => {
    const { text, html } = await called({ ...sentAttempt({ responseBody: '{"thanks":1}' }), ...sent });
    expect(text).toContain('It works. The endpoint answered 200 OK');
    expect(text).toMatch(
      /Request .*POST https:\/\/cases\.example\.com\/ hooks .*X-Service-Test true .*Response .*200 OK/,
    );
    expect(html).toContain('<span class="json-key">&quot;test&quot;</span>');
    expect(html).toContain('<span class="json-key">&quot;thanks&quot;</span>');
  });

  it('says why it failed and what to do', async () => {
    const refused = sentAttempt({ outcome: 'tls_failed', responseCode: null, responseBody: null });
    const { text } = await called({ ...refused, ...sent });
    expect(text).toMatch(/TLS handshake with cases\.example\.com failed\. Check its certificate/);
    expect(text).toContain('There was no response.');
  });

  it('can be sent again by a form, also after the service has refused it', async () => {
    const refusal = new ManagementFailure({ status: 429, code: 'too-many-tests', detail: 'Wait.' });
    for (const answer of [{ ...sentAttempt(), ...sent }, refusal]) {
      const { html } = await called(answer);
      expect(html).toMatch(/<form method="post" action="[^"]*cfg_1\/test"[^>]*>.*Send again/s);
    }
  });
});
