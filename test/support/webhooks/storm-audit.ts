import { paginateScan } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type Attempt, presentAttempt } from '../../../functions/webhooks/runs/attempt.ts';
import { hasEnded, type Run } from '../../../functions/webhooks/runs/run.ts';
import { attemptIn, runIn } from '../../../functions/webhooks/runs/run-items.dynamodb.ts';
import type { Item, Table } from '../../../shared/table/table.dynamodb.ts';
import type { Seen, StormEndpoints } from './storm-endpoints.ts';
import { type FirstPost, heldUp } from './storm-order.ts';

/** The outcome of all runs. */
export interface Audit {
  readonly counts: Readonly<Record<string, number>>;
  /** Everything that is wrong, one sentence each. */
  readonly faults: readonly string[];
  /** Runs of the backlog whose order was compared. */
  readonly waited: number;
  /** Those of them that were posted later than in their turn: none unless workers or messages were lost, or waited for longer than slots are reserved. */
  readonly heldUp: readonly string[];
}

/** The runs that were parked at one moment. */
export interface Backlog {
  readonly runs: ReadonlySet<string>;
  readonly at: number;
}

interface Storm {
  readonly table: Table;
  readonly endpoints: StormEndpoints;
  /** `event rule` of each run that there must be. */
  readonly expected: ReadonlySet<string>;
  readonly backlog: Backlog;
  /** Of one configuration. */
  readonly slots: number;
}

/**
 * Compares the delivery log of every run with what its endpoint saw, POST by POST. The answers are numbered, so that a
 * line of the log names the POST that it is of; a line without an answer may stand for one that got none.
 */
export async function audit({ table, endpoints, expected, backlog, slots }: Storm): Promise<Audit> {
  const counts: Record<string, number> = {};
  const faults: string[] = [];
  const names = new Set<string>();
  const firstPosts = new Map<string, FirstPost[]>();
  const { lagMillis } = endpoints;
  for await (const stored of storedRuns(table)) {
    const { run, attempts } = stored;
    const name = `${run.eventId} ${run.ruleId}`;
    if (!expected.has(name)) faults.push(`${name} was never announced.`);
    if (names.has(name)) faults.push(`${name} has two runs.`);
    names.add(name);
    const path = new URL(run.targetUrl).pathname;
    const seen = endpoints.seen(path, run.eventId) ?? { keys: new Set(), bodies: new Set(), posts: [] };
    faults.push(...faultsOf(stored, seen, { lagMillis }).map((fault) => `${name} (${run.id}): ${fault}`));
    const first = firstPostOf(stored, seen, backlog);
    if (first) firstPosts.set(run.configurationId, [...(firstPosts.get(run.configurationId) ?? []), first]);
    const add = (what: string, more = 1) => (counts[what] = (counts[what] ?? 0) + more);
    add(run.status);
    add('POSTs', seen.posts.length);
    for (const { outcome } of attempts) add(outcome);
  }
  for (const name of expected) if (!names.has(name)) faults.push(`${name} has no run.`);
  const late = [...firstPosts.values()].flatMap((posts) => heldUp(posts, slots));
  const waited = [...firstPosts.values()].flat().filter((post) => post.waited);
  return { counts, faults, waited: waited.length, heldUp: late.map(({ run }) => run) };
}

/**
 * Of runs that waited for their first attempt, and of those made when these had been parked. A run that lost a worker
 * is left out: it may have been started in its turn and posted long after that.
 */
export function firstPostOf({ run, attempts }: StoredRun, { posts }: Seen, backlog: Backlog): FirstPost | undefined {
  const [first] = posts;
  const isUntouched = attempts.length === posts.length && !attempts.some(isMisfortune);
  const waited = backlog.runs.has(run.id);
  // Others of the backlog waited for a retry.
  if (!first || first.at <= backlog.at || !isUntouched || !(waited || run.createdAt > backlog.at)) return undefined;
  return { run: run.id, dueAt: run.createdAt, post: first.number, waited };
}

/** The line does not count as the outcome of its attempt. */
const isMisfortune = ({ outcome, isLate }: Attempt) => outcome === 'interrupted' || isLate === true;

export interface StoredRun {
  readonly item: Item;
  readonly run: Run;
  readonly attempts: readonly Attempt[];
}

