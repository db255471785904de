/**
 * Kills the functions of the running service as they park a run, pass a slot on and take one: every run ends all the
 * same, posted once. The points that no kill reaches are tested in
 * `test/webhooks/deliveries/parking.dynamodb.test.ts`, and their orders searched beside it.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Death } from '../../../cdk/local/lambda/faults.ts';
import { eventually, invoke } from '../../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { polled } from '../../support/runner/machine-time.ts';
import { few, isThorough } from '../../support/runner/thoroughness.ts';
import { type Answer, type Receiver, startReceiver } from '../../support/webhooks/receiver.ts';
import { type WebhookTenant, webhookTenant } from '../../support/webhooks/webhook-tenant.ts';

/** As the local stage has them. */
const SLOTS = 4;
const folder = mkdtempSync(join(tmpdir(), 'webhook-parking-'));
/** What the endpoint waits for with the coming POSTs, by path. */
const delays = new Map<string, Delay[]>();
type Delay = Promise<unknown> | 'hang';
let receiver: Receiver;
let service: RunningService;
let acme: WebhookTenant;

beforeAll(async () => {
  const answer = (path: string): Answer => {
    const delay = delays.get(path)?.shift();
    return delay === 'hang' ? 'hang' : { status: 200, ...(delay && { after: delay }) };
  };
  receiver = await startReceiver({ answer: ({ path }) => answer(path) });
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, receiver.caPem);
  service = await startService({
    parameters: { WebhookPrivateTargets: `127.0.0.1:${receiver.port}`, WebhookExtraCaFile: ca },
  });
  service.cloud.stopSchedules({ allBut: 'Webhooks/' });
  acme = await webhookTenant(service, 'acme');
});
afterAll(async () => {
  await service?.close();
  await receiver?.close();
  rmSync(folder, { recursive: true });
});
afterEach(() => {
  expect(service.cloud.faults.pending).toBe(0);
});

/** An endpoint that takes its time for the first POSTs. */
async function scene(...waits: readonly Delay[]) {
  const path = `/${crypto.randomUUID()}`;
  delays.set(path, [...waits]);
  const trigger = 'Task is completed';
  const made = await acme.webhook(receiver.url + path, {
    retryTimeoutSeconds: waits.includes('hang') ? 10 : 60,
    maxAttempts: 1,
    rule: { trigger },
  });
  const runs: string[] = [];
  const posts = () => receiver.posts.filter((post) => post.path === path);
  return {
    posts,
    runs,
    /** Runs that have been posted and have not ended. */
    async underWay() {
      let count = 0;
      // One after the other: at once, each read would start a function of its own.
      for (const run of runs) {
        const { status, attempts } = await acme.get(`runs/${run}`);
        if (attempts > 0 && status === 'IN_PROGRESS') count += 1;
      }
      return count;
    },
    /** One run more. */
    async announce() {
      const [run = ''] = await acme.announce({ trigger });
      runs.push(run);
      return run;
    },
    begun: (count: number) => receiver.posted(path, count),
    parked: (run: string) =>
      polled(
        () => acme.get(`runs/${run}`),
        ({ waitsForEndpoint }) => waitsForEndpoint,
      ),
    /** Later scenes announce events of the same kind. */
    close: () => acme.call('DELETE', `rules/${made.rule}`),
    /** All have been posted once, and but for one that timed out have succeeded. */
    async delivered(lost?: string) {
      const ends: unknown[] = [];
      for (const run of runs) {
        const { status } = await acme.ended(run);
        ends.push([status, (await acme.attempts(run)).map(({ outcome }: Record<string, unknown>) => outcome)]);
      }
      expect(ends).toEqual(runs.map((run) => (run === lost ? ['FAILED', ['timeout']] : ['COMPLETED', ['succeeded']])));
      expect(posts()).toHaveLength(runs.length);
    },
  };
}

const dead = () =>
  polled(
    () => service.cloud.faults.pending,
    (pending) => pending === 0,
  );

/** A worker that is silent for a minute is taken for dead: slots and leases have run out, and the sweeper looks. */
async function aMinuteLater() {
  service.cloud.clock.advance(65_000);
  await invoke(service.cloud, service.cloud.functionName('SweepRuns'), {});
}

const sending = (call: number): Death => ({ call, moment: 'sending' });
const answered = (call: number): Death => ({ call, moment: 'answered' });
// Every death starts a thread anew, so they are few. `parking.dynamodb.test.ts` tries all points, without the service.

describe('a run that finds no room is delivered once', () => {
  it('whatever its worker dies at', async () => {
    const gate = Promise.withResolvers<void>();
    const at = await scene(...Array.from({ length: SLOTS }, () => gate.promise));
    for (let n = 0; n < SLOTS; n += 1) await at.announce();
    await at.begun(SLOTS);
    // It reads the run and the account, asks for a slot, notes that it is about to park the run, parks it, and looks at the slots.
    const calls = [1, 2, 3, 4, 5, 6].flatMap((call) => [sending(call), answered(call)]);
    for (const death of few<Death>([answered(5)], ['after-result', ...calls])) {
      service.cloud.faults.kill('DeliverFast', death);
      const run = await at.announce();
      await dead();
      await at.parked(run);
    }
    await at.close();
    gate.resolve();
    await at.delivered();
  });
});

describe('runs that wait for a slot are delivered once', () => {
  it.each(few([sending(9)], [answered(9), ...[10, 11, 12, 13, 14].map(sending), answered(13), answered(14)]))(
    'when the worker that returns one dies: %o',
    async (death) => {
      const [first, others] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const at = await scene(first.promise, others.promise, others.promise, others.promise);
      service.cloud.faults.kill('DeliverFast', death);
      await at.announce();
      await at.begun(1);
      for (let n = 1; n < SLOTS; n += 1) await at.announce();
      await at.begun(SLOTS);
      const waiting = [await at.announce(), await at.announce()];
      for (const run of waiting) await at.parked(run);
      await at.close();
      first.resolve();
      await dead();
      others.resolve();
      // The others have passed theirs on; nobody else holds an attempt when the time leaps.
      for (const run of at.runs.slice(0, SLOTS)) await acme.ended(run);
      await eventually(
        service.cloud,
        () => at.underWay(),
        (count) => count === 0,
      );
      await aMinuteLater();
      await at.delivered();
    },
  );

  // It takes the time of a timeout each.
  it.runIf(isThorough).each([sending(1), answered(1), sending(2), answered(2), sending(3), answered(3)])(
    'when the worker that was given one dies: %o',
    async (death) => {
      // A timeout sends those that follow to the slow lane, where every run has a worker of its own.
      const others = Promise.withResolvers<void>();
      const at = await scene('hang', others.promise, others.promise, others.promise);
      const lost = await at.announce();
      await at.begun(1);
      // The others are posted so much later that they have not timed out when the worker dies.
      const begunAt = performance.now();
      await polled(
        () => performance.now() - begunAt,
        (millis) => millis > 6_000,
      );
      for (let n = 1; n < SLOTS; n += 1) await at.announce();
      await at.begun(SLOTS);
      const waiting = [await at.announce(), await at.announce()];
      for (const run of waiting) await at.parked(run);
      await at.close();
      service.cloud.faults.kill('DeliverSlow', death);
      await dead();
      others.resolve();
      await at.delivered(lost);
    },
  );
});
