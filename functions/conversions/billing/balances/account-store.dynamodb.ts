import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { isoTime } from '#shared/formats/timestamp';
import { type Key, readItem, type Table, transact } from '#shared/table/table.dynamodb';
import { assignment, IS_NEW, putWrite, updateWrite } from '#shared/table/writes.dynamodb';
import { METER, OPEN_PERIODS, PERIOD } from '../../table-keys.ts';
import { announcementWrite } from '../announcements/announcement-items.dynamodb.ts';
import { isPaid } from '../subscriptions/subscription.ts';
import { type Account, subscriptionOf } from './account.ts';
import { type AccountChange, accountChange, afterStep, type CountedPeriod, itemAfter } from './account-changes.ts';
import { accountIn, attributeOf, attributesOf, thresholdItem } from './account-item.dynamodb.ts';
import { dayWrites } from './day-items.dynamodb.ts';
import { reachedThreshold } from './thresholds.ts';

/** The delay after the end of a period, after which all of its requests have been counted. */
const INVOICED_AFTER_MILLIS = 3_600_000;

export const meterKey = (tenant: string): Key => ({ pk: `${METER}${tenant}`, sk: 'METER' });

export const periodKey = (tenant: string, period: string): Key => ({
  pk: `${PERIOD}${tenant}#${period}`,
  sk: 'PERIOD',
});

export const readAccount = (table: Table, tenant: string): Promise<Account | undefined> =>
  readItem(table, meterKey(tenant), accountIn);

/** Creates an account, with the paid period that it may begin with; false if there is one already. */
export async function addAccount(
  table: Table,
  tenant: string,
  item: Account,
  more: readonly TransactWriteItem[] = [],
): Promise<boolean> {
  const { period } = subscriptionOf(item);
  const opened = isPaid(subscriptionOf(item)) ? { opened: period } : {};
  const put = putWrite(table.name, { ...meterKey(tenant), ...attributesOf(item) }, IS_NEW);
  const writes = [put, ...periodWrites(table.name, tenant, { ...opened, closed: [] }), ...more];
  return (await transact(table, writes)).done;
}

/**
 * Writes a change with everything that belongs to it, or nothing: false if the account has changed since it was read.
 * @param more writes for the same transaction
 */
export async function saveChange(
  table: Table,
  tenant: string,
  change: AccountChange,
  more: readonly TransactWriteItem[] = [],
): Promise<boolean> {
  const writes = [
    accountWrite(table.name, tenant, change),
    ...periodWrites(table.name, tenant, change),
    ...dayWrites(table.name, tenant, change.day),
    ...change.announcements.map((announced) => announcementWrite(table.name, announced)),
    ...more,
  ];
  return (await transact(table, writes)).done;
}

function accountWrite(
  tableName: string,
  tenant: string,
  { before, set, remove, arrivals, carries, day }: AccountChange,
): TransactWriteItem {
  const names = [...Object.keys(set), ...remove, ...(carries ? [carries.from, carries.to] : [])];
  const assigned = [
    ...Object.keys(set).map((name) => `#${name} = :${name}`),
    // The counter is read by the write itself, because a refund changes the counter and nothing else.
    ...(carries ? [`#${carries.to} = if_not_exists(#${carries.from}, :zero)`] : []),
    ...(day ? ['ld = if_not_exists(lu, :zero), td = tu'] : []),
  ];
  const conditions = [
    'pv = :version',
    ...(arrivals ? ['tat BETWEEN :from AND :to'] : []),
    // The write fails if the day's counters moved since they were read.
    ...(day?.ended ? [before.liveTotal === undefined ? 'attribute_not_exists(lu)' : 'lu = :live', 'tu = :test'] : []),
  ];
  return updateWrite(tableName, meterKey(tenant), {
    change: `SET ${assigned.join(', ')}, pv = :version + :one${remove.length > 0 ? ` REMOVE ${remove.map((name) => `#${name}`).join(', ')}` : ''}`,
    condition: conditions.join(' AND '),
    names: Object.fromEntries(names.map((name) => [name, attributeOf(name)])),
    values: {
      ...set,
      version: before.version,
      one: 1,
      ...arrivals,
      ...((carries || day) && { zero: 0 }),
      ...(day?.ended && { live: before.liveTotal, test: before.testUsed }),
    },
  });
}

