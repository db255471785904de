import { Agent, request } from 'node:https';
import { availableParallelism } from 'node:os';
import { httpsSender } from '../../../functions/webhooks/sending/sender.https.ts';
import { readPrivateTargets, readTarget } from '../../../functions/webhooks/sending/target-policy.ts';
import { elapsed } from '../../support/runner/machine-time.ts';
import { type WebhookTenant, webhookTenant } from '../../support/webhooks/webhook-tenant.ts';
import { type Rate, startClock } from '../processor-clock.ts';
import { sizeOf } from '../size.ts';
import { type Endpoint, epochMillis } from './webhook-endpoint.ts';
import type { Arrival } from './webhook-receiver.ts';
import { BODY, RULES, type WebhookService, withWebhookService } from './webhook-service.ts';

/** Runs of the measurement of speed, and endpoints that they go to: one endpoint gets a few attempts at a time. */
const RUNS = sizeOf('RUNS', 3_000);
const CONFIGURATIONS = 10;
/** Events of the measurement of latency, at a fixed interval. */
const EVENTS = sizeOf('EVENTS', 200);
const PAUSE_MILLIS = sizeOf('PAUSE_MILLIS', 150);
/** Runs of the noisy tenant, at an endpoint that never answers. 20,000 are made in four minutes on two processors. */
const BLACK_HOLE_RUNS = sizeOf('BLACK_HOLE_RUNS', 5_000);
/** How often the latency beside them is measured, half a minute or so each time. */
const PARTS = sizeOf('PARTS', 5);
/** POSTs of the plain loop, and how many of them are under way at a time. */
const POSTS = sizeOf('POSTS', 20_000);
const AT_A_TIME = 12;

/** The most that p99 of a quiet tenant may be, to its value alone. */
const TARGETS = { beside: 1.3, whileMade: 2 };

/**
 * Runs a second, latency, the effect of a noisy neighbour on it, and memory: the whole service on the local cloud.
 * `RUNS`, `EVENTS`, `BLACK_HOLE_RUNS`, `PARTS` and `POSTS` change how much is measured.
 */
export async function benchWebhooks(): Promise<void> {
  const measure = async (webhooks: WebhookService) => {
    const bench = new Bench(webhooks);
    await bench.speed();
    await bench.latency();
  };
  await withWebhookService(measure);
}

class Bench {
  private readonly webhooks: WebhookService;
  private readonly endpoint: Endpoint;

  constructor(webhooks: WebhookService) {
    this.webhooks = webhooks;
    this.endpoint = webhooks.endpoint;
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
    const tenant = await webhookTenant(this.webhooks.service, 'speed');
    for (let n = 0; n < CONFIGURATIONS; n += 1) await this.webhooks.webhook(tenant, `/speed/${n}`);
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
    for (let n = 0; n < events; n += 1) await this.webhooks.announce(tenant);
    let posts = 0;
    while (posts < events * CONFIGURATIONS) {
      posts += (await this.endpoint.arrivals()).length;
      await elapsed(20);
    }
  }

  /**
   * A quiet tenant by itself, and beside one whose endpoint never answers: while the runs of that one are made, and for
   * minutes after.
   */
  async latency(): Promise<void> {
    const quiet = await webhookTenant(this.webhooks.service, 'quiet');
    await this.webhooks.webhook(quiet, '/quiet');
    // Warms up: cold functions are not measured here.
    await this.latencies(quiet, 30);
    const alone = await this.latencies(quiet, EVENTS);
    const noisy = await webhookTenant(this.webhooks.service, 'noisy');
    await this.webhooks.webhook(noisy, '/hang', { rules: RULES, retryTimeoutSeconds: 30 });
    const filling = this.webhooks.makeRuns(noisy, BLACK_HOLE_RUNS);
    let isFilled = false;
    void filling.finally(() => (isFilled = true));
    const [arriving, filled] = await Promise.all([this.latencies(quiet, () => !isFilled), filling]);
    const there: Latencies[] = [];
    for (let n = 0; n < PARTS; n += 1) there.push(await this.latencies(quiet, EVENTS));

    console.log(
      `\nLatency of a quiet tenant to the first byte at the receiver, ms: one event every ${PAUSE_MILLIS} ms, ` +
        `alone and beside another tenant with ${BLACK_HOLE_RUNS.toLocaleString('en')} runs at an endpoint that hangs for 30 s (made in ${filled.toFixed(0)} s)`,
    );
    const row = (measured: Latencies) => ({
      ...columnsOf('', measured.answered, alone.answered),
      ...columnsOf('run ', measured.made, alone.made),
      events: measured.answered.length,
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
      `From the answer to POST events; "run": from when the run was made. Processors: of ${availableParallelism()}; where all are busy, the noise is that of this machine.`,
    );
    const ratio = ({ answered }: Latencies) =>
      (percentile(answered, 0.99) / percentile(alone.answered, 0.99)).toFixed(2);
    console.log(
      `p99 to its value alone: ${ratio(together(there))} beside them (target: at most ${TARGETS.beside}), ` +
        `${ratio(arriving)} while they are made (target: at most ${TARGETS.whileMade}).`,
    );
    console.log(`Memory after that: ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB resident.`);
  }

  /** @param goesOn whether another event is announced after so many; a number says how many in all. */
  private async latencies(
    tenant: WebhookTenant,
    goesOn: number | ((announced: number) => boolean),
  ): Promise<Latencies> {
    await this.endpoint.arrivals();
    const answeredAt = new Map<string, number>();
    const clock = startClock();
    const isMore = typeof goesOn === 'number' ? (announced: number) => announced < goesOn : goesOn;
    while (isMore(answeredAt.size)) {
      const event = await this.webhooks.announce(tenant);
      answeredAt.set(event, epochMillis());
      await elapsed(PAUSE_MILLIS);
    }
    const busy = { cpuShare: clock.cpuShare(), seconds: clock.seconds() };
    const arrived: Arrival[] = [];
    const end = Date.now() + 120_000;
    const events = answeredAt.size;
    while (arrived.length < events && Date.now() < end) {
      arrived.push(...(await this.endpoint.arrivals()).filter(([event]) => answeredAt.has(event)));
      await elapsed(100);
    }
    if (arrived.length !== events) throw new Error(`${arrived.length} of ${events} events arrived.`);
    return {
      answered: arrived.map(([event, at]) => at - (answeredAt.get(event) ?? 0)),
      made: arrived.map(([, at, made]) => at - made),
      ...busy,
    };
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
function columnsOf(prefix: string, values: readonly number[], alone: readonly number[]) {
  const p99 = percentile(values, 0.99);
  return {
    [`${prefix}p50`]: percentile(values, 0.5).toFixed(0),
    [`${prefix}p99`]: p99.toFixed(0),
    [`${prefix}to alone`]: (p99 / percentile(alone, 0.99)).toFixed(2),
  };
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
