import { PRICES } from '../../../cdk/cost/prices.ts';
import { PLANS } from '../../../functions/conversions/billing/subscriptions/plan.ts';
import { dynamoDbClient } from '../../../shared/table/table.dynamodb.ts';
import { capturedOutput } from '../captured-output.ts';
import { AwsLedger, type Entry } from '../costs/aws-ledger.ts';
import { type Charge, dollars, perMillion, printCalls, printCharges, twoDecimals, writesOf } from '../costs/charges.ts';
import { Random } from '../records/generated-businesses.ts';
import { accessLine, TRACE } from '../records/platform-lines.ts';
import { sizeOf } from '../size.ts';
import { convertCall, type MeteredService, startMeteredService } from './metered-accounts.ts';
import { newInstance } from './metered-desk.ts';

/** Requests that warm up, and requests that are measured. */
const WARM_UP = 500;
const REQUESTS = 1_000;
const INSTANCES = 20;
const PLAN = 'growth';
const ACCESS_LINE = accessLine('POST /v1/convert');

/** As `cdk/domains/conversions/routes.ts` gives it; 1,769 MiB are one processor. `MEMORY_MIB` tries another. */
const MEMORY_MIB = 1_024;
const PROCESSOR_MIB = 1_769;
/** That a small write takes in the region of its table: the slower end of what is told of them, 5 to 8 ms. */
const TABLE_CALL_SECONDS = 0.008;
const TARGET_DOLLARS = 2.6;

interface Scenario {
  readonly name: string;
  /** Share of the plan's rate; without end, the clock stands. */
  readonly load: number;
  readonly instances: number;
  readonly status: number;
  readonly hasKey?: boolean;
  readonly isForged?: boolean;
  readonly hasTarget?: boolean;
}

const SCENARIOS: readonly Scenario[] = [
  { name: '5 % of the rate', load: 0.05, instances: INSTANCES, status: 200, hasTarget: true },
  { name: '50 % of the rate', load: 0.5, instances: INSTANCES, status: 200, hasTarget: true },
  { name: '5 % of the rate, Idempotency-Key', load: 0.05, instances: INSTANCES, status: 200, hasKey: true },
  { name: '50 % of the rate, Idempotency-Key', load: 0.5, instances: INSTANCES, status: 200, hasKey: true },
  { name: 'refused: 429 from memory', load: Number.POSITIVE_INFINITY, instances: 1, status: 429 },
  { name: 'refused: a forged key', load: 0.5, instances: 1, status: 401, isForged: true },
];

/**
 * What AWS charges for a metered request of one item: the calls of the real code are counted where they are made, while
 * requests arrive at random on a clock that jumps from one to the next. `REQUESTS` sets how many are measured.
 */
export async function benchMeteredCost(): Promise<void> {
  const { date, region, architecture } = PRICES;
  const memoryMiB = sizeOf('MEMORY_MIB', MEMORY_MIB);
  console.log(`\nCost of a metered request: list prices ${region}, ${architecture}, ${date}; ${memoryMiB} MiB`);
  const service = await startMeteredService();
  try {
    for (const scenario of SCENARIOS) print(scenario, await measure(scenario, service), memoryMiB);
  } finally {
    await service.close();
  }
  console.log(
    [
      `Units of writes: the larger item, before or after, by 1,024 bytes; a refused condition counts as a write. ${INSTANCES}`,
      `instances of the function get the requests in turn at random; plan ${PLAN}. Time: processor time of this process by the`,
      `share of a processor that the memory gives, and ${TABLE_CALL_SECONDS * 1_000} ms for each call to the table, twoDecimals up to a millisecond.`,
      'The endpoint is another process. The access log: a text as AWS writes it. Lambda logs and traces nothing of calls that end well.',
      'Not in it: cold starts with their one read of the account, transfer, storage.',
    ].join('\n'),
  );
}

interface Measured {
  readonly requests: number;
  readonly entries: readonly Entry[];
  readonly cpuSeconds: number;
  readonly lines: readonly string[];
}

