import { holdingMessage, sendMessage } from '#shared/queue/message-lease.sqs';
import { queueHandler } from '#shared/queue/queue-handler';
import { scheduled } from '#shared/schedules/scheduled.dynamodb';
import { addLogFields, log } from '#shared/telemetry/log';
import { type ImportJob, type ImportJobs, newImportJob } from './import-job.ts';
import type { ImportDeps } from './imported-kind.ts';
import { announcementOf, ObjectCreated, toImport } from './object-created.ts';
import type { PartClaim } from './part-claim.ts';
import { runImport } from './run-import.ts';
import type { ParallelImport } from './waiting-part.ts';
import { wakeImports } from './wake-imports.ts';

export interface ImportWorker<Type extends string, Item> {
  /** The queue of announced objects, in which the worker also leaves the rest of its work. */
  readonly queueUrl: string;
  /** The type of items in objects below this first folder; undefined if nothing is imported from there. */
  readonly typeOf: (folder: string) => Type | undefined;
  readonly deps: Omit<ImportDeps<Item>, 'parallel'>;
  /** @default each file is imported by one worker */
  readonly parallel?: Omit<ParallelImport, 'send'>;
  /** Returns the tenant whose items an object contains. @default items belong to no tenant */
  readonly tenantOf?: (object: ImportJob['object']) => string;
  /** Called after parts of an import were stored. @default no effect */
  readonly afterParts?: (type: Type) => Promise<void>;
}

/** SQS worker: imports an object of the import bucket, as far as the time permits. */
export const importHandler = <Type extends string, Item>({
  queueUrl,
  typeOf,
  deps: sequential,
  parallel,
  tenantOf,
  afterParts,
}: ImportWorker<Type, Item>) => {
  const send = (job: ImportJob, part: PartClaim) => sendMessage(queueUrl, announcementOf(job.object, part));
  const deps: ImportDeps<Item> = { ...sequential, ...(parallel && { parallel: { ...parallel, send } }) };
  return queueHandler(ObjectCreated, async ({ message, receiptHandle, remainingMillis }) => {
    const { object, type } = toImport(message, typeOf) ?? {};
    if (!object || !type) return;
    if (tenantOf) addLogFields({ tenant: tenantOf(object) });
    const { job, rest } = await holdingMessage({ queueUrl, receiptHandle }, async () => {
      const job = await deps.jobs.begin(newImportJob(object, type, deps.now()));
      return runImport(deps, job, { claim: message.part, remainingMillis });
    });
    logged(job);
    if (job.parts > 0) await afterParts?.(type);
    if (rest) await (parallel ? send(job, rest) : sendMessage(queueUrl, message));
  });
};

const logged = ({ id, object: { key }, status, counts, error }: ImportJob) =>
  log.info('import', { id, key, status, ...counts, error });

/** Runs every minute: wakes imports that stopped reporting progress. */
export const wakingHandler = ({ queueUrl, jobs, now }: { queueUrl: string; jobs: ImportJobs; now: () => number }) =>
  scheduled(async () => {
    const send = (object: ImportJob['object']) => sendMessage(queueUrl, announcementOf(object));
    const woken = await wakeImports({ jobs, send }, now());
    if (woken > 0) log.warn('silent imports woken', { woken });
  });
