import { describe, expect, it } from 'vitest';
import type { Configuration } from '../../../functions/webhooks/configurations/configuration.ts';
import type { Attempt } from '../../../functions/webhooks/runs/attempt.ts';
import { type Payload, snapshotOf } from '../../../functions/webhooks/runs/run.ts';
import { attemptsPage, presentRunDetails } from '../../../functions/webhooks/runs/run-details.ts';
import { created } from '../../../functions/webhooks/runs/run-machine.ts';
import { maskedAuthHeader } from '../../../functions/webhooks/sending/request-headers.ts';

const configuration: Configuration = {
  id: 'cfg_1',
  tenant: 'acme',
  name: 'Warehouse',
  description: '',
  targetUrl: 'https://example.com/hooks',
  retryIntervalSeconds: 0,
  retryTimeoutSeconds: 30,
  maxAttempts: 3,
  authentication: { type: 'apiKey', headerName: 'X-Api-Key', secret: 'c2VhbGVk' },
  enabled: true,
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
};
const run = created({
  id: 'run_1',
  tenant: 'acme',
  eventId: 'event',
  ruleId: 'rule',
  module: 'dsar',
  trigger: 'DSAR starts',
  record: 'subject request: 1',
  idempotencyKey: 'key-1',
  createdAt: 1_000,
  ...snapshotOf(configuration),
});
const payload: Payload = {
  body: Buffer.from('{}'),
  headers: [
    ['X-Trace', 'a'],
    ['x-api-key', 'mine'],
  ],
  createdAt: 1_000,
};
const attempt = (number: number, own: Partial<Attempt> = {}): Attempt => ({
  attempt: number,
  part: 0,
  targetUrl: configuration.targetUrl,
  startedAt: 2_000,
  outcome: 'http_status',
  ...own,
});
const bearer = { ...configuration, authentication: { type: 'bearer', secret: 'c2VhbGVk' } } as const;
const authHeader = maskedAuthHeader(configuration.authentication)!;

const headersOf = (attempts: readonly Attempt[], now: Configuration | undefined) =>
  presentRunDetails({ run, payload, attempts }, now)
    .headers.map(({ name, value }) => `${name}: ${value}`)
    .slice(4);

describe('the headers of a run', () => {
  it('are those of its last attempt, whatever became of the configuration since', () => {
    const sent = ['X-Trace: a', 'X-Api-Key: ***'];
    expect(headersOf([attempt(1, { authHeader })], bearer)).toEqual(sent);
    expect(headersOf([attempt(1, { authHeader })], undefined)).toEqual(sent);
    expect(headersOf([attempt(1, { authHeader }), attempt(2, { outcome: 'interrupted' })], bearer)).toEqual(sent);
    const unauthenticated = ['X-Trace: a', 'x-api-key: mine'];
    expect(headersOf([attempt(1, { authHeader }), attempt(2)], configuration)).toEqual(unauthenticated);
  });

  it('show that it was signed, and when, but no signature', () => {
    expect(headersOf([attempt(1, { signatures: 2 })], undefined).slice(-3)).toEqual([
      'webhook-id: key-1',
      'webhook-timestamp: 2',
      'webhook-signature: v1,*** v1,***',
    ]);
  });

  it('are before the first attempt those that it would send now', () => {
    expect(headersOf([], configuration)).toEqual(['X-Trace: a', 'X-Api-Key: ***']);
    expect(headersOf([], bearer)).toEqual(['X-Trace: a', 'x-api-key: mine', 'Authorization: Bearer ***']);
  });
});

describe('the attempts of a run', () => {
  const attempts = [attempt(1, { outcome: 'interrupted' }), attempt(1, { part: 1 }), attempt(2), attempt(10)];

  it('are listed newest first, page by page', () => {
    const parts: string[] = [];
    for (let cursor: string | undefined, pages = 1; pages <= 2; pages += 1) {
      const page = attemptsPage({ run, attempts }, { limit: 2, ...(cursor !== undefined && { cursor }) });
      parts.push(...page.items.map((one) => `${one.attempt}.${one.part}`));
      cursor = page.nextCursor;
      expect(cursor === undefined).toBe(pages === 2);
    }
    expect(parts).toEqual(['10.0', '2.0', '1.1', '1.0']);
  });

  it('take no cursor of another list', () => {
    const { nextCursor = '' } = attemptsPage({ run: { ...run, id: 'run_2' }, attempts }, { limit: 1 });
    expect(() => attemptsPage({ run, attempts }, { limit: 1, cursor: nextCursor })).toThrow(
      'The cursor does not belong to this list.',
    );
  });
});
