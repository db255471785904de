/** Kills functions, gives events twice and throttles invocations, at random. */
import type { Cloud } from '../../cdk/local/cloud.ts';
import type { Faults } from '../../cdk/local/lambda/faults.ts';
import { Random } from '../bench/records/generated-businesses.ts';
import { elapsed } from '../support/runner/machine-time.ts';

/** The functions that may suffer, by the paths of their constructs. */
export interface Victims {
  /** Called by clients. */
  readonly routed: readonly string[];
  /** Called by queues, streams, schedules and executions, which repeat what failed. */
  readonly repeated: readonly string[];
}

/** Most functions make few calls in an invocation, and some many: up to one of these. */
const CALLS = [3, 3, 12];
const PENDING_MAX = 8;
const PAUSE_MILLIS = 500;
/** Then the functions in use are looked up again, and faults are forgotten that have not happened. */
const PAUSES_MAX = 20;

export class Misfortunes {
  /** The number of misfortunes so far. */
  count = 0;
  private readonly cloud: Pick<Cloud, 'faults' | 'logsOf'>;
  private readonly faults: Faults;
  private readonly random: Random;
  private readonly ended = new AbortController();
  private readonly done: Promise<void>;

  constructor(cloud: Pick<Cloud, 'faults' | 'logsOf'>, victims: Victims, seed: number) {
    this.cloud = cloud;
    this.faults = cloud.faults;
    this.random = new Random(seed);
    this.done = this.happen(victims);
  }

  async end(): Promise<void> {
    this.ended.abort();
    await this.done;
  }

  private async happen(victims: Victims): Promise<void> {
    const { faults, cloud } = this;
    const isUsed = (path: string) => cloud.logsOf(path).length > 0;
    while (!this.ended.signal.aborted) {
      const used = { routed: victims.routed.filter(isUsed), repeated: victims.repeated.filter(isUsed) };
      let planned = 0;
      for (let pause = 0; pause < PAUSES_MAX && !this.ended.signal.aborted; pause += 1) {
        const isAnyUsed = used.routed.length > 0 && used.repeated.length > 0;
        if (isAnyUsed) for (; faults.pending < PENDING_MAX; planned += 1) this.plan(used);
        await elapsed(PAUSE_MILLIS);
      }
      this.count += planned - faults.pending;
      faults.clear();
    }
  }

  private plan({ routed, repeated }: Victims): void {
    const { faults, random } = this;
    const edge = random.pick(['before-invoke', 'after-result'] as const);
    const call = 1 + random.below(random.pick(CALLS));
    const death = random.chance(0.2) ? edge : { call, moment: random.pick(['sending', 'answered'] as const) };
    if (random.chance(0.4)) faults.kill(random.pick(routed), death);
    else if (random.chance(0.3)) faults.deliverTwice(random.pick(repeated), { together: random.chance(0.5) });
    else if (random.chance(0.1)) faults.throttle(random.pick(repeated));
    else faults.kill(random.pick(repeated), death);
  }
}
