/**
 * A soak: all services in use at once for minutes, on a local cloud as unkind as AWS can be, while functions die and
 * events come twice. Then what the service holds is compared with what its clients were told.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQSClient } from '@aws-sdk/client-sqs';
import { App } from 'aws-cdk-lib';
import type { AwsFailure } from '../../cdk/local/aws-failures/aws-failures.ts';
import { settingsOf } from '../../cdk/settings.ts';
import { DeadLetters } from '../../shared/queue/dead-letters.sqs.ts';
import { dynamoDbClient } from '../../shared/table/table.dynamodb.ts';
import { localStacks } from '../support/cloud/local-assembly.ts';
import { clientOptions, later } from '../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../support/cloud/running-service.ts';
import { partsOf } from '../support/cloud/service-parts.ts';
import { elapsed } from '../support/runner/machine-time.ts';
import { audit } from '../support/webhooks/storm-audit.ts';
import { startStormEndpoints } from '../support/webhooks/storm-endpoints.ts';
import { Memory } from './memory.ts';
import { Misfortunes } from './misfortunes.ts';
import { PatientClient } from './patient-client.ts';
import { ConversionWork } from './work/conversion-work.ts';
import { Hooks } from './work/hooks.ts';
import { ImageWork } from './work/image-work.ts';
import { PlaceWork } from './work/place-work.ts';
import { RecordWork } from './work/record-work.ts';
import { WebhookWork } from './work/webhook-work.ts';
import type { Work } from './work/work.ts';

export interface SoakOptions {
  /** The clients leave after so many minutes, or after so many uses. */
  readonly minutes: number;
  readonly uses?: number;
  readonly seed: number;
  /** @default conflicts, throttles and gsi-lag */
  readonly like?: readonly AwsFailure[];
  readonly say: (line: string) => void;
}

export interface SoakReport {
  /** A sentence for each thing that was lost, was doubled or is wrong. */
  readonly faults: readonly string[];
  /** Alarms that still sound. */
  readonly alarms: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
}

const UNKIND: readonly AwsFailure[] = ['conflicts', 'throttles', 'gsi-lag'];
/** Each work has so many clients, and each of them rests between two uses, so that two processors are not all taken. */
const CLIENTS = 2;
const REST_MILLIS = 300;
/** These are minutes of the service's clock, which is moved when the clients have gone. */
const MINUTES_TO_END = 180;
const MINUTES_TO_SILENCE = 60;
/** The outputs with queues of dead letters begin with it. */
const LETTERS = 'DeadLetters';

