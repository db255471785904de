import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { cachedStatus, type StatusOf, UNRESTRICTED } from '#shared/auth/account-status';
import { keySecrets } from '#shared/auth/key-secrets.secretsmanager';
import { readStatus } from '#shared/auth/tenant-items.dynamodb';
import { answerStore } from '#shared/idempotency/answer-store.dynamodb';
import { steadyMicros } from '#shared/metering/token-bucket';
import { dynamoDbClient, type Table } from '#shared/table/table.dynamodb';
import { count, countFault } from '#shared/telemetry/faults';
import { log } from '#shared/telemetry/log';
import { METER_UNANSWERED } from '#shared/telemetry/metric-scope';
import { advancedAccount, announceThreshold, meterKey } from '../billing/balances/account-store.dynamodb.ts';
import { AccountCache } from '../billing/metering/account-cache.ts';
import { Breaker } from '../billing/metering/breaker.ts';
import { lastUseWriter } from '../billing/metering/last-uses.dynamodb.ts';
import { LastUses } from '../billing/metering/last-uses.ts';
import { lateUsageQueue } from '../billing/metering/late-usage.sqs.ts';
import { meterStore } from '../billing/metering/meter-store.dynamodb.ts';
import { type MeterEvent, Metering } from '../billing/metering/metering.ts';
import { whenFree } from '../billing/metering/rejected-call.ts';
import { within } from '../billing/metering/timed-store.ts';
import { authenticator } from './authenticate.ts';
import type { RouteParts } from './metered-route.ts';
import { retriedAnswers } from './retried-answers.ts';

interface Environment {
  readonly ACCOUNTS_TABLE: string;
  readonly CONVERSIONS_TABLE: string;
  readonly KEY_SECRETS: string;
  readonly LATE_USAGE_QUEUE: string;
  readonly METER_CALL_MILLIS: number;
  readonly METER_REQUEST_MILLIS: number;
}

/** The longest wait of a new function for its connection to the table; without it the first request would time out. */
const OPENING_MILLIS = 300;

/** Creates the parts that the routes of one function share. @param clock milliseconds since 1970 */
export async function routeParts(env: Environment, clock: () => number): Promise<RouteParts> {
  // The SDK must not retry a write that counts, because it would count twice.
  const table: Table = { name: env.CONVERSIONS_TABLE, client: dynamoDbClient({ maxAttempts: 1 }) };
  const micros = steadyMicros(clock);
  const millis = () => Math.floor(micros() / 1_000);
  const secretsAt = keySecrets(env.KEY_SECRETS);
  const statusOf = boundedStatus({ ...table, name: env.ACCOUNTS_TABLE }, env.METER_CALL_MILLIS);
  const metering = new Metering(
    {
      store: meterStore(table, {
        advance: (tenant, item) => advancedAccount(table, tenant, item, millis()),
        now: millis,
      }),
      cache: new AccountCache(),
      now: micros,
      breaker: new Breaker(clock),
      lateUsage: lateUsageQueue(env.LATE_USAGE_QUEUE),
      report,
    },
    { callMillis: env.METER_CALL_MILLIS, requestMillis: env.METER_REQUEST_MILLIS },
  );
  const lastUses = new LastUses(lastUseWriter(table, env.METER_CALL_MILLIS), millis);
  await openConnections(table, () => secretsAt(clock()));
  return {
    metering,
    answers: retriedAnswers(answerStore(table, env.METER_CALL_MILLIS)),
    noteUse: (caller) => lastUses.note(caller),
    // The next request announces what was not announced in time.
    announceThresholds: ({ tenant, mode }, item) =>
      within(AbortSignal.timeout(env.METER_REQUEST_MILLIS), () =>
        announceThreshold(table, tenant, { mode, item, now: millis() }),
      ),
    authenticate: authenticator(secretsAt, statusOf),
    statusOf,
    micros,
    clock,
  };
}

/**
 * The status of accounts with a bounded wait for the table; callers are let in while the table does not answer. A throttled
 * read is tried again: its failure would keep the last status, a suspension too, for longer than a minute.
 */
const boundedStatus = (accounts: Table, millis: number): StatusOf =>
  cachedStatus(
    (tenant) => within(AbortSignal.timeout(millis), (signal) => whenFree(() => readStatus(accounts, tenant), signal)),
    { whenUnreadable: UNRESTRICTED },
  );

/** Opens the connections while the function starts. A connection that fails now is opened by the first request. */
async function openConnections({ client, name }: Table, readSecrets: () => Promise<unknown>): Promise<void> {
  const reading = client.send(new GetItemCommand({ TableName: name, Key: marshall(meterKey('')) }), {
    abortSignal: AbortSignal.timeout(OPENING_MILLIS),
  });
  const timeout = new Promise((resolve) => setTimeout(resolve, OPENING_MILLIS).unref());
  await Promise.race([Promise.allSettled([reading, readSecrets()]), timeout]);
}

/** The events that count as faults of the domain; the others are lines in the log. */
const FAULTS: ReadonlySet<MeterEvent> = new Set<MeterEvent>(['MeterRefused', 'MeterThrottled', 'UsageLost']);

/** The events of which an alarm looks at the share. */
const UNANSWERED: ReadonlySet<MeterEvent> = new Set<MeterEvent>(['MeterAmbiguous', 'MeterUnavailable']);

function report(event: MeterEvent, error?: Error): void {
  if (FAULTS.has(event)) countFault();
  if (UNANSWERED.has(event)) count(METER_UNANSWERED);
  log.warn('metering', {
    event,
    ...(error !== undefined && { error }),
  });
}
