import * as z from 'zod';
import type { StatusOf } from '#shared/auth/account-status';
import { Refusal } from '#shared/errors';
import { isoTime } from '#shared/formats/timestamp';
import type { TenantKey } from '#shared/ids';
import type { ClearSecrets, Configuration, Configurations } from '../configurations/configuration.ts';
import { configurationById } from '../configurations/configuration.ts';
import type { Posting } from '../deliveries/post-run.ts';
import { requireDelivering } from '../pauses/pause.ts';
import { BodyInput } from '../rules/rule-input.ts';
import { attemptOf, presentAttempt } from '../runs/attempt.ts';
import { snapshotOf } from '../runs/run.ts';
import { maskedAuthHeader, maskedHeaders } from '../sending/request-headers.ts';
import type { Header, SendResult } from '../sending/sending.ts';
import { maskedSignatureHeaders } from '../sending/signature.ts';

export const TESTS_PER_MINUTE = 20;
/** The caller waits for the result, and API Gateway ends a request after 30 seconds. */
const TIMEOUT_SECONDS_MAX = 20;
/** Marks the request as a test for the endpoint. */
const TEST_HEADER: Header = ['X-Service-Test', 'true'];

/** The payload of a test: a JSON object, or the text of one, which is posted as it is. */
export const ConfigurationTest = z.strictObject({ payload: BodyInput.optional() }).prefault({});

export interface TestAllowance {
  /** Counts a test; false if the tenant has reached the limit of this minute. */
  take(tenant: string, now: number): Promise<boolean>;
}

export interface TestDeps {
  readonly configurations: Pick<Configurations, 'byId'>;
  readonly allowance: TestAllowance;
  readonly secretsOf: (configuration: Configuration, now: number) => Promise<ClearSecrets | undefined>;
  readonly statusOf: StatusOf;
  readonly post: (posting: Posting) => Promise<SendResult>;
  readonly now: () => number;
}

interface Test {
  /** The text of the payload. @default a small one that says it is a test */
  readonly payload?: string | undefined;
  readonly idempotencyKey: string;
  readonly traceId?: string | undefined;
}

/**
 * Makes one attempt as a run would, also for a disabled configuration, and returns it as the delivery log shows it. No
 * run is made and no slot is taken.
 */
export async function testConfiguration(deps: TestDeps, key: TenantKey, test: Test) {
  const { tenant, id } = key;
  const configuration = await configurationById(deps.configurations, key);
  requireDelivering(await deps.statusOf(tenant, deps.now()));
  if (!(await deps.allowance.take(tenant, deps.now()))) throw tooMany();
  const startedAt = deps.now();
  const secrets = await deps.secretsOf(configuration, startedAt);
  if (!secrets) throw secretUnreadable();
  const payload = test.payload ?? JSON.stringify({ test: true, apiConfigurationId: id, timestamp: isoTime(startedAt) });
  const snapshot = snapshotOf(configuration);
  const retryTimeoutSeconds = Math.min(snapshot.retryTimeoutSeconds, TIMEOUT_SECONDS_MAX);
  const { idempotencyKey, traceId } = test;
  const custom = [TEST_HEADER];
  const result = await deps.post({
    run: { ...snapshot, tenant, idempotencyKey, retryTimeoutSeconds },
    payload: { body: new TextEncoder().encode(payload), headers: custom },
    configuration,
    secrets,
    at: startedAt,
  });
  const authHeader = maskedAuthHeader(configuration.authentication);
  const signatures = secrets.signing.length;
  const signature = maskedSignatureHeaders({ idempotencyKey, at: startedAt }, signatures);
  const post = { startedAt, endedAt: deps.now(), traceId, authHeader, signatures };
  const attempt = presentAttempt(
    attemptOf({ attempts: 1, interruptions: 0, targetUrl: configuration.targetUrl }, result, post),
  );
  return {
    ...attempt,
    error: attempt.outcome === 'succeeded' ? null : attempt.outcome,
    payload,
    headers: maskedHeaders({ idempotencyKey, custom, authHeader, signature }),
  };
}

const tooMany = () =>
  new Refusal(429, 'too-many-tests', `A tenant can make ${TESTS_PER_MINUTE} tests a minute. Wait for the next one.`);
const secretUnreadable = () =>
  new Refusal(409, 'secret-unreadable', 'The secret of this API configuration cannot be decrypted. Enter it again.');
