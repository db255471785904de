/**
 * A storm over the webhooks of a running service: many events, many of them twice, at endpoints of all tempers, while
 * functions are killed at random and messages are handled twice. Then every run is compared with what its endpoint saw.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { App } from 'aws-cdk-lib';
import { settingsOf } from '../../../cdk/settings.ts';
import { dynamoDbClient, type Table } from '../../../shared/table/table.dynamodb.ts';
import { Random } from '../../bench/records/generated-businesses.ts';
import { clientOptions } from '../cloud/local-cloud.ts';
import { type RunningService, startService } from '../cloud/running-service.ts';
import { polled } from '../runner/machine-time.ts';
import { type Audit, audit, type Backlog } from './storm-audit.ts';
import { type StormEndpoints, startStormEndpoints, type Temper } from './storm-endpoints.ts';
import { backlogOf, countRuns, hurry, isAnyRunDue } from './storm-table.ts';
import { type WebhookTenant, webhookTenant } from './webhook-tenant.ts';

export interface StormOptions {
  readonly runs: number;
  readonly tenants: number;
  /** Of all tenants together; a multiple of them. Each has one rule. */
  readonly configurations: number;
  /** Planned deaths of functions, and events that they get twice. */
  readonly kills: number;
  readonly seed: number;
  /** Silent endpoints recover when half of the events are announced and so many runs are parked. @default 0 */
  readonly backlog?: number;
  /** Runs that a worker has left are looked for every few seconds. @default false: when their minute is over, as on AWS */
  readonly isHurried?: boolean;
  /** How the endpoints of the configurations behave, in turn. @default all tempers */
  readonly tempers?: readonly Temper[];
  /** Everything must have ended this long after the last event. */
  readonly minutesMax: number;
}

export interface StormReport extends Audit {
  readonly runs: number;
  readonly events: number;
  readonly misfortunes: number;
  /** Functions that died in the middle of their POSTs. */
  readonly killed: number;
  readonly announcedSeconds: number;
  readonly endedSeconds: number;
  /** Of this process: the local cloud with its functions, and the endpoints. */
  readonly cpuSeconds: number;
  readonly peakMegabytes: number;
}

/** They make 8 for each of up to five messages. */
const DELIVERY_CALLS = 30;
/** Functions to kill, in turn, and at how many AWS calls. */
const VICTIMS = [
  { name: 'DeliverFast', calls: DELIVERY_CALLS },
  { name: 'ReceiveEvents', calls: 5 },
  { name: 'DeliverFast', calls: DELIVERY_CALLS },
  { name: 'Webhooks/Events', calls: 6 },
  { name: 'DeliverSlow', calls: DELIVERY_CALLS },
  { name: 'DeliverFast', calls: DELIVERY_CALLS },
  { name: 'DispatchRuns', calls: 1 },
] as const;
/** It runs once a minute, so its deaths are planned one at a time. */
const SWEEPER = { name: 'SweepRuns', calls: 18 } as const;
const SWEEPER_MILLIS = 60_000;
/** One in this many planned faults kills all deliveries of a lane at once, in the middle of their POSTs. */
const MASSACRE = 40;
const LANES = ['DeliverFast', 'DeliverSlow'] as const;
const ANNOUNCERS = 4;
/** A function in memory takes some 40 MB. */
const THREADS = 40;

/** The triggers of rules; the events of a tenant are spread over the first few of them. */
const TRIGGERS = [
  { module: 'dsar', trigger: 'Task is completed' },
  { module: 'dsar', trigger: 'DSAR starts' },
  { module: 'dsar', trigger: 'DSAR is completed' },
  { module: 'breach', trigger: 'Incident created' },
  { module: 'breach', trigger: 'Incident closed' },
  { module: 'assessment', trigger: 'Assessment started' },
  { module: 'assessment', trigger: 'Assessment submitted' },
  { module: 'assessment', trigger: 'Assessment approved' },
  { module: 'consent', trigger: 'Consent submitted' },
  { module: 'consent', trigger: 'Consent withdrawn' },
] as const;
const RULES_PER_EVENT_MIN = 3;

/** Of forty configurations. The others are steady. */
const TEMPERS: Readonly<Record<number, Temper>> = {
  0: 'refusing',
  1: 'hanging',
  2: 'slow',
  3: 'silent',
  13: 'silent',
  20: 'refusing',
  21: 'hanging',
  22: 'slow',
  23: 'silent',
  33: 'silent',
};
/** Failing runs make all their attempts, so these must end quickly. */
const RETRYING = { retryIntervalSeconds: 1, retryTimeoutSeconds: 2, maxAttempts: 3 };

interface Announcement {
  readonly tenant: WebhookTenant;
  readonly event: Readonly<Record<string, unknown>> & { readonly id: string };
  /** Rules that the event fires. */
  readonly rules: readonly string[];
}

