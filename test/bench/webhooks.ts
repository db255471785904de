import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { httpsSender } from '../../functions/webhooks/sending/sender.https.ts';
import { readPrivateTargets, readTarget } from '../../functions/webhooks/sending/target.ts';
import { type RunningService, startService } from '../support/running-service.ts';
import { type WebhookTenant, webhookTenant } from '../support/webhook-tenant.ts';
import { type Endpoint, epochMillis, startEndpointProcess } from './webhook-endpoint.ts';
import type { Arrival } from './webhook-receiver.ts';

const number = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise);

/** Runs of the measurement of speed, and endpoints that they go to: one endpoint gets a few attempts at a time. */
const RUNS = number('RUNS', 3_000);
const CONFIGURATIONS = 10;
/** Events of the measurement of latency, at a fixed interval. */
const EVENTS = number('EVENTS', 200);
const PAUSE_MILLIS = number('PAUSE_MILLIS', 150);
/** Runs of the noisy tenant, at an endpoint that never answers. 20,000 are made in four minutes on two processors. */
const BLACK_HOLE_RUNS = number('BLACK_HOLE_RUNS', 5_000);
const BLACK_HOLE_RULES = 50;
/** How often the latency beside them is measured, half a minute or so each time. */
const PARTS = number('PARTS', 5);
/** POSTs of the plain loop, and how many of them are under way at a time. */
const POSTS = number('POSTS', 20_000);
const AT_A_TIME = 12;

/** Filled up to about 500 bytes. */
const FILLING = 'x'.repeat(330);
const BODY = { event: '{{requestId}}', kind: 'data-subject-request.started', tenant: '{{tenantId}}', filling: FILLING };

/**
 * Runs a second, latency, the effect of a noisy neighbour on it, and memory: the whole service on the local cloud.
 * `RUNS`, `EVENTS`, `BLACK_HOLE_RUNS`, `PARTS` and `POSTS` change how much is measured.
 */
export async function benchWebhooks(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-webhooks-'));
  const endpoint = await startEndpointProcess();
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, endpoint.caPem);
  let service: RunningService | undefined;
  try {
    const target = new URL(endpoint.url).host;
    service = await startService({
      dataDir: join(folder, 'state'),
      context: { WEBHOOK_PRIVATE_TARGETS: target, WEBHOOK_EXTRA_CA_FILE: ca },
    });
    const bench = new Bench(service, endpoint);
    await bench.speed();
    await bench.latency();
  } finally {
    await service?.close();
    await endpoint.close();
    rmSync(folder, { recursive: true });
  }
}

class Bench {
  private readonly service: RunningService;
  private readonly endpoint: Endpoint;
  private events = 0;

  constructor(service: RunningService, endpoint: Endpoint) {
    this.service = service;
    this.endpoint = endpoint;
  }

  /** The plain loop, our sender in the same loop, and the service: all post the same bodies to the same receiver. */
  async speed(): Promise<void> {
    const posted = JSON.stringify({
      ...BODY,
      event: 'event-4711',
      tenant: 'speed',
      timestamp: new Date().toISOString(),
    });
    const body = Buffer.from(posted);
    const rates: Record<string, Rate> = {
      'plain https.request, keep-alive': await this.looped(plainPost(this.endpoint, body)),
      'our sender alone': await this.looped(senderPost(this.endpoint, body)),
      [`the service, ${RUNS.toLocaleString('en')} runs`]: await this.throughput(),
    };
    const limit = Object.values(rates)[0]!;
    console.log(`\nDeliveries, bodies of ${body.length} bytes, TLS on loopback, receiver in a process of its own`);
    console.table(
      Object.fromEntries(
        Object.entries(rates).map(([name, rate]) => [
          name,
          {
            'per second': Math.round(rate.perSecond),
            'per CPU second': Math.round(rate.perCpuSecond),
            'to the limit': (rate.perSecond / limit.perSecond).toFixed(4),
            'per CPU s': (rate.perCpuSecond / limit.perCpuSecond).toFixed(4),
          },
        ]),
      ),
    );
    console.log(
      'The processor time of the service is that of the whole local cloud: gateway, queues, database and functions.',
    );
  }