async function measure(scenario: Scenario, service: MeteredService): Promise<Measured> {
  const { name, status, load } = scenario;
  const { table, endpoint } = service;
  const requests = sizeOf('REQUESTS', REQUESTS);
  const tenant = `tenant-${SCENARIOS.indexOf(scenario)}`;
  const key = await service.account(tenant, PLAN);
  const ledger = new AwsLedger(
    [{ name: 'Listing', keys: ['list', 'position'], projected: 'all' }],
    dynamoDbClient(endpoint.clientOptions()),
  );
  ledger.step = 'convert';
  const counted = { name: table.name, client: ledger.bind(dynamoDbClient(endpoint.clientOptions())) };
  const random = new Random(1);
  let now = Date.now();
  const instances = Array.from({ length: scenario.instances }, () => newInstance(counted, () => now));
  const credential = scenario.isForged ? forged(key) : key;
  const arrivals = async (count: number, isWarm = true) => {
    for (let n = 0; n < count; n += 1) {
      now += (-Math.log(1 - random.next()) * 1_000) / (load * PLANS[PLAN].ratePerSecond);
      const headers: Record<string, string> = scenario.hasKey ? { 'idempotency-key': crypto.randomUUID() } : {};
      const answer = await random.pick(instances)(convertCall(credential, headers));
      if (isWarm && answer.statusCode !== status) throw new Error(`${name}: ${answer.statusCode} ${answer.body}`);
    }
  };
  const output = capturedOutput();
  try {
    ledger.isPaused = true;
    await arrivals(WARM_UP, false);
    output.text = '';
    // First for the times, then once more for the calls.
    const cpu = process.cpuUsage();
    await arrivals(requests);
    const { user, system } = process.cpuUsage(cpu);
    const lines = output.text.split('\n').filter((line) => line !== '');
    ledger.isPaused = false;
    await arrivals(requests);
    return { requests, entries: ledger.entries, cpuSeconds: (user + system) / 1e6 / requests, lines };
  } finally {
    output.end();
  }
}

const forged = (key: string) => `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;

function print({ name, hasTarget = false }: Scenario, measured: Measured, memoryMiB: number): void {
  const { requests, entries, lines } = measured;
  console.log(`\n${name}: ${requests} requests; all figures per request`);
  if (entries.length > 0) printCalls(entries, requests);
  console.log(`Its line: ${lines[0] ?? 'none'}`);
  const own = chargesOf(measured, memoryMiB);
  const platform = platformCharges();
  printCharges(
    [...own, ...platform],
    [
      ['total', own],
      ['total, with the access log', [...own, ...platform]],
    ],
  );
  if (!hasTarget) return;
  const total = perMillion([...own, ...platform]);
  console.log(
    `Target: at most ${dollars(TARGET_DOLLARS)} per million; here ${dollars(total)} with ${twoDecimals(entries.length / requests)} calls.`,
  );
}

function chargesOf({ requests, entries, cpuSeconds, lines }: Measured, memoryMiB: number): Charge[] {
  const per = (figure: (entry: Entry) => number) => entries.reduce((sum, entry) => sum + figure(entry), 0) / requests;
  // A claim is made beside the first call to the meter.
  const waits = per(({ call }) => Number(call !== 'PutItem ANSWER'));
  const billed = billedSeconds(cpuSeconds, waits, memoryMiB);
  const logBytes = lines.reduce((sum, line) => sum + Buffer.byteLength(asDeployed(line)) + 1, 0) / requests;
  return [
    { name: 'API Gateway: POST /v1/convert', units: 1, unit: 'httpApiRequest' },
    { name: 'Lambda: invocations', units: 1, unit: 'lambdaRequest' },
    {
      name: `Lambda: ${twoDecimals(billed * 1_000)} ms, ${twoDecimals(cpuSeconds * 1_000)} of a whole processor, GB-s`,
      units: (billed * memoryMiB) / 1_024,
      unit: 'lambdaGigabyteSecond',
    },
    { name: 'DynamoDB: write units', units: per(writesOf), unit: 'dynamoDbWriteUnit' },
    { name: 'DynamoDB: read units', units: per(({ reads = 0 }) => reads), unit: 'dynamoDbReadUnit' },
    { name: `CloudWatch: own lines, ${Math.round(logBytes)} bytes, GB`, units: logBytes / 1e9, unit: 'logGigabyte' },
  ];
}

/** With little memory a function has little of a processor. @param waits for the table, one after the other */
const billedSeconds = (cpuSeconds: number, waits: number, memoryMiB: number) =>
  Math.ceil((cpuSeconds / Math.min(1, memoryMiB / PROCESSOR_MIB) + waits * TABLE_CALL_SECONDS) * 1_000) / 1_000;

/** Of a function that is hot: Lambda logs failures only, and nothing is traced (`cdk/constructs/functions/service-function.ts`). */
function platformCharges(): Charge[] {
  return [
    { name: 'CloudWatch: access log, GB', units: (Buffer.byteLength(ACCESS_LINE) + 1) / 1e9, unit: 'logGigabyte' },
  ];
}

/** The line with what only the environment of a function adds. */
const asDeployed = (line: string) =>
  JSON.stringify({ ...JSON.parse(line), service: 'conversions', xray_trace_id: TRACE });