export async function webhookStorm(options: StormOptions): Promise<StormReport> {
  const folder = mkdtempSync(join(tmpdir(), 'webhook-storm-'));
  const endpoints = await startStormEndpoints(options.seed);
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, endpoints.caPem);
  let service: RunningService | undefined;
  try {
    service = await startService({
      // Not in memory: a storm leaves a lot behind.
      dataDir: join(folder, 'state'),
      threads: THREADS,
      parameters: { WebhookPrivateTargets: endpoints.privateTargets, WebhookExtraCaFile: ca },
    });
    service.cloud.stopSchedules({ allBut: 'Webhooks/' });
    return await new Storm(service, endpoints, options).run();
  } finally {
    await service?.close();
    await endpoints.close();
    rmSync(folder, { recursive: true });
  }
}

class Storm {
  private readonly service: RunningService;
  private readonly endpoints: StormEndpoints;
  private readonly options: StormOptions;
  private readonly random: Random;
  private readonly table: Table;
  private readonly bus: EventBridgeClient;
  private readonly announcedOverBus: object[] = [];
  private backlog: Backlog = { runs: new Set(), at: Infinity };
  private misfortunes = 0;
  private announced = 0;
  private killed = 0;
  private sweeperPlannedAt = 0;
  private peakMegabytes = 0;

  constructor(service: RunningService, endpoints: StormEndpoints, options: StormOptions) {
    const { cloud } = service;
    this.service = service;
    this.endpoints = endpoints;
    this.options = options;
    this.random = new Random(options.seed);
    this.table = { name: cloud.outputs['WebhooksTable'] ?? '', client: dynamoDbClient(clientOptions(cloud)) };
    this.bus = new EventBridgeClient(clientOptions(cloud));
  }

  async run(): Promise<StormReport> {
    const { runs } = this.options;
    const announcements = await this.announcements();
    const expected = new Set(announcements.flatMap(({ event, rules }) => rules.map((rule) => `${event.id} ${rule}`)));
    const started = performance.now();
    const cpu = process.cpuUsage();
    const seconds = () => Math.round((performance.now() - started) / 1000);
    const calm = new AbortController();
    const disturbing = this.disturb(calm.signal, announcements.length);
    const waiting = announcements.values();
    const announcing = async () => {
      for (const announcement of waiting) {
        await this.announce(announcement);
        this.announced += 1;
        // Silent until then.
        if (this.announced === Math.floor(announcements.length / 2)) await this.recover();
      }
    };
    await Promise.all(Array.from({ length: ANNOUNCERS }, announcing));
    await this.announceOverBus();
    const announcedSeconds = seconds();
    const end = Date.now() + this.options.minutesMax * 60_000;
    while (Date.now() < end) {
      if (!(await isAnyRunDue(this.table))) {
        if ((await countRuns(this.table)) >= expected.size) break;
        await this.redriveEvents();
      }
      if (this.options.isHurried) await this.hurry();
      await sleep(1_000);
    }
    calm.abort();
    await disturbing;
    const endedSeconds = seconds();
    // A message that comes late or twice finds its run ended, and must leave it so.
    await sleep(2_000);
    const { misfortunes, killed, peakMegabytes, table, endpoints, backlog } = this;
    const { attemptsPerConfiguration: slots } = settingsOf(new App());
    const results = await audit({ table, endpoints, backlog, expected, slots });
    const { user, system } = process.cpuUsage(cpu);
    const times = { announcedSeconds, endedSeconds, cpuSeconds: Math.round((user + system) / 1e6) };
    return { ...results, runs, events: announcements.length, misfortunes, killed, ...times, peakMegabytes };
  }

  /** Sets up everything, and returns what is to be announced; the last event is cut to the number of runs. */
  private async announcements(): Promise<Announcement[]> {
    const { configurations, tenants, tempers } = this.options;
    const perTenant = configurations / tenants;
    const triggers = TRIGGERS.slice(0, Math.max(1, Math.floor(perTenant / RULES_PER_EVENT_MIN)));
    const sources: Pick<Announcement, 'tenant' | 'rules'>[][] = [];
    let path = 0;
    for (let n = 0; n < tenants; n += 1) {
      const tenant = await webhookTenant(this.service, `storm-${n}`);
      const rules: string[][] = triggers.map(() => []);
      for (let of = 0; of < perTenant; of += 1) {
        const temper = (tempers ? tempers[path % tempers.length] : TEMPERS[path % 40]) ?? 'steady';
        const { rule } = await tenant.webhook(this.endpoints.url(`/${path}`, temper), {
          ...RETRYING,
          ...(path % 3 === 0 && { authentication: { type: 'bearer', token: `secret-${path}` } }),
          rule: { ...triggers[of % triggers.length], body: { event: '{{requestId}}', kind: 'storm', n: path } },
        });
        rules[of % triggers.length]?.push(rule);
        path += 1;
      }
      sources.push(rules.map((some) => ({ tenant, rules: some })));
    }
    return [...this.eventsFor(sources, triggers)];
  }

