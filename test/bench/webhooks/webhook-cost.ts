import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PRICES } from '../../../cdk/cost/prices.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { type Answer, type Receiver, startReceiver } from '../../support/webhooks/receiver.ts';
import { capturedOutput } from '../captured-output.ts';
import type { Entry } from '../costs/aws-ledger.ts';
import { type Charge, dollars, perMillion, printCalls, printCharges, twoDecimals, writesOf } from '../costs/charges.ts';
import { sizeOf } from '../size.ts';
import { createWebhookDesk } from './webhook-clients.ts';
import { type Lives, oneByOne, parkedLives, type Timed } from './webhook-lives.ts';
import { benchParkedRuns } from './webhook-parked-cost.ts';

/** Runs that warm up, and runs that are measured. */
const WARM_UP = 20;
const RUNS = 100;
/** Of a scenario that waits. */
const RUNS_WITH_WAITS = 3;

const INDEXES = ['Log', 'Failed', 'Due', 'Listing', 'Parked'] as const;

/** As `cdk/domains/webhooks/deliveries.ts` gives them, in MiB; 1,769 are one processor. */
const MEMORY_MIB: Readonly<Record<string, number>> = { trigger: 512, dispatch: 512, deliver: 256 };
const PROCESSOR_MIB = 1_769;

/** About 500 bytes when it goes out. */
const BODY = JSON.stringify({
  event: 'data-subject-request.started',
  request: '{{requestId}}',
  tenant: '{{tenantId}}',
  subject: { locale: '{{locale}}', country: 'DE', kind: 'customer', verified: true },
  requests: '{{requests}}',
  links: {
    console: 'https://privacy.example.com/requests/{{requestId}}',
    documents: 'https://privacy.example.com/requests/{{requestId}}/documents',
  },
  note: 'Started over the form of the web shop; answer within thirty days.',
});
const ANSWER = JSON.stringify({ accepted: true, id: '0f8fad5b-d9cb-469f-a165-70867728950e' });

interface Scenario {
  readonly name: string;
  readonly answers: readonly Answer[];
  readonly maxAttempts: number;
  /** Of the run; the bench waits for one second and charges for this. */
  readonly timeoutSeconds?: number;
  /** Every run is parked once. Those parked within a second share some writes; a pause between them ends that. */
  readonly parks?: { readonly pauseMillis: number };
  readonly targets?: { readonly writes: number; readonly dollars: number };
}

const OK: Answer = { status: 200, body: ANSWER, headers: { 'content-type': 'application/json' } };
const SCENARIOS: readonly Scenario[] = [
  { name: 'first-time success', answers: [OK], maxAttempts: 3, targets: { writes: 11, dollars: 13 } },
  {
    name: 'failed attempt, then success',
    answers: [{ status: 503, body: '{"error":"overloaded"}' }, OK],
    maxAttempts: 3,
  },
  {
    name: 'parked once among many, then success',
    answers: [OK],
    maxAttempts: 3,
    parks: { pauseMillis: 0 },
    targets: { writes: 20, dollars: 21 },
  },
  {
    name: 'parked once by itself, then success',
    answers: [OK],
    maxAttempts: 3,
    parks: { pauseMillis: 1_100 },
    targets: { writes: 21, dollars: 22 },
  },
  { name: 'timeout of 30 s, no retry', answers: ['hang'], maxAttempts: 1, timeoutSeconds: 30 },
];

/**
 * What AWS charges for a webhook, from the event to the end of its run: every call that the code makes is counted where
 * it is made, and its units are computed from the real items by DynamoDB's rules. `RUNS` sets how many are measured.
 */
