import { createHash } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Random } from '../../bench/records/generated-businesses.ts';
import { type Answer, type Post, type Receiver, startReceiver } from './receiver.ts';

/**
 * How an endpoint behaves. `steady` ones fail now and then, as all do; `silent` ones do not answer until they recover.
 */
export type Temper = 'steady' | 'slow' | 'hanging' | 'refusing' | 'silent';

/** What endpoints saw of one run: POSTs of the same path whose body names the same event. */
export interface Seen {
  readonly keys: Set<string>;
  /** Digests of the bodies. */
  readonly bodies: Set<string>;
  readonly posts: SeenPost[];
}

interface SeenPost {
  /** Also in its answer, so that a line of the log can be matched to this POST. */
  readonly number: number;
  /** Undefined when there was no answer. */
  readonly status: number | undefined;
  /** When it had been read. */
  readonly at: number;
}

/** The head of a POST, its body and the end of it: each waits until the event loop comes round to it. */
const TURNS_PER_POST = 3;

/** The endpoints of a storm, one for each path, and what they saw. Some refuse: no server listens at their port. */
export interface StormEndpoints {
  readonly caPem: string;
  /** As `WEBHOOK_PRIVATE_TARGETS` takes them. */
  readonly privateTargets: string;
  readonly posts: number;
  /** A POST may have been read so much later than it was sent. */
  readonly lagMillis: number;
  url(path: string, temper: Temper): string;
  seen(path: string, event: string): Seen | undefined;
  /** From now on the silent ones are steady. */
  recover(): void;
  close(): Promise<void>;
}

export async function startStormEndpoints(seed: number): Promise<StormEndpoints> {
  const random = new Random(seed);
  const tempers = new Map<string, Temper>();
  const seen = new Map<string, Seen>();
  const delays = monitorEventLoopDelay();
  delays.enable();
  let number = 0;

  const answer = (post: Post): Answer => {
    number += 1;
    const given = answerOf(tempers.get(post.path) ?? 'steady', random, number);
    const { event } = JSON.parse(post.body.toString()) as { event: string };
    const run = seenOf(seen, `${post.path} ${event}`);
    run.keys.add(String(post.headers['x-service-idempotency-key']));
    run.bodies.add(createHash('sha256').update(post.body).digest('base64'));
    const status = typeof given === 'object' && 'status' in given ? given.status : undefined;
    run.posts.push({ number, status, at: post.at.getTime() });
    return given;
  };
  const [receiver, closed] = await Promise.all([startReceiver({ answer, keepsPosts: false }), startReceiver()]);
  await closed.close();

  const at = ({ url }: Receiver, path: string) => `${url}${path}`;
  return {
    caPem: receiver.caPem,
    privateTargets: `127.0.0.1:${receiver.port},127.0.0.1:${closed.port}`,
    get posts() {
      return number;
    },
    get lagMillis() {
      return Math.ceil((TURNS_PER_POST * delays.max) / 1e6);
    },
    url(path, temper) {
      tempers.set(path, temper);
      return at(temper === 'refusing' ? closed : receiver, path);
    },
    seen: (path, event) => seen.get(`${path} ${event}`),
    recover() {
      for (const [path, temper] of tempers) if (temper === 'silent') tempers.set(path, 'steady');
    },
    close() {
      delays.disable();
      return receiver.close();
    },
  };
}

function answerOf(temper: Temper, random: Random, number: number): Answer {
  const body = JSON.stringify({ post: number });
  if (temper === 'silent' || (temper === 'hanging' && random.chance(0.15))) return 'hang';
  if (random.chance(0.01)) return 'drop';
  if (random.chance(0.05)) return { status: random.pick([302, 404, 500, 503]), body };
  return { status: 200, body, ...(temper === 'slow' && { afterMillis: 200 + random.below(400) }) };
}

function seenOf(all: Map<string, Seen>, name: string): Seen {
  const entry = all.get(name) ?? { keys: new Set(), bodies: new Set(), posts: [] };
  all.set(name, entry);
  return entry;
}
