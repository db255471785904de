import { CreateBucketCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { importedRecords, PART_LIMITS, type PartLimits } from '../../../functions/records/import/record-part.ts';
import { type MergeMode, mergeOnce } from '../../../functions/records/index/index-merge.ts';
import { indexWriter } from '../../../functions/records/index/index-writer.ts';
import { manifestStore } from '../../../functions/records/index/manifests.dynamodb.ts';
import { segmentSinks } from '../../../functions/records/index/segment-sink.s3.ts';
import { segmentStorage } from '../../../functions/records/index/segments.s3.ts';
import type { Query } from '../../../functions/records/query/query.ts';
import type { DataRecord, RecordType } from '../../../functions/records/schemas/schema.ts';
import { SegmentCache } from '../../../functions/records/segments/query/segment-cache.ts';
import { segmentSearch } from '../../../functions/records/segments/query/segment-search.ts';
import { newObjectId } from '../../../shared/ids.ts';
import { importFiles } from '../../../shared/import/import-files.s3.ts';
import type { ImportedObject, ImportJob } from '../../../shared/import/import-job.ts';
import { newImportJob } from '../../../shared/import/import-job.ts';
import { importStore, jobUpdate } from '../../../shared/import/import-store.dynamodb.ts';
import type { PartClaim } from '../../../shared/import/part-claim.ts';
import { runImport } from '../../../shared/import/run-import.ts';
import type { ParallelImport } from '../../../shared/import/waiting-part.ts';
import { waitingParts } from '../../../shared/import/waiting-parts.dynamodb.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { s3ClientOf } from '../cloud/local-buckets.ts';
import type { LocalEndpoint } from '../cloud/local-endpoint.ts';
import { createTable } from '../cloud/local-table.ts';
import { Mortality, unlessKilled } from '../faults/mortal-clients.ts';

const BUCKET_OF_IMPORTS = 'imports';

/** An empty index with everything that writes and reads it, on a local endpoint. `name` keeps indexes apart. */
export async function createRecordIndex(endpoint: LocalEndpoint, name: string) {
  const table = await createTable(endpoint, `downloads-${name}`);
  const bucket = `index-${name}`;
  const owner = s3ClientOf(endpoint);
  for (const created of [bucket, `${BUCKET_OF_IMPORTS}-${name}`])
    await owner.send(new CreateBucketCommand({ Bucket: created }));
  let puts = 0;
  return {
    bucket,
    table,
    index: manifestStore(table),

    /** Puts a file where imports are put. */
    async put(key: string, body: string | Uint8Array): Promise<ImportedObject> {
      const { ETag: etag = '' } = await owner.send(
        new PutObjectCommand({ Bucket: `${BUCKET_OF_IMPORTS}-${name}`, Key: key, Body: body }),
      );
      puts += 1;
      const bytes = Buffer.byteLength(body);
      return { key, etag: etag.replaceAll('"', ''), sequencer: String(puts).padStart(8, '0'), bytes };
    },

    /** One run of the import worker, in a process that may be mortal. */
    async run(object: ImportedObject, options: RunOptions = {}) {
      const { job } = await work(object, options);
      return job;
    },

    /**
     * Imports a file with several workers, as its queue does: a message comes again if its worker dies, and then also if
     * `isRepeated` says so. Returns the import when no message is left.
     */
    async runAtOnce(object: ImportedObject, { workers, mortalityOf, isRepeated, isLost, isFull, ...options }: AtOnce) {
      const messages: (PartClaim | undefined)[] = [];
      const ended = Promise.withResolvers<void>();
      const full = Promise.withResolvers<void>();
      let active = 0;
      let most = 0;
      const push = (claim: PartClaim | undefined) => {
        if (isLost?.(claim)) return;
        messages.push(claim);
        if (active < workers) void poll();
      };
      const poll = async () => {
        active += 1;
        most = Math.max(most, active);
        if (most === workers) full.resolve();
        while (messages.length > 0) await receive(messages.shift()).catch(ended.reject);
        active -= 1;
        if (active === 0) ended.resolve();
      };
      const receive = async (claim: PartClaim | undefined) => {
        const mortality = mortalityOf?.() ?? new Mortality();
        // A process that is killed may have sent the message already.
        const send = (_job: ImportJob, next: PartClaim) =>
          mortality.live(async () => {
            push(next);
            if (isFull) await full.promise;
          });
        const parallel: ParallelImport = { workers, waiting: waitingParts(mortalTable(mortality)), send };
        try {
          const { rest } = await work(object, { ...options, mortality, parallel, claim });
          if (rest) push(rest);
          if (isRepeated?.()) push(claim);
        } catch (error) {
          unlessKilled(error);
          push(claim);
        }
      };
      push(undefined);
      await ended.promise;
      const job = await importStore(table).begin(newImportJob(object, 'businesses', Date.now()));
      return { job, most };
    },

    merge: (type: RecordType, mortality = new Mortality(), time: MergeMode = 'quiet') =>
      mergeOnce(writingDeps(mortality), type, time),

    /** The records that a query finds now, in order, and the count that it reports. */
    async search(query: Query, type: RecordType = 'businesses', limit = 1_000_000) {
      const engine = segmentSearch(segmentStorage(bucket, owner), new SegmentCache(50_000_000));
      const manifest = await this.index.current(type);
      const { total, records } = await engine.preview(query, limit, manifest.segments);
      return {
        total,
        records: records.map((text) => JSON.parse(text) as DataRecord),
        segments: manifest.segments.length,
      };
    },

    /** Runs queries on the index as it is now, with one cache, as a warm function does. */
    async searcher(type: RecordType) {
      const engine = segmentSearch(segmentStorage(bucket, owner), new SegmentCache(500_000_000));
      const manifest = await this.index.current(type);
      return async (query: Query) => {
        const { total, records } = await engine.preview(query, 1_000_000, manifest.segments);
        return { total, texts: records };
      };
    },

    async report(key: string) {
      const { Body: body } = await owner.send(
        new GetObjectCommand({ Bucket: `${BUCKET_OF_IMPORTS}-${name}`, Key: key }),
      );
      const text = (await body?.transformToString()) ?? '';
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { line: number; reason: string });
    },
  };

  /** One run of the import worker. */
  async function work(object: ImportedObject, options: Working) {
    const { limits = PART_LIMITS, mortality = new Mortality(), type = 'businesses', parallel, claim } = options;
    const deps = writingDeps(mortality);
    const jobs = importStore(deps.table);
    const job = await jobs.begin(newImportJob(object, type, Date.now()));
    const files = importFiles(`${BUCKET_OF_IMPORTS}-${name}`, deps.client);
    const kind = importedRecords(indexWriter(deps), limits);
    const imports = { jobs, files, kind, now: deps.now, ...(parallel && { parallel }) };
    return runImport(imports, job, { claim, remainingMillis: () => 900_000 });
  }

  function mortalTable(mortality: Mortality): Table {
    return { name: table.name, client: mortality.bind(table.client) };
  }

  function writingDeps(mortality: Mortality) {
    const client = mortality.bind(owner);
    return {
      client,
      table: mortalTable(mortality),
      index: manifestStore(mortalTable(mortality), jobUpdate),
      objects: segmentStorage(bucket, client),
      sinks: segmentSinks(bucket, client),
      newId: () => newObjectId(Date.now()),
      now: () => Date.now(),
    };
  }
}

interface RunOptions {
  readonly limits?: PartLimits;
  readonly mortality?: Mortality;
  readonly type?: RecordType;
}

interface Working extends RunOptions {
  readonly parallel?: ParallelImport;
  readonly claim?: PartClaim | undefined;
}

interface AtOnce {
  readonly limits: PartLimits;
  readonly workers: number;
  /** Returns the time at which the next worker dies. @default never */
  readonly mortalityOf?: () => Mortality | undefined;
  /** @default no message comes again after its worker has ended */
  readonly isRepeated?: () => boolean;
  /** @default every message arrives */
  readonly isLost?: (claim: PartClaim | undefined) => boolean;
  /** Workers that have sent a claim wait until all are at work, which never ends if the file is small. @default they do not */
  readonly isFull?: boolean;
}

export type RecordIndex = Awaited<ReturnType<typeof createRecordIndex>>;