interface PeriodState {
  readonly period: CountedPeriod['period'];
  readonly closed?: CountedPeriod;
}

/** The item of each paid period that begins or ends: the invoicer finds it in the list of open periods. */
function periodWrites(
  tableName: string,
  tenant: string,
  { opened, closed }: Pick<AccountChange, 'opened' | 'closed'>,
): TransactWriteItem[] {
  const states = new Map<string, PeriodState>();
  if (opened) states.set(opened.id, { period: opened });
  for (const one of closed) states.set(one.period.id, { period: one.period, closed: one });
  return [...states.values()].map((state) => {
    const position = `${isoTime(state.period.end + INVOICED_AFTER_MILLIS)}#${tenant}`;
    const open = assignment({ tenant, ...state, list: OPEN_PERIODS, position });
    return updateWrite(tableName, periodKey(tenant, state.period.id), open);
  });
}

/** The number of tries, because other changes of the same account may come first. */
const TRIES_MAX = 20;

/**
 * Tokens given up so that a busy account can be written at all: from the third try on, twice as many with each. After
 * ten tries the bucket is filled with debt, which costs its callers two seconds.
 */
const spareTokens = (tries: number): number => (tries < 2 ? 0 : 2 ** (tries - 2));

interface StepOptions {
  /** The time of the step, in milliseconds. */
  readonly now: () => number;
  /** Reads the other state that the step needs: at each try, before the account. */
  readonly before?: () => Promise<void>;
  /** Skips accounts for which nothing has come due. @default false */
  readonly onlyIfDue?: boolean;
  /** Returns whether another call has made the same change; called when the write was refused. @default never */
  readonly isDone?: () => Promise<boolean>;
  /** Further writes that belong to the step. */
  readonly more?: (change: AccountChange) => readonly TransactWriteItem[];
}

/**
 * Applies a step to the current state of an account, and retries if the account changes meanwhile. The step may refuse
 * by throwing. Undefined if there is no account.
 */
export async function stepAccount(
  table: Table,
  tenant: string,
  step: Parameters<typeof afterStep>[2],
  { now, before, onlyIfDue = false, isDone, more = () => [] }: StepOptions,
): Promise<AccountChange | undefined> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    await before?.();
    const item = await readAccount(table, tenant);
    if (!item) return undefined;
    const at = now();
    if (onlyIfDue && item.validUntil > at * 1_000) return undefined;
    const circumstances = { nowMicros: at * 1_000, spare: spareTokens(tries) };
    const change = accountChange(tenant, item, afterStep(item, at, step), circumstances);
    if (await saveChange(table, tenant, change, more(change))) return change;
    if (await isDone?.()) return change;
  }
  throw new Error(`The account ${tenant} changes faster than it can be written.`);
}

/** Advances an account whose period has ended; undefined if another function did so first. */
export async function advancedAccount(
  table: Table,
  tenant: string,
  item: Account,
  now: number,
): Promise<Account | undefined> {
  const change = accountChange(
    tenant,
    item,
    afterStep(item, now, (current) => current),
    { nowMicros: now * 1_000 },
  );
  return (await saveChange(table, tenant, change)) ? itemAfter(change) : undefined;
}

/**
 * Announces a threshold once for each period and what it includes, together with the marker for it. Losing against
 * another function means that it has been announced.
 */
export async function announceThreshold(
  table: Table,
  tenant: string,
  { mode, item, now }: Parameters<typeof reachedThreshold>[1],
) {
  const reached = reachedThreshold(tenant, { mode, item, now });
  if (!reached) return;
  const { percent, announced } = reached;
  const isTest = mode === 'test';
  const mark = updateWrite(table.name, meterKey(tenant), {
    change: isTest ? 'SET tt = :mark' : 'SET th = :mark',
    condition: isTest
      ? 'attribute_not_exists(tt) OR tt < :percent'
      : 'per = :period AND inc = :included AND (attribute_not_exists(th) OR th.per <> :period OR th.inc <> :included OR th.#percent < :percent)',
    values: {
      mark: isTest ? percent : thresholdItem({ ...item, percent }),
      percent,
      ...(!isTest && { period: item.periodId, included: item.included }),
    },
  });
  await transact(table, [mark, announcementWrite(table.name, announced)]);
}
