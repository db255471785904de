import { isoTime } from '#shared/formats/timestamp';
import { decodeCursor, encodeCursor } from '#shared/http/cursor';
import type { PageQuery } from '#shared/http/page';
import { queryItems } from '#shared/table/queries.dynamodb';
import { getItem, getItems, type Item, type Table } from '#shared/table/table.dynamodb';
import { type LogEntriesOptions, type OpenLog, openLog } from './log-shards.dynamodb.ts';
import type { Run, RunKey } from './run.ts';
import { attemptIn, logPosition, momentIn, payloadIn, runIn, runKey, runKeyIn } from './run-items.dynamodb.ts';
import { type Outcomes, passes, type RunDetails, type RunFilter, type RunLog, type RunPage } from './run-log.ts';

export const runLog = (table: Table, options: LogEntriesOptions = {}): RunLog => ({
  list: (tenant, filter, page) => list(table, { tenant, filter, ...options }, page),
  outcomes: (tenant, filter) => outcomes(table, { tenant, filter, ...options }),
  details: (key) => details(table, key),
});

interface Listing extends LogEntriesOptions {
  readonly tenant: string;
  readonly filter: RunFilter;
}

/** A page ends after this many runs if its filter is checked on the runs. */
const FILTERED_MAX = 1_000;
const FILTERED_AT_ONCE = 100;

async function list(table: Table, listing: Listing, { limit, cursor }: PageQuery): Promise<RunPage> {
  const { tenant, filter } = listing;
  const name = `RUNS#${tenant}`;
  const before = decodeCursor(name, cursor, ['before'])?.['before'];
  const log = filter.replayOf === undefined ? await openLog(table, { ...listing, before }) : undefined;
  const batch = log
    ? await filteredRuns(table, { log, filter, limit })
    : await replaysOf(table, { tenant, filter, before });
  const items = batch.runs.slice(0, limit);
  const isWhole = items.length === batch.runs.length;
  const oldest = items.at(-1);
  const last = isWhole || !oldest ? batch.last : logPosition(oldest);
  if (last === undefined || (isWhole && batch.isLast)) return { items };
  return { items, nextCursor: encodeCursor(name, { before: last }), reached: isoTime(momentIn(last)) };
}

/** The most entries that one call counts. */
const COUNTED_MAX = 1_000;

async function outcomes(table: Table, listing: Listing): Promise<Outcomes> {
  const log = await openLog(table, { entriesMax: COUNTED_MAX, ...listing, before: undefined, isCounting: true });
  const { page, last, isCut } = await log.take(Number.POSITIVE_INFINITY);
  return {
    runs: page.map(({ logPosition: position, outcome }) => ({
      createdAt: momentIn(String(position)),
      outcome: outcome === undefined ? undefined : String(outcome),
    })),
    ...(isCut && last !== undefined && { reached: momentIn(last) }),
  };
}

interface RunBatch {
  readonly runs: readonly Run[];
  /** The position of the oldest entry that was read. */
  readonly last: string | undefined;
  /** True if there are no older entries. */
  readonly isLast: boolean;
}

interface FilteredRead {
  readonly log: OpenLog;
  readonly filter: RunFilter;
  readonly limit: number;
}

/** Reads entries of the log and filters them by attributes that only the run itself has. */
async function filteredRuns(table: Table, { log, filter, limit }: FilteredRead): Promise<RunBatch> {
  const isFiltering = [filter.status, filter.resolved, filter.bulkReplay].some((one) => one !== undefined);
  const runs: Run[] = [];
  let last: string | undefined;
  for (let looked = 0, size = limit; ; size = FILTERED_AT_ONCE) {
    const entries = await log.take(size);
    runs.push(...(await runsOf(table, entries.page)).filter((run) => passes(run, filter)));
    last = entries.last ?? last;
    looked += entries.page.length;
    const isLast = log.isOver();
    if (isLast || entries.isCut || !isFiltering || runs.length >= limit || looked >= FILTERED_MAX) {
      return { runs, last, isLast };
    }
  }
}

interface Replays {
  readonly tenant: string;
  readonly filter: RunFilter;
  readonly before: string | undefined;
}

/** Reads the replays of a run, which lists their ids. */
async function replaysOf(table: Table, { tenant, filter, before = '~' }: Replays): Promise<RunBatch> {
  const original = await getItem(table, runKey({ tenant, id: filter.replayOf ?? '' }));
  const ids = (original && runIn(original).replayedBy) ?? [];
  const items = await getItems(
    table,
    ids.map((id) => runKey({ tenant, id })),
  );
  const runs = items
    .map(runIn)
    .filter((run) => passes(run, filter) && logPosition(run) < before)
    .toSorted((a, b) => (logPosition(a) < logPosition(b) ? 1 : -1));
  return { runs, last: undefined, isLast: true };
}

/** Reads the runs of these entries, in the same order. Expired ones are left out. */
async function runsOf(table: Table, page: readonly Item[]): Promise<Run[]> {
  const items = await getItems(
    table,
    page.map(({ pk }) => runKey(runKeyIn({ pk: String(pk) }))),
  );
  const order = new Map(page.map(({ pk }, index) => [pk, index]));
  return items.map(runIn).toSorted((a, b) => (order.get(runKey(a).pk) ?? 0) - (order.get(runKey(b).pk) ?? 0));
}

async function details(table: Table, key: RunKey): Promise<RunDetails | undefined> {
  const items = await Array.fromAsync(queryItems(table, { where: 'pk = :pk', values: { pk: runKey(key).pk } }));
  const run = items.find(({ sk }) => sk === 'RUN');
  const payload = items.find(({ sk }) => sk === 'PAYLOAD');
  if (!run) return undefined;
  return {
    run: runIn(run),
    ...(payload && { payload: payloadIn(payload) }),
    attempts: items.filter(({ sk }) => String(sk).startsWith('ATTEMPT#')).map(attemptIn),
  };
}