export async function soak(options: SoakOptions): Promise<SoakReport> {
  const folder = mkdtempSync(join(tmpdir(), 'soak-'));
  const endpoints = await startStormEndpoints(options.seed);
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, endpoints.caPem);
  const like = new Set<AwsFailure>();
  let service: RunningService | undefined;
  try {
    service = await startService({
      // Not in memory, so that memory shows what the service itself keeps.
      dataDir: join(folder, 'state'),
      like,
      parameters: { WebhookPrivateTargets: endpoints.privateTargets, WebhookExtraCaFile: ca },
    });
    const client = new PatientClient(service);
    const table = {
      name: service.cloud.outputs['WebhooksTable'] ?? '',
      client: dynamoDbClient(clientOptions(service.cloud)),
    };
    const hooks = new Hooks(client, endpoints, table);
    const works = [
      new WebhookWork(client, hooks),
      new RecordWork(client, hooks),
      new ConversionWork(client),
      new PlaceWork(client, hooks),
      new ImageWork(client, hooks),
    ];
    return await new Soak({ service, client, hooks, works, like }, options).run();
  } finally {
    await service?.close();
    await endpoints.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface SoakParts {
  readonly service: RunningService;
  readonly client: PatientClient;
  readonly hooks: Hooks;
  readonly works: readonly Work[];
  /** The failures of AWS, from now on. */
  readonly like: Set<AwsFailure>;
}

class Soak {
  private readonly parts: SoakParts;
  private readonly options: SoakOptions;
  private readonly faults: string[] = [];
  private readonly memory = new Memory();
  private uses = 0;

  constructor(parts: SoakParts, options: SoakOptions) {
    this.parts = parts;
    this.options = options;
  }

  async run(): Promise<SoakReport> {
    const { service, client, works, like } = this.parts;
    const { minutes, uses = Number.POSITIVE_INFINITY, seed, say } = this.options;
    for (const work of works) await work.begin();
    for (const failure of this.options.like ?? UNKIND) like.add(failure);
    const misfortunes = new Misfortunes(service.cloud, await victims(), seed);
    const begun = Date.now();
    const end = begun + minutes * 60_000;
    let numbers = 0;
    const clientOf = async (work: Work) => {
      while (Date.now() < end && numbers < uses) {
        numbers += 1;
        await this.use(work, numbers);
        await elapsed(REST_MILLIS);
      }
    };
    const minutely = setInterval(() => {
      this.memory.measure();
      const minute = Math.round((Date.now() - begun) / 60_000);
      say(`minute ${minute}: ${this.uses} uses, ${misfortunes.count} misfortunes, ${this.memory.megabytes} MB`);
    }, 60_000);
    await Promise.all(works.flatMap((work) => Array.from({ length: CLIENTS }, () => clientOf(work))));
    clearInterval(minutely);
    await misfortunes.end();
    like.clear();
    say(`The clients have gone; what they began ends.`);
    await this.ended();
    const counts = await this.audit();
    const alarms = await this.silence();
    this.faults.push(...this.memory.faults());
    const { repetitions } = client;
    return {
      faults: this.faults,
      alarms,
      counts: { uses: this.uses, repetitions, misfortunes: misfortunes.count, ...counts, ...this.memory.counts() },
    };
  }

  private async use(work: Work, number: number): Promise<void> {
    try {
      await work.use(number);
      this.uses += 1;
    } catch (error) {
      this.faults.push(`${work.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /**
   * Moves the clock until everything has ended, two minutes in a row: the end of one thing may begin another. Dead letters
   * are sent back, as operators do.
   */
  private async ended(): Promise<void> {
    const { service, works } = this.parts;
    let waiting: readonly string[] = [''];
    for (let minute = 0; minute < MINUTES_TO_END; minute += 1) {
      await this.redrive();
      await later(service.cloud, 60_000);
      const before = waiting;
      waiting = await waitingFor(works);
      if (before.length + waiting.length === 0) return;
    }
    this.faults.push(`These never end: ${waiting.join(', ')}.`);
  }

  private async redrive(): Promise<void> {
    const { cloud } = this.parts.service;
    const sqs = new SQSClient({ ...clientOptions(cloud), useQueueUrlAsEndpoint: false });
    const letters = new DeadLetters(sqs, (queue) => cloud.outputs[`${LETTERS}${queue}`] ?? '');
    const outputs = Object.keys(cloud.outputs).filter((output) => output.startsWith(LETTERS));
    for (const queue of outputs.map((output) => output.slice(LETTERS.length)))
      if ((await letters.state(queue)).waiting > 0) await letters.startRedrive(queue);
  }

  private async audit(): Promise<Record<string, number>> {
    const { works, hooks } = this.parts;
    const expected = new Set<string>();
    const counts: Record<string, number> = {};
    for (const work of works) {
      const findings = await work.audit();
      for (const run of findings.runs) expected.add(run);
      this.faults.push(...findings.faults.map((fault) => `${work.name}: ${fault}`));
      Object.assign(counts, findings.counts);
    }
    const { attemptsPerConfiguration: slots } = settingsOf(new App());
    const { table, endpoints } = hooks;
    const runs = await audit({ table, endpoints, expected, backlog: { runs: new Set(), at: Infinity }, slots });
    this.faults.push(...runs.faults.map((fault) => `runs: ${fault}`));
    return { ...counts, runs: expected.size, ...runs.counts };
  }

  /** Moves the clock until no alarm sounds. @returns those that still do */
  private async silence(): Promise<string[]> {
    const { cloud } = this.parts.service;
    const sounding = () => cloud.alarms().filter(({ state }) => state === 'ALARM');
    for (let minute = 0; minute < MINUTES_TO_SILENCE; minute += 1) {
      await later(cloud, 60_000);
      cloud.evaluateAlarms();
      if (sounding().length === 0) return [];
    }
    return sounding().map(({ path, reason }) => `${path}: ${reason}`);
  }
}

async function waitingFor(works: readonly Work[]): Promise<string[]> {
  const waiting: string[] = [];
  for (const work of works) if (!(await work.hasEnded())) waiting.push(work.name);
  return waiting;
}

/** All functions that this use of the service needs. */
async function victims() {
  const { routed, workers, readers, tasks, scheduled } = partsOf(await localStacks());
  const everyMinute = scheduled.filter(({ everyMinutes }) => everyMinutes === 1);
  const paths = (parts: readonly { readonly path: string }[]) => parts.map(({ path }) => path);
  return { routed: paths(routed), repeated: paths([...workers, ...readers, ...tasks, ...everyMinute]) };
}
