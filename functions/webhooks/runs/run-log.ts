import * as z from 'zod';
import { type Page, PageQuery } from '#shared/http/page';
import type { ModuleId } from '../modules/module.ts';
import { ModuleInput } from '../modules/module-input.ts';
import type { Attempt } from './attempt.ts';
import type { Payload, Run, RunKey } from './run.ts';

/** A filter of a tenant's runs. */
export interface RunFilter {
  readonly module?: ModuleId | undefined;
  readonly status?: RunStatus | undefined;
  /** The id of an API configuration. */
  readonly configuration?: string | undefined;
  /** The period in which the run was created, in milliseconds: from `from` on, before `to`. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** `<record type>: <id>`, or the id alone. */
  readonly record?: string | undefined;
  /** True if a replay has succeeded; it applies to failed runs only. */
  readonly resolved?: boolean | undefined;
  /** The run whose replays are listed. */
  readonly replayOf?: string | undefined;
  /** The bulk replay that made the run. */
  readonly bulkReplay?: string | undefined;
}

/** The filters that the index can check without the runs. */
export type CountFilter = Pick<RunFilter, 'module' | 'configuration' | 'from' | 'to'>;

/** The runs of a period, newest first, as far as they are counted. */
export interface Outcomes {
  readonly runs: readonly {
    readonly createdAt: number;
    /** Undefined while the run is in progress. */
    readonly outcome: string | undefined;
  }[];
  /** The time down to which the runs were read, if there may be older ones. */
  readonly reached?: number;
}

export interface RunPage extends Page<Run> {
  /** The creation time of the oldest run that was read, if there is a next page. */
  readonly reached?: string;
}

export function passes(run: Run, filter: RunFilter): boolean {
  const { module, status, configuration, from, to, record, resolved, replayOf, bulkReplay } = filter;
  return (
    (module === undefined || run.module === module) &&
    (status === undefined || run.status === status) &&
    (configuration === undefined || run.configurationId === configuration) &&
    (from === undefined || run.createdAt >= from) &&
    (to === undefined || run.createdAt < to) &&
    isOfRecord(run.record, record) &&
    (resolved === undefined || (isOriginalFailure(run) && (run.resolvedBy !== undefined) === resolved)) &&
    (replayOf === undefined || run.replayOf === replayOf) &&
    (bulkReplay === undefined || run.bulkReplay === bulkReplay)
  );
}

/** A failed replay leaves its original unresolved, and is nothing of its own to resolve. */
const isOriginalFailure = ({ status, replayOf }: Run) => status === 'FAILED' && replayOf === undefined;

/** @param filter `<record type>: <id>`, or the id alone */
export const isOfRecord = (record: string, filter: string | undefined): boolean =>
  filter === undefined || record === filter || record.endsWith(`: ${filter}`);

/** The delivery log of the tenants. */
export interface RunLog {
  /** Lists runs, newest first. A page may have fewer runs than requested, or none, and still have a next page. */
  list(tenant: string, filter: RunFilter, page: PageQuery): Promise<RunPage>;
  /** Reads when runs were created and how they ended, of the newest thousand or so. */
  outcomes(tenant: string, filter: CountFilter): Promise<Outcomes>;
  /** Reads a run with its payload and attempts. */
  details(key: RunKey): Promise<RunDetails | undefined>;
}

export interface RunDetails {
  readonly run: Run;
  readonly payload?: Payload;
  /** The attempts in the order in which they were made. */
  readonly attempts: readonly Attempt[];
}

const moment = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 time, such as 2026-11-21T10:00:00Z' })
  .transform((text) => Date.parse(text));

/** The filters of `GET runs` and of bulk replays. */
export const filterFields = {
  module: ModuleInput,
  configuration: z.string().min(1).max(100),
  from: moment,
  to: moment,
  record: z.string().min(1).max(310),
};

export const RunStatus = z.enum(['CREATED', 'IN_PROGRESS', 'COMPLETED', 'FAILED']);
type RunStatus = z.output<typeof RunStatus>;

/** The query of `GET runs/counts`. */
export const CountQuery = z
  .object({ module: filterFields.module, configuration: filterFields.configuration, from: moment, to: moment })
  .partial();

/** The query of `GET runs`. */
export const LogQuery = PageQuery.extend(
  z
    .object({
      ...filterFields,
      status: RunStatus,
      resolved: z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true'),
      replayOf: z.string().min(1).max(100),
      bulkReplay: z.string().min(1).max(100).meta({ description: 'The bulk replay that made the runs.' }),
    })
    .partial().shape,
).refine(({ resolved, status = 'FAILED' }) => resolved === undefined || status === 'FAILED', {
  path: ['resolved'],
  error: 'is a filter of failed runs',
});