export async function benchWebhookCost(): Promise<void> {
  const { date, region, architecture } = PRICES;
  console.log(`\nCost of a webhook: list prices ${region}, ${architecture}, ${date}`);
  for (const scenario of SCENARIOS) {
    await withEndpoint(async (endpoint, receiver) => print(scenario, await measure(scenario, endpoint, receiver)));
  }
  await withEndpoint((endpoint, receiver) => benchParkedRuns(endpoint, receiver, { indexes: INDEXES, body: BODY }));
  console.log(
    [
      'Units of writes: the larger item, before or after, by 1,024 bytes; an entry of an index counts when it comes, goes or',
      'changes, twice when its key changes. No transaction is made; a replay would be one. Reads: strongly consistent, by 4,096 bytes.',
      'Time of a function: the wall time here, or what its processor time would take with its memory, if that is longer;',
      'the local AWS endpoint and the receiver share the process, so a function takes less. Every further 100 ms that an',
      `endpoint takes cost ${dollars(0.1 * gigabytes('deliver') * PRICES.perUnit.lambdaGigabyteSecond * 1e6)} per million.`,
      'The figure of the engine is the sum of its own figures for reads and writes of a call; ours are compared with them.',
      'Not in it: platform lines in the logs, X-Ray, cold starts, polls of empty queues, storage for the retention.',
    ].join('\n'),
  );
}

async function withEndpoint(does: (endpoint: LocalEndpoint, receiver: Receiver) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'webhook-cost-'));
  const endpoint = await startLocalEndpoint({ dataDir: folder });
  const receiver = await startReceiver({ keepsPosts: false });
  try {
    await does(endpoint, receiver);
  } finally {
    await receiver.close();
    await endpoint.close();
    await rm(folder, { recursive: true });
  }
}

interface Work {
  readonly step: string;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
}

/** Everything about the runs of a scenario, summed over them. */
interface Measured {
  readonly runs: number;
  readonly entries: readonly Entry[];
  readonly work: readonly Work[];
  readonly payloadBytes: number;
  readonly logBytes: number;
}

async function measure(scenario: Scenario, endpoint: LocalEndpoint, receiver: Receiver): Promise<Measured> {
  const desk = await createWebhookDesk(endpoint, receiver);
  const timesOut = scenario.timeoutSeconds !== undefined;
  const waits = timesOut || (scenario.parks?.pauseMillis ?? 0) > 0;
  const warmUp = waits ? 1 : WARM_UP;
  const runs = waits ? RUNS_WITH_WAITS : sizeOf('RUNS', RUNS);
  const { maxAttempts } = scenario;
  const configuration = await desk.webhook('/orders', {
    body: BODY,
    maxAttempts,
    ...(timesOut && { retryTimeoutSeconds: 1 }),
  });
  const work: Work[] = [];
  const output = capturedOutput();
  const timed: Timed = async (step, does) => {
    const cpu = process.cpuUsage();
    const start = performance.now();
    const result = await does();
    const { user, system } = process.cpuUsage(cpu);
    if (desk.ledger.isPaused)
      work.push({ step, wallSeconds: (performance.now() - start) / 1000, cpuSeconds: (user + system) / 1e6 });
    return result;
  };

  // First for the times, then once more for the calls.
  for (const phase of ['warm-up', 'times', 'calls'] as const) {
    if (phase === 'times') {
      work.length = 0;
      output.text = '';
    }
    desk.ledger.isPaused = phase !== 'calls';
    const count = phase === 'warm-up' ? warmUp : runs;
    const events = Array.from({ length: count }, (_, n) => `${phase} ${n}`);
    const lives: Lives = { desk, timed, events, before: () => receiver.will(...scenario.answers) };
    const ids = await (scenario.parks ? parkedLives(lives, { configuration, ...scenario.parks }) : oneByOne(lives));
    for (const id of ids) {
      const ended = await desk.run(id);
      if (ended?.status !== (timesOut ? 'FAILED' : 'COMPLETED')) throw new Error(`A run is ${ended?.status}.`);
    }
  }
  return {
    runs,
    entries: desk.ledger.entries,
    work,
    payloadBytes: desk.payloadBytes(),
    logBytes: Buffer.byteLength(output.end()) / 2,
  };
}

const gigabytes = (step: string) => (MEMORY_MIB[step] ?? Number.NaN) / 1024;

