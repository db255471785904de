import { CreateBucketCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { placeStore, placeWrites } from '../../../functions/places/catalog/place-store.dynamodb.ts';
import { importedPlaces, PART_LIMITS, type PartLimits, tenantOf } from '../../../functions/places/import/place-part.ts';
import type { Rejection } from '../../../shared/import/command/rejections.ts';
import { importFiles } from '../../../shared/import/import-files.s3.ts';
import { type ImportedObject, newImportJob } from '../../../shared/import/import-job.ts';
import { importStore } from '../../../shared/import/import-store.dynamodb.ts';
import { runImport } from '../../../shared/import/run-import.ts';
import { s3ClientOf } from '../cloud/local-buckets.ts';
import type { LocalEndpoint } from '../cloud/local-endpoint.ts';
import { createTable } from '../cloud/local-table.ts';
import { Mortality } from '../faults/mortal-clients.ts';

interface RunOptions {
  readonly limits?: PartLimits;
  readonly mortality?: Mortality;
  /** When the import begins, if it has not begun yet. */
  readonly now?: number;
  /** Awaited before each write of a place. */
  readonly beforeWrite?: () => Promise<void>;
}

/** An empty table of places with what imports into it, on a local endpoint. `name` keeps tables apart. */
export async function createPlaceImports(endpoint: LocalEndpoint, name: string) {
  const table = await createTable(endpoint, `places-${name}`, {
    indexes: [{ name: 'Cells', partition: 'cell', sort: 'leaf' }],
  });
  const bucket = `place-imports-${name}`;
  const s3 = s3ClientOf(endpoint);
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  const places = placeStore(table);
  let puts = 0;
  return {
    /** Puts a file where imports are put. */
    async put(key: string, body: string | Uint8Array): Promise<ImportedObject> {
      const { ETag: etag = '' } = await s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: body }));
      puts += 1;
      const sequencer = String(puts).padStart(8, '0');
      return { key, etag: etag.replaceAll('"', ''), sequencer, bytes: Buffer.byteLength(body) };
    },

    /** One run of the import worker, in a process that may be mortal. */
    async run(
      object: ImportedObject,
      { limits = PART_LIMITS, mortality = new Mortality(), now = Date.now(), beforeWrite }: RunOptions = {},
    ) {
      const own = { name: table.name, client: mortality.bind(table.client) };
      const jobs = importStore(own, { ownerOf: tenantOf });
      const made = placeWrites(own);
      const writes: typeof made = {
        store: async (...write) => (await beforeWrite?.(), made.store(...write)),
        remove: async (...write) => (await beforeWrite?.(), made.remove(...write)),
      };
      const kind = importedPlaces({ writes, jobs, limits });
      const files = importFiles(bucket, mortality.bind(s3));
      const job = await jobs.begin(newImportJob(object, 'places', now));
      const done = await runImport({ jobs, files, kind, now: () => Date.now() }, job, {
        remainingMillis: () => 900_000,
      });
      return done.job;
    },

    /** The places of a tenant by id. */
    async places(tenant = 'demo') {
      const { items } = await places.list(tenant, { limit: 1_000 });
      return new Map(items.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((place) => [place.id, place]));
    },

    async report(keys: readonly string[]) {
      const texts = keys.map(async (key) => {
        const { Body: body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
        return (await body?.transformToString()) ?? '';
      });
      const lines = (await Promise.all(texts)).join('').split('\n').filter(Boolean);
      return lines.map((line) => JSON.parse(line) as Rejection);
    },
  };
}

export type PlaceImports = Awaited<ReturnType<typeof createPlaceImports>>;