  private async looped(post: () => Promise<void>): Promise<Rate> {
    for (let n = 0; n < 200; n += 1) await post();
    await this.endpoint.arrivals();
    let left = POSTS;
    const clock = startClock();
    const loop = async () => {
      while (left-- > 0) await post();
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, loop));
    const rate = clock.rate(POSTS);
    if ((await this.endpoint.arrivals()).length !== POSTS) throw new Error('The receiver did not get all.');
    return rate;
  }

  /** Events that fire several rules each, from the first one announced to the last POST; memory on the way. */
  private async throughput(): Promise<Rate> {
    const tenant = await webhookTenant(this.service, 'speed');
    for (let n = 0; n < CONFIGURATIONS; n += 1) await this.webhook(tenant, `/speed/${n}`);
    // Functions start, connections open.
    await this.announceAll(tenant, Math.ceil(RUNS / CONFIGURATIONS / 10));
    const megabytes: number[] = [];
    const sampling = setInterval(() => megabytes.push(process.memoryUsage.rss() / 1e6), 500);
    const clock = startClock();
    const events = Math.ceil(RUNS / CONFIGURATIONS);
    await this.announceAll(tenant, events);
    const rate = clock.rate(events * CONFIGURATIONS);
    clearInterval(sampling);
    const at = (share: number) => (megabytes[Math.floor((megabytes.length - 1) * share)] ?? 0).toFixed(0);
    console.log(
      `\nMemory of the local cloud with all its functions during ${RUNS.toLocaleString('en')} runs, MB resident`,
    );
    console.table({ 'the process': { start: at(0), '25 %': at(0.25), '50 %': at(0.5), '75 %': at(0.75), end: at(1) } });
    return rate;
  }

  /** Announces events, and waits for the POSTs of all their runs. */
  private async announceAll(tenant: WebhookTenant, events: number): Promise<void> {
    for (let n = 0; n < events; n += 1) await this.announce(tenant);
    let posts = 0;
    while (posts < events * CONFIGURATIONS) {
      posts += (await this.endpoint.arrivals()).length;
      await sleep(20);
    }
  }

  /**
   * A quiet tenant by itself, and beside one whose endpoint never answers: while the runs of that one are made, and for
   * minutes after, because deferred runs come back in waves.
   */
  async latency(): Promise<void> {
    const quiet = await webhookTenant(this.service, 'quiet');
    await this.webhook(quiet, '/quiet');
    // Warms up: cold functions are not measured here.
    await this.latencies(quiet, 30);
    const alone = await this.latencies(quiet, EVENTS);
    const noisy = await webhookTenant(this.service, 'noisy');
    const { configuration } = await this.webhook(noisy, '/hang', { retryTimeoutSeconds: 30 });
    for (let n = 1; n < BLACK_HOLE_RULES; n += 1) await this.rule(noisy, configuration);
    const [arriving, filled] = await Promise.all([this.latencies(quiet, EVENTS), this.fill(noisy)]);
    const there: Latencies[] = [];
    for (let n = 0; n < PARTS; n += 1) there.push(await this.latencies(quiet, EVENTS));

    console.log(
      `\nLatency of a quiet tenant to the first byte at the receiver, ms: ${EVENTS} events a row, one every ${PAUSE_MILLIS} ms, ` +
        `alone and beside another tenant with ${BLACK_HOLE_RUNS.toLocaleString('en')} runs at an endpoint that hangs for 30 s (made in ${filled} s)`,
    );
    const row = (measured: Latencies) => ({
      ...shown('', measured.answered, alone.answered),
      ...shown('run ', measured.made, alone.made),
      'CPUs busy': measured.cpuShare.toFixed(2),
      seconds: Math.round(measured.seconds),
    });
    console.table({
      alone: row(alone),
      'while its runs are made': row(arriving),
      ...Object.fromEntries(there.map((part, n) => [`then, part ${n + 1}`, row(part)])),
      'all these parts': row(together(there)),
    });
    console.log(
      `From the answer to POST events; "run": from when the run was made. Target: p99 at most 2 times its value alone. Processors: of ${availableParallelism()}; where all are busy, the noise is that of this machine.`,
    );
    console.log(`Memory after that: ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB resident.`);
  }

  /** Makes the noisy tenant's runs, many with each event; the seconds it took. */
  private async fill(noisy: WebhookTenant): Promise<number> {
    const start = performance.now();
    for (let n = 0; n < BLACK_HOLE_RUNS / BLACK_HOLE_RULES; n += 1) await this.announce(noisy);
    return Math.round((performance.now() - start) / 1000);
  }

  private async latencies(tenant: WebhookTenant, events: number): Promise<Latencies> {
    await this.endpoint.arrivals();
    const answeredAt = new Map<string, number>();
    const clock = startClock();
    for (let n = 0; n < events; n += 1) {
      const event = await this.announce(tenant);
      answeredAt.set(event, epochMillis());
      await sleep(PAUSE_MILLIS);
    }
    const busy = { cpuShare: clock.cpuShare(), seconds: clock.seconds() };
    const arrived: Arrival[] = [];
    const end = Date.now() + 120_000;
    while (arrived.length < events && Date.now() < end) {
      arrived.push(...(await this.endpoint.arrivals()).filter(([event]) => answeredAt.has(event)));
      await sleep(100);
    }
    if (arrived.length !== events) throw new Error(`${arrived.length} of ${events} events arrived.`);
    return {
      answered: arrived.map(([event, at]) => at - (answeredAt.get(event) ?? 0)),
      made: arrived.map(([, at, made]) => at - made),
      ...busy,
    };
  }

  private webhook(tenant: WebhookTenant, path: string, more: object = {}) {
    const authentication = { type: 'bearer', token: 'a-secret-of-the-endpoint' };
    return tenant.webhook(`${this.endpoint.url}${path}`, { authentication, ...more, rule: { body: BODY } });
  }

  private async rule(tenant: WebhookTenant, apiConfigurationId: string): Promise<void> {
    const rule = { module: 'dsar', trigger: 'DSAR starts', apiConfigurationId, body: BODY };
    const { status, text } = await tenant.call('POST', 'rules', rule);
    if (status !== 201) throw new Error(text);
  }

  /** Returns the id of the event, which its POSTs carry. The API limits calls per second. */
  private async announce(tenant: WebhookTenant): Promise<string> {
    this.events += 1;
    const id = `bench-${this.events}`;
    const event = { id, module: 'dsar', trigger: 'DSAR starts', recordType: 'subject request', recordId: id };
    for (;;) {
      const { status, text } = await tenant.call('POST', 'events', event);
      if (status === 202) return id;
      if (status < 429) throw new Error(`events: ${status} ${text}`);
      await sleep(50);
    }
  }
}

