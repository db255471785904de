import * as z from 'zod';
import type { Page, PageQuery } from '#shared/http/page';
import { MODULE_IDS, type ModuleId, moduleIn } from '../rules/module.ts';
import type { Attempt } from './attempt.ts';
import type { Payload, Run, RunKey, RunStatus } from './run.ts';

/** Which runs of a tenant. */
export interface RunFilter {
  readonly module?: ModuleId | undefined;
  readonly status?: RunStatus | undefined;
  /** Id of an API configuration. */
  readonly configuration?: string | undefined;
  /** Created at this moment or later, and before that one; milliseconds. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** `<record type>: <id>`, or the id alone. */
  readonly record?: string | undefined;
}

/** The delivery log of the tenants. */
export interface RunLog {
  /** Newest first. A page may have fewer runs than requested, or none, and still have a next page. */
  list(tenant: string, filter: RunFilter, page: PageQuery): Promise<Page<Run>>;
  /** Everything that is stored of a run. */
  details(key: RunKey): Promise<RunDetails | undefined>;
}

export interface RunDetails {
  readonly run: Run;
  readonly payload?: Payload;
  /** In the order in which they were made. */
  readonly attempts: readonly Attempt[];
}

const moment = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 time, such as 2026-11-21T10:00:00Z' })
  .transform((text) => Date.parse(text));

/** The filters of `GET runs`, and of a replay of many. */
export const filterFields = {
  module: z.string().transform((text, context) => {
    const found = moduleIn(text);
    if (found) return found;
    context.addIssue({ code: 'custom', message: `must be one of ${MODULE_IDS.join(', ')}` });
    return z.NEVER;
  }),
  configuration: z.string().min(1).max(100),
  from: moment,
  to: moment,
  record: z.string().min(1).max(310),
};

export const Status = z.enum(['CREATED', 'IN_PROGRESS', 'COMPLETED', 'FAILED']);
