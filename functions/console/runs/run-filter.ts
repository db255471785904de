import type { Query } from '../management/management.ts';

/** The periods of the delivery log, by the value in the address. */
export const PERIODS = [
  ['1h', 'Last hour', 3_600_000],
  ['24h', 'Last 24 hours', 86_400_000],
  ['7d', 'Last 7 days', 7 * 86_400_000],
  ['30d', 'Last 30 days', 30 * 86_400_000],
  ['all', 'All time', undefined],
] as const;

const DEFAULT_PERIOD = '24h';

/** The tabs of the log: a status and, for failed runs, whether a replay has succeeded. */
export const STATUSES = [
  ['', '', 'All'],
  ['FAILED', '', 'Failed'],
  ['FAILED', 'false', 'Unresolved'],
  ['IN_PROGRESS', '', 'In progress'],
  ['COMPLETED', '', 'Completed'],
] as const;

/** The filter of the delivery log, as the address contains it. */
export interface RunFilter {
  readonly status: string;
  /** `true` or `false` for failed runs; empty for both. */
  readonly resolved: string;
  readonly module: string;
  readonly configuration: string;
  readonly period: string;
  readonly record: string;
  /** The id of the bulk replay that made the runs. */
  readonly bulkReplay: string;
  readonly cursor: string;
}

/** Reads the filter from the address. Unknown values are ignored, so that old links still work. */
export function filterIn(query: URLSearchParams): RunFilter {
  const text = (name: string) => (query.get(name) ?? '').trim();
  const [status, resolved, period] = [text('status'), text('resolved'), text('period')];
  return {
    status: STATUSES.some(([value]) => value === status) ? status : '',
    resolved: status === 'FAILED' && /^(true|false)$/.test(resolved) ? resolved : '',
    module: text('module'),
    configuration: text('configuration'),
    period: PERIODS.some(([value]) => value === period) ? period : DEFAULT_PERIOD,
    record: text('record').slice(0, 310),
    bulkReplay: text('bulkReplay').slice(0, 100),
    cursor: text('cursor'),
  };
}

/** Returns the members of an address for the filter, without defaults. */
export const addressOf = ({ period, ...filter }: RunFilter): Record<string, string> => ({
  ...filter,
  period: period === DEFAULT_PERIOD ? '' : period,
});

/** Returns the query for the management API. */
export function queryOf({ period, ...filter }: RunFilter, now: number): Query {
  const millis = PERIODS.find(([value]) => value === period)?.[2];
  return { ...filter, limit: '50', from: millis === undefined ? undefined : new Date(now - millis).toISOString() };
}

/** Returns the value of the shortest period that reaches back to a time. */
export const periodSince = (time: string, now: number): string =>
  PERIODS.find(([, , millis]) => millis === undefined || now - Date.parse(time) < millis)?.[0] ?? 'all';

export const periodLabel = ({ period }: RunFilter): string => PERIODS.find(([value]) => value === period)?.[1] ?? '';