interface Latencies {
  readonly answered: readonly number[];
  readonly made: readonly number[];
  /** Processors that were busy meanwhile, on average. */
  readonly cpuShare: number;
  readonly seconds: number;
}

function together(parts: readonly Latencies[]): Latencies {
  const seconds = parts.reduce((sum, part) => sum + part.seconds, 0);
  return {
    answered: parts.flatMap(({ answered }) => answered),
    made: parts.flatMap(({ made }) => made),
    cpuShare: parts.reduce((sum, part) => sum + part.cpuShare * part.seconds, 0) / seconds,
    seconds,
  };
}

/** Columns of one way to measure; the last compares p99 with the quiet tenant alone. */
function shown(prefix: string, values: readonly number[], alone: readonly number[]) {
  const p99 = percentile(values, 0.99);
  return {
    [`${prefix}p50`]: percentile(values, 0.5).toFixed(0),
    [`${prefix}p99`]: p99.toFixed(0),
    [`${prefix}to alone`]: (p99 / percentile(alone, 0.99)).toFixed(2),
  };
}

interface Rate {
  readonly perSecond: number;
  readonly perCpuSecond: number;
}

/**
 * Wall time, and the processor time of this process and the programs that it has started, where the system reports it.
 */
function startClock() {
  const start = performance.now();
  const cpu = cpuSeconds();
  return {
    rate: (count: number): Rate => ({
      perSecond: count / ((performance.now() - start) / 1000),
      perCpuSecond: count / (cpuSeconds() - cpu),
    }),
    seconds: () => (performance.now() - start) / 1000,
    cpuShare: () => (cpuSeconds() - cpu) / ((performance.now() - start) / 1000),
  };
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + engineCpuSeconds();
}

/** The DynamoDB engine runs beside us. Only Linux reports it; a tick is a hundredth of a second there. */
function engineCpuSeconds(): number {
  const stats = process.platform === 'linux' ? globSync('/proc/[0-9]*/stat') : [];
  return stats.reduce((sum, file) => {
    const [, name = '', rest = ''] = /\((.*)\) (.*)/.exec(readIfThere(file)) ?? [];
    const fields = rest.split(' ');
    const isOurs = Number(fields[1]) === process.pid && /dynoxide|java/.test(name);
    return isOurs ? sum + (Number(fields[11]) + Number(fields[12])) / 100 : sum;
  }, 0);
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The process has ended.
    return '';
  }
}

/** The minimum for a POST over HTTPS from Node. */
function plainPost({ url, caPem }: Endpoint, body: Buffer): () => Promise<void> {
  const agent = new Agent({ keepAlive: true, ca: caPem });
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  return () =>
    new Promise((resolve, reject) => {
      const post = request(`${url}/plain`, { method: 'POST', agent, headers }, (response) => {
        response.resume().once('end', resolve).once('error', reject);
      });
      post.once('error', reject).end(body);
    });
}

function senderPost({ url, caPem }: Endpoint, body: Buffer): () => Promise<void> {
  const send = httpsSender({ extraCa: caPem });
  const read = readTarget(`${url}/sender`, readPrivateTargets(new URL(url).host));
  if (!read.ok) throw new Error(read.reason);
  const { target } = read;
  return async () => {
    const headers = [['Content-Type', 'application/json']] as const;
    const result = await send({ target, headers, body, timeoutMillis: 30_000, connectionGroup: 'bench' });
    if (result.kind !== 'answered') throw new Error(result.failure);
  };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
