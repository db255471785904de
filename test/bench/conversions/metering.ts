import { DynamoDB, type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { RateLimiterDynamo, RateLimiterRes } from 'rate-limiter-flexible';
import {
  advancedAccount,
  readAccount,
} from '../../../functions/conversions/billing/balances/account-store.dynamodb.ts';
import { AccountCache } from '../../../functions/conversions/billing/metering/account-cache.ts';
import { Breaker } from '../../../functions/conversions/billing/metering/breaker.ts';
import { meterStore } from '../../../functions/conversions/billing/metering/meter-store.dynamodb.ts';
import { Metering } from '../../../functions/conversions/billing/metering/metering.ts';
import { serveMetered } from '../../../functions/conversions/serving/metered-call.ts';
import { steadyMicros } from '../../../shared/metering/token-bucket.ts';
import { dynamoDbClient, marshalled, type Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { account, callerOf, patientTable, put, usedLive } from '../../support/conversions/meter-accounts.ts';
import { withMiddleware } from '../../support/faults/mortal-clients.ts';
import { sizeOf } from '../size.ts';

const CALLERS = 200;
const FUNCTIONS = 8;
/** Tokens of the bucket, and of the window of the other limiter. */
const BURST = 100;
/** Calls of one caller after another, for processor time; and requests of each kind, for what they wait. */
const DECISIONS = sizeOf('DECISIONS', 1_500);

/** Half a minute's wait: a machine that is busy must not look like a table that is down. */
const PATIENT = { connectionTimeout: 30_000, requestTimeout: 30_000, throwOnRequestTimeout: true };

interface Limiter {
  /** Returns whether this function admits one request of the account. */
  decide(account: string): Promise<boolean>;
}

/** One way to limit, as several functions run it on one table, with all calls to the table counted. */
interface Contestant {
  readonly name: string;
  readonly functions: readonly Limiter[];
  readonly calls: { made: number };
  /** Makes an account with a full bucket of so many tokens that do not come back meanwhile. */
  readonly open: (account: string, tokens: number) => Promise<void>;
}

/**
 * The meter beside `rate-limiter-flexible` on the same local DynamoDB: calls of a decision, admissions of 200 callers at
 * the same time, decisions of a second of processor time, and what metering adds to a request beside one plain write.
 */
export async function benchMetering(): Promise<void> {
  const endpoint = await startLocalEndpoint();
  try {
    const table = await patientTable(endpoint, 'meter');
    const contestants = [ours(table, endpoint), await theirs(endpoint)];
    const rows: Record<string, object> = {};
    for (const contestant of contestants) rows[contestant.name] = await measured(contestant);
    console.log('\nMeter, beside rate-limiter-flexible 11.4.0 (a window, no quota, no keys)');
    console.table(rows);
    await printWaits(table);
  } finally {
    await endpoint.close();
  }
}

async function measured({ functions, calls, open }: Contestant) {
  const decideAt = (call: number, name: string) => functions[call % functions.length]!.decide(name);
  await open('warm', 1e6);
  for (let call = 0; call < 50; call += 1) await decideAt(call, 'warm');

  const admitted: number[] = [];
  calls.made = 0;
  for (let round = 0; round < 5; round += 1) {
    await open(`crowd-${round}`, BURST);
    const decisions = await Promise.all(
      Array.from({ length: CALLERS }, (_, call) => decideAt(call, `crowd-${round}`).catch(() => 'failed' as const)),
    );
    admitted.push(decisions.filter((one) => one === true).length);
  }
  const crowdCalls = calls.made / (5 * CALLERS);

  await open('in turn', 1e6);
  calls.made = 0;
  const cpu = process.cpuUsage();
  for (let call = 0; call < DECISIONS; call += 1) await decideAt(call, 'in turn');
  const { user, system } = process.cpuUsage(cpu);
  return {
    'calls/decision in turn': (calls.made / DECISIONS).toFixed(2),
    'calls/decision in a cold crowd': crowdCalls.toFixed(2),
    [`admitted of ${CALLERS}, allowed ${BURST}`]: admitted.join(' '),
    'decisions/CPU s': Math.round(DECISIONS / ((user + system) / 1e6)),
  };
}

function counting(client: DynamoDBClient, calls: { made: number }): DynamoDBClient {
  const count = (next: (args: unknown) => Promise<unknown>) => (args: unknown) => {
    calls.made += 1;
    return next(args);
  };
  return withMiddleware(client, 'counting', count);
}

function ours(table: Table, endpoint: LocalEndpoint): Contestant {
  const calls = { made: 0 };
  const functions = Array.from({ length: FUNCTIONS }, () => {
    const own = dynamoDbClient({ ...endpoint.clientOptions(), requestHandler: PATIENT });
    const metering = meteringOn({ name: table.name, client: counting(own, calls) });
    return {
      decide: async (tenant: string) =>
        (await metering.admit({ caller: callerOf(tenant), counts: true })).kind === 'admitted',
    };
  });
  // A token takes an hour, so that none comes back while the crowd is served.
  const open = async (tenant: string, tokens: number) => {
    await put(table, tenant, {
      ...account('growth'),
      tokenMicros: tokens > BURST ? 1 : 3_600_000_000,
      burst: tokens,
      validUntil: 9e15,
    });
  };
  return { name: 'ours', functions, calls, open };
}

function meteringOn(table: Table): Metering {
  const micros = steadyMicros(() => Date.now());
  const millis = () => Math.floor(micros() / 1_000);
  const advance = (tenant: string, item: Parameters<typeof advancedAccount>[2]) =>
    advancedAccount(table, tenant, item, millis());
  return new Metering(
    {
      store: meterStore(table, { advance, now: millis }),
      cache: new AccountCache(),
      now: micros,
      breaker: new Breaker(() => performance.now()),
      lateUsage: { send: () => Promise.reject(new Error('The table was down.')) },
      report: (event, error) => {
        if (event !== 'MeterGaveUp') throw new Error(event, { cause: error });
      },
    },
    { callMillis: 30_000, requestMillis: 60_000 },
  );
}

async function theirs(endpoint: LocalEndpoint): Promise<Contestant> {
  const calls = { made: 0 };
  const tableName = 'rate-limiter-flexible';
  const limiters = new Map<string, Limiter[]>();
  const clients = Array.from({ length: FUNCTIONS }, () =>
    counting(new DynamoDB({ ...endpoint.clientOptions(), requestHandler: PATIENT }), calls),
  );
  await new Promise<void>((resolve, reject) => {
    const options = { storeClient: clients[0], tableName, points: 1, duration: 1 };
    void new RateLimiterDynamo(options, (error) => (error ? reject(error) : resolve()));
  });
  /** The number of points belongs to a limiter, not to a key. */
  const limiterOf = (storeClient: DynamoDBClient, points: number): Limiter => {
    const limiter = new RateLimiterDynamo({
      storeClient,
      tableName,
      tableCreated: true,
      ttlSet: true,
      points,
      duration: 3_600,
    });
    return {
      decide: (key) =>
        limiter.consume(key).then(
          () => true,
          (refusal: unknown) => {
            if (refusal instanceof RateLimiterRes) return false;
            throw refusal;
          },
        ),
    };
  };
  const functions = clients.map((_, index) => ({ decide: (key: string) => limiters.get(key)![index]!.decide(key) }));
  const open = async (key: string, tokens: number) => {
    limiters.set(
      key,
      clients.map((client) => limiterOf(client, tokens)),
    );
  };
  return { name: 'rate-limiter-flexible', functions, calls, open };
}

/** A warm request with all its metering, a request whose conversion is given back, and one plain write, by turns. */
async function printWaits(table: Table): Promise<void> {
  const metering = meteringOn(table);
  const none = () => Promise.reject(new Error('No request has a key.'));
  const parts = {
    metering,
    answers: { claim: none, complete: none, release: none },
    noteUse: async () => undefined,
    announceThresholds: () => Promise.resolve(),
  };
  await put(table, 'waits', { ...account('scale'), tokenMicros: 1, burst: 1e6, validUntil: 9e15 });
  const serve = (isCounted: boolean, requestId: string) =>
    serveMetered(parts, { caller: callerOf('waits'), requestId, now: Date.now() }, () =>
      Promise.resolve({ answer: { status: 200, contentType: 'application/json', body: '{}' }, isCounted }),
    );
  const item = marshalled({ pk: 'PLAIN', sk: 'PLAIN', text: 'x'.repeat(700) });
  const works: Readonly<Record<string, (index: number) => Promise<unknown>>> = {
    'one plain write': () => table.client.send(new PutItemCommand({ TableName: table.name, Item: item })),
    'admit and settle': (index) => serve(true, `r${index}`),
    'admit and give back': (index) => serve(false, `b${index}`),
  };
  const waits = new Map(Object.keys(works).map((name): [string, number[]] => [name, []]));
  for (let index = -100; index < DECISIONS; index += 1) {
    for (const [name, work] of Object.entries(works)) {
      const since = performance.now();
      await work(index);
      if (index >= 0) waits.get(name)!.push(performance.now() - since);
    }
  }
  const used = usedLive((await readAccount(table, 'waits'))!);
  if (used !== DECISIONS + 100) throw new Error(`${used} conversions are counted.`);
  console.log('Milliseconds that a request waits for its meter');
  console.table(Object.fromEntries([...waits].map(([name, millis]) => [name, quantiles(millis)])));
}

function quantiles(millis: readonly number[]) {
  const sorted = millis.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * sorted.length)]?.toFixed(2);
  return { p50: at(0.5), p99: at(0.99) };
}
