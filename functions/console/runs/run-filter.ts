import type { Query } from '../management/management.ts';

/** Periods of the delivery log, by the value in the address. */
export const PERIODS = [
  ['1h', 'Last hour', 3_600_000],
  ['24h', 'Last 24 hours', 86_400_000],
  ['7d', 'Last 7 days', 7 * 86_400_000],
  ['30d', 'Last 30 days', 30 * 86_400_000],
  ['all', 'All that is kept', undefined],
] as const;

const DEFAULT_PERIOD = '24h';

/** What the tabs of the log show: a status, and of failed runs whether a replay has succeeded. */
export const STATUSES = [
  ['', '', 'All'],
  ['FAILED', '', 'Failed'],
  ['FAILED', 'false', 'Unresolved'],
  ['IN_PROGRESS', '', 'In progress'],
  ['COMPLETED', '', 'Completed'],
] as const;

/** What the delivery log is filtered by, as it stands in the address. */
export interface RunFilter {
  readonly status: string;
  /** `true` or `false`, of failed runs; empty: both. */
  readonly resolved: string;
  readonly module: string;
  readonly configuration: string;
  readonly period: string;
  readonly record: string;
  readonly cursor: string;
}

/** Unknown values of a choice count as not stated: an old link still shows the log. */
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
    cursor: text('cursor'),
  };
}

/** The same filter in an address; what stands by itself is left out. */
export const addressOf = ({ period, ...filter }: RunFilter): Record<string, string> => ({
  ...filter,
  period: period === DEFAULT_PERIOD ? '' : period,
});

/** What the management API is asked. */
export function queryOf({ period, ...filter }: RunFilter, now: number): Query {
  const millis = PERIODS.find(([value]) => value === period)?.[2];
  return { ...filter, limit: '50', from: millis === undefined ? undefined : new Date(now - millis).toISOString() };
}

export const periodLabel = ({ period }: RunFilter): string => PERIODS.find(([value]) => value === period)?.[1] ?? '';