/** Each one's share, where several wait together. With little memory a function has little of a processor. */
const billedSeconds = ({ step, wallSeconds, cpuSeconds }: Work, together: number) =>
  Math.max(wallSeconds / together, cpuSeconds / Math.min(1, (MEMORY_MIB[step] ?? 0) / PROCESSOR_MIB));

function print(scenario: Scenario, measured: Measured): void {
  const { runs, entries, payloadBytes } = measured;
  console.log(`\n${scenario.name}: ${runs} runs, payload of ${payloadBytes} bytes; all figures per run`);
  printCalls(entries, runs, INDEXES);
  const largest = Math.max(...entries.filter(({ call }) => call === 'PutItem RUN').map(({ bytes = 0 }) => bytes));
  console.log(
    `The item of a run has ${largest} bytes: with ${1024 - largest} more (URL, names, ids) each of its writes costs a unit more.`,
  );

  const alone = chargesOf(measured, { batch: 1, timeoutSeconds: scenario.timeoutSeconds });
  const inFives = chargesOf(measured, { batch: 5, timeoutSeconds: scenario.timeoutSeconds });
  printCharges(alone, [
    ['total, every run by itself', alone],
    ['total, dispatched and delivered in fives', inFives],
  ]);
  const { targets } = scenario;
  if (!targets) return;
  const [{ units: writes } = { units: Number.NaN }] = alone;
  console.log(
    `Target: at most ${targets.writes} write units and ${dollars(targets.dollars)} per million; ` +
      `here ${twoDecimals(writes)} and ${dollars(perMillion(alone))}.`,
  );
}

/** @param batch of runs that stream and queue bring at once: one call dispatches them, one function delivers them. */
function chargesOf(
  { runs, entries, work, logBytes }: Measured,
  { batch, timeoutSeconds = 1 }: { batch: number; timeoutSeconds: number | undefined },
): Charge[] {
  const per = (figure: (entry: Entry) => number | undefined) =>
    entries.reduce((sum, entry) => sum + (figure(entry) ?? 0), 0) / runs;
  const worked = (step: string) => work.filter((one) => one.step === step);
  const share = (step: string) => (step === 'trigger' ? 1 : batch);
  const seconds = (step: string) =>
    worked(step).reduce((sum, one) => sum + billedSeconds(one, share(step)), 0) / runs +
    (step === 'deliver' ? (timeoutSeconds - 1) / share(step) : 0);
  const invocations = (step: string) => worked(step).length / runs / share(step);
  const steps = Object.keys(MEMORY_MIB);
  // Lambda receives and deletes the messages of an invocation together.
  const requests = per(({ step, sqs = 0 }) => sqs / share(step)) + 2 * invocations('deliver');
  return [
    { name: 'DynamoDB: write units', units: per(writesOf), unit: 'dynamoDbWriteUnit' },
    { name: 'DynamoDB: read units', units: per(({ reads }) => reads), unit: 'dynamoDbReadUnit' },
    { name: 'SQS: requests', units: requests, unit: 'sqsRequest' },
    { name: 'SQS: surcharge for fair queues', units: requests, unit: 'sqsFairRequest' },
    { name: 'KMS: requests, secret cached', units: per(({ kms }) => kms), unit: 'kmsRequest' },
    {
      name: 'Lambda: invocations',
      units: steps.reduce((sum, step) => sum + invocations(step), 0),
      unit: 'lambdaRequest',
    },
    ...steps.map((step) => ({
      name: `Lambda: ${step}, ${Math.round(seconds(step) * 1000)} ms, GB-s`,
      units: seconds(step) * gigabytes(step),
      unit: 'lambdaGigabyteSecond' as const,
    })),
    { name: 'API Gateway: POST events', units: 1, unit: 'httpApiRequest' },
    { name: 'CloudWatch: own log lines, GB', units: logBytes / runs / 1e9, unit: 'logGigabyte' },
  ];
}