  private *eventsFor(
    sources: readonly (readonly Pick<Announcement, 'tenant' | 'rules'>[])[],
    triggers: readonly (typeof TRIGGERS)[number][],
  ): Generator<Announcement> {
    let runs = 0;
    for (let n = 0; runs < this.options.runs; n += 1) {
      const which = this.random.below(triggers.length);
      const source = this.random.pick(sources)[which]!;
      const id = `event-${n}`;
      runs += source.rules.length;
      yield { ...source, event: { id, ...triggers[which]!, recordType: 'storm', recordId: id } };
    }
  }

  /** Over the API or the bus, some over both, some twice. */
  private async announce({ tenant, event, rules }: Announcement): Promise<void> {
    const ways = this.random.pick(['a', 'a', 'b', 'b', 'ab', 'aa', 'bb'] as const);
    for (const way of ways) {
      if (way === 'a') await this.announceOverApi(tenant, event, rules.length);
      else this.announcedOverBus.push({ tenant: tenant.tenant, ...event });
    }
    if (this.announcedOverBus.length >= 10) await this.announceOverBus();
  }

  /** Repeats until it is answered: the announcer does not know that the function has died. */
  private async announceOverApi(tenant: WebhookTenant, event: object, runs: number): Promise<void> {
    for (;;) {
      const { status, json, text } = await tenant.call('POST', 'events', event);
      if (status === 202 && json.runIds.length === runs) return;
      if (status < 429) throw new Error(`events: ${status} ${text}`);
      await sleep(100);
    }
  }

  private async announceOverBus(): Promise<void> {
    const entries = this.announcedOverBus.splice(0, this.announcedOverBus.length).map((detail) => ({
      EventBusName: this.service.cloud.outputs['EventBus'],
      Source: 'storm',
      DetailType: 'webhook.trigger',
      Detail: JSON.stringify(detail),
    }));
    for (let from = 0; from < entries.length; from += 10) {
      await this.bus.send(new PutEventsCommand({ Entries: entries.slice(from, from + 10) }));
    }
  }

  /** Plans faults, a few at a time and spread over all announcements, until the storm is over. */
  private async disturb(signal: AbortSignal, announcements: number): Promise<void> {
    const { faults } = this.service.cloud;
    let planned = 0;
    while (!signal.aborted) {
      this.peakMegabytes = Math.max(this.peakMegabytes, Math.round(process.memoryUsage.rss() / 1e6));
      const due = Math.ceil((this.options.kills * this.announced) / announcements);
      while (planned < due && faults.pending < 6) {
        planned += 1;
        if (planned % MASSACRE === 0) this.killed += await faults.killRunning(this.random.pick(LANES));
        else this.planOne(planned);
      }
      await sleep(50);
    }
    this.misfortunes = planned - faults.pending;
    faults.clear();
  }

  private planOne(number: number): void {
    const { faults } = this.service.cloud;
    const isSweepersTurn = Date.now() - this.sweeperPlannedAt > SWEEPER_MILLIS;
    if (isSweepersTurn) this.sweeperPlannedAt = Date.now();
    const { name, calls } = isSweepersTurn ? SWEEPER : VICTIMS[number % VICTIMS.length]!;
    if (name.startsWith('D') && this.random.chance(0.3)) {
      faults.deliverTwice(name, { together: this.random.chance(0.5) });
      return;
    }
    const edge = this.random.pick(['before-invoke', 'after-result'] as const);
    const moment = number % 2 === 0 ? 'sending' : 'answered';
    faults.kill(name, this.random.chance(0.2) ? edge : { call: 1 + this.random.below(calls), moment });
  }

  /** Redrives as an operator would: an event whose function died five times in a row is among the dead letters. */
  private async redriveEvents(): Promise<void> {
    const { code, stderr } = await this.service.run('cdk/letters.command.ts', 'WebhookEvents', '--redrive');
    if (code !== 0) throw new Error(stderr);
    await sleep(2_000);
  }

  /** Runs the sweeper, as if the minute were over for those that it has to look at. */
  private async hurry(): Promise<void> {
    await hurry(this.table);
    this.service.cloud.runSchedule('SweepEveryMinute');
    await sleep(2_000);
  }

  private async recover(): Promise<void> {
    await this.announceOverBus();
    let runs: ReadonlySet<string> = new Set();
    await polled(
      async () => (runs = await backlogOf(this.table)).size,
      (size) => size >= (this.options.backlog ?? 0),
    );
    this.backlog = { runs, at: Date.now() };
    this.endpoints.recover();
  }
}
