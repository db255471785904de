import { describe, expect, it } from 'vitest';
import { failureOfAttempt, failureOfRun } from '../../../functions/console/runs/failure-cause.ts';
import type { Attempt } from '../../../functions/console/runs/run-answers.ts';
import { OUTCOMES } from '../../../functions/webhooks/runs/attempt-line.ts';
import { sentAttempt } from '../../support/console/run-answers.ts';

const targetUrl = 'https://cases.example.com:8443/hooks?key=1';
const attempt = (own: Partial<Attempt>) =>
  sentAttempt({ outcome: 'http_status', targetUrl, responseCode: null, ...own });
const failed = (...attemptLog: Attempt[]) =>
  failureOfRun({ error: attemptLog.at(-1)?.outcome ?? null, targetUrl, attemptLog });

describe('why a run failed', () => {
  it.each([
    ['dns_failed', null, /^The DNS name cases\.example\.com:8443 could not be resolved\.$/, /typing error/],
    ['connection_refused', null, /refused the connection\.$/, /server runs/],
    ['tls_failed', null, /^The TLS handshake/, /certificate/],
    ['timeout', null, /did not respond within 30 s\.$/, /Retry Timeout/],
    ['http_status', 301, /answered 301 Moved Permanently\.$/, /final address/],
    ['http_status', 401, /answered 401 Unauthorized\.$/, /authentication/],
    ['http_status', 404, /answered 404 Not Found\.$/, /path/],
    ['http_status', 418, /answered 418 /, /response may say why/],
    ['http_status', 429, /answered 429 Too Many Requests\.$/, /Retry Interval/],
    ['http_status', 500, /answered 500 Internal Server Error\.$/, /log/],
    ['http_status', 503, /answered 503 Service Unavailable\.$/, /overloaded/],
    ['http_status', 599, /answered 599\.$/, /log/],
  ])('is said for %s %s, with what to do', (outcome, responseCode, sentence, advice) => {
    const cause = failureOfAttempt(attempt({ outcome, responseCode }));
    expect(cause.sentence).toMatch(sentence);
    expect(cause.advice).toMatch(advice);
  });

  it('counts attempts that failed in the same way, and names the last one if they differ', () => {
    const busy = attempt({ responseCode: 503 });
    expect(failed(busy, busy, busy).sentence).toBe(
      'cases.example.com:8443 answered 503 Service Unavailable in all 3 attempts.',
    );
    expect(failed(busy, attempt({ outcome: 'interrupted' }), busy).sentence).toMatch(/ in both attempts\.$/);
    expect(failed(busy, attempt({ outcome: 'timeout' })).sentence).toMatch(/did not respond within 30 s\.$/);
    expect(failed(...Array.from({ length: 20 }, () => busy)).sentence).toMatch(/ in all 20 attempts\.$/);
  });

  it('is that of the run itself if no attempt caused it', () => {
    const disabled = failureOfRun({
      error: 'config_disabled',
      targetUrl,
      attemptLog: [attempt({ responseCode: 503 })],
    });
    expect(disabled.sentence).toContain('was disabled');
    expect(failureOfRun({ error: 'payload_too_large', targetUrl, attemptLog: [] }).sentence).toContain('380 KB');
  });

  it('is said without codes of the API, whatever it is', () => {
    const own = [
      'payload_too_large',
      'payload_missing',
      'config_missing',
      'secret_unreadable',
      'endpoint_unresponsive',
    ];
    for (const error of [...OUTCOMES, ...own, 'new_error', 'toString']) {
      const { sentence, advice } = failureOfRun({ error, targetUrl, attemptLog: [] });
      expect(`${sentence} ${advice}`, error).not.toMatch(/_|undefined/);
      expect(advice, error).toMatch(/\.$/);
    }
  });
});