/** The items of one run are adjacent, so that one run at a time is in memory. */
export async function* storedRuns(table: Table): AsyncGenerator<StoredRun> {
  let pk = '';
  let items: Item[] = [];
  const whole = (): StoredRun[] => {
    const item = items.find(({ sk }) => sk === 'RUN');
    const attempts = items.filter(({ sk }) => String(sk).startsWith('ATTEMPT#')).map(attemptIn);
    return item ? [{ item, run: runIn(item), attempts }] : [];
  };
  for await (const { Items: page = [] } of paginateScan({ client: table.client }, { TableName: table.name })) {
    for (const item of page.map((one) => unmarshall(one))) {
      if (!String(item['pk']).startsWith('RUN#')) continue;
      if (item['pk'] !== pk) {
        yield* whole();
        items = [];
      }
      pk = String(item['pk']);
      items.push(item);
    }
  }
  yield* whole();
}

/** Outcomes of POSTs that an endpoint may have seen although there was no answer. */
const PERHAPS_SEEN: ReadonlySet<Attempt['outcome']> = new Set(['interrupted', 'timeout', 'connection_closed']);

/**
 * What is wrong with one run.
 * @param options.lagMillis a POST may have been read so much later than it was sent
 */
export function* faultsOf(
  { item, run, attempts }: StoredRun,
  seen: Seen,
  { lagMillis }: { lagMillis: number },
): Generator<string> {
  if (!hasEnded(run)) yield `it is ${run.status}.`;
  if (run.attempts > run.maxAttempts) yield `it has ${run.attempts} attempts.`;
  // Of the item, because a run that has ended is read without them.
  if (hasEnded(run) && (item['nextSweepAt'] !== undefined || item['lease'] !== undefined))
    yield 'it has ended and is still pending.';
  for (let attempt = 1; attempt <= run.attempts; attempt += 1) {
    const lines = attempts.filter((line) => line.attempt === attempt);
    if (lines.length === 0) yield `attempt ${attempt} has no line.`;
    if (lines.filter((line) => !isMisfortune(line)).length > 1) yield `attempt ${attempt} has two outcomes that count.`;
  }
  for (const { attempt, part } of attempts) {
    if (attempt > run.attempts || part > 2) yield `there is a line for attempt ${attempt}.${part}.`;
  }
  if (run.status === 'COMPLETED' && !attempts.some((line) => line.outcome === 'succeeded' && !line.isLate)) {
    yield 'it is COMPLETED without a success.';
  }
  if (run.status === 'FAILED' && run.attempts < run.maxAttempts) yield `it FAILED after ${run.attempts} attempts.`;
  for (const { number, at } of seen.posts) {
    if (hasEnded(run) && at > run.completedAt + lagMillis)
      yield `POST ${number} came ${at - run.completedAt} ms after its end.`;
  }
  yield* postFaults(run, attempts, seen);
}

function* postFaults(run: Run, attempts: readonly Attempt[], { keys, bodies, posts }: Seen): Generator<string> {
  if (posts.length > 0 && (keys.size !== 1 || !keys.has(run.idempotencyKey)))
    yield `its keys were ${[...keys].join(', ')}.`;
  if (bodies.size > 1) yield `${bodies.size} different bodies were posted.`;
  const left = new Map(posts.map(({ number, status }) => [number, status]));
  for (const line of attempts) {
    const { outcome, statusCode } = line;
    if (outcome !== 'succeeded' && outcome !== 'http_status') continue;
    const number = postNamedBy(line);
    if (!left.has(number)) yield `line ${line.attempt}.${line.part} names POST ${number}, not seen or named twice.`;
    else if (left.get(number) !== statusCode) yield `POST ${number} got ${left.get(number)}, not ${statusCode}.`;
    left.delete(number);
  }
  const perhaps = attempts.filter(({ outcome }) => PERHAPS_SEEN.has(outcome)).length;
  if (left.size > perhaps) yield `${left.size} POSTs without a line, and ${perhaps} lines that may be of them.`;
}

function postNamedBy(line: Attempt): number {
  const { responseBody } = presentAttempt(line);
  return Number((JSON.parse(responseBody ?? '{}') as { post?: number }).post);
}
