import type { LocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import type { Receiver } from '../../support/webhooks/receiver.ts';
import type { Entry } from '../costs/aws-ledger.ts';
import { printCalls, writesOf } from '../costs/charges.ts';
import { sizeOf } from '../size.ts';
import { createWebhookDesk } from './webhook-clients.ts';
import { parkedLife, untimed, type WebhookDesk } from './webhook-lives.ts';

const PARKED = sizeOf('PARKED', 200);
const SWEEPS = 10;
const MINUTE_MILLIS = 60_000;

interface Scenario {
  /** A column for each. */
  readonly indexes: readonly string[];
  readonly body: string;
}

/** What the sweeps of a minute each cost while runs are parked, all slots of their configuration taken. */
export async function benchParkedRuns(endpoint: LocalEndpoint, receiver: Receiver, scenario: Scenario): Promise<void> {
  const desk = await createWebhookDesk(endpoint, receiver);
  const { ledger } = desk;
  const configuration = await desk.webhook('/orders', { body: scenario.body });
  let at = Date.now();
  const swept = async (): Promise<readonly Entry[]> => {
    ledger.isPaused = false;
    ledger.entries.length = 0;
    for (let n = 0; n < SWEEPS; n += 1) await sweep(desk, (at += MINUTE_MILLIS));
    ledger.isPaused = true;
    return ledger.entries.splice(0);
  };
  const none = await swept();
  await desk.hold(configuration, at + 24 * 60 * MINUTE_MILLIS);
  ledger.isPaused = true;
  await parkedLife({ desk, timed: untimed }, 'the first');
  const one = await swept();
  for (let n = 1; n < PARKED; n += 1) await parkedLife({ desk, timed: untimed }, `another ${n}`);
  const all = await swept();

  console.log(`\nParked runs: ${SWEEPS} sweeps of a minute each with ${PARKED} of them; all figures per sweep`);
  printCalls(all, SWEEPS, scenario.indexes);
  const rows = { 'nothing parked': none, '1 run parked': one, [`${PARKED} runs parked`]: all };
  console.table(Object.fromEntries(Object.entries(rows).map(([name, entries]) => [name, perSweep(entries)])));
  const [few, many] = [perSweep(one), perSweep(all)];
  const perRun = (figure: keyof typeof few) => (many[figure] - few[figure]) / (PARKED - 1);
  console.log(
    `Per parked run and sweep: ${perRun('calls')} calls, ${perRun('write units')} write units, ${perRun('read units')} read units (target: 0).`,
  );
}

async function sweep(desk: WebhookDesk, at: number): Promise<void> {
  const { looked, started, failures } = await desk.sweep(at);
  if (looked + started + failures.length > 0) throw new Error('A sweep found something to do.');
}

function perSweep(entries: readonly Entry[]) {
  const per = (figure: (entry: Entry) => number | undefined) =>
    entries.reduce((sum, entry) => sum + (figure(entry) ?? 0), 0) / SWEEPS;
  return {
    calls: per(({ calls = 1 }) => calls),
    'write units': per(writesOf),
    'read units': per(({ reads }) => reads),
    'SQS requests': per(({ sqs }) => sqs),
  };
}
