import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { importedPlaces, PART_LIMITS } from '../../../functions/places/import/place-part.ts';
import { type ImportedObject, newImportJob } from '../../../shared/import/import-job.ts';
import type { ImportFiles } from '../../../shared/import/import-source.ts';
import { importStore } from '../../../shared/import/import-store.dynamodb.ts';
import { runImport } from '../../../shared/import/run-import.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

export const MEBIBYTE = 1024 * 1024;
/** As `import-files.s3.ts` fetches them. */
const CHUNK_BYTES = 8 * MEBIBYTE;
const MEASURED_EVERY = 7_999;

const name = (i: number) => `Place ${i}, "${'é{[]}\\'.repeat(i % 5)}"`;

/** A member that a Feature may have and no place takes. */
const STYLE = JSON.stringify('}],"features":[{'.repeat(50));

interface Format {
  readonly file: string;
  readonly begin: string;
  readonly entry: (i: number) => string;
  readonly end: string;
}

export const LARGE_GEOJSON: Format = {
  file: 'demo/large.geojson',
  begin: '{"type":"FeatureCollection","features":[',
  entry: (i) =>
    `${i > 0 ? ',' : ''}{"type":"Feature","style":${STYLE},"id":${i},"properties":{"name":${JSON.stringify(name(i))},"city":"Austin","brand":"Brand ${i % 900}"},"geometry":{"type":"Point","coordinates":[${(i % 360) - 180},${(i % 180) - 90}]}}`,
  end: ']}',
};

export const LARGE_CSV: Format = {
  file: 'demo/large.csv',
  begin: 'id,name,city,brand,latitude,longitude\n',
  entry: (i) =>
    `${i},"${name(i).replaceAll('"', '""')}",Austin,Brand ${i % 900},${(i % 180) - 90},${(i % 360) - 180}\n`,
  end: '',
};

export const LARGE_NDJSON: Format = {
  file: 'demo/large.ndjson',
  begin: '',
  entry: (i) =>
    `${JSON.stringify({ id: i, name: name(i), city: 'Austin', brand: `Brand ${i % 900}`, latitude: (i % 180) - 90, longitude: (i % 360) - 180 })}\n`,
  end: '',
};

/** Imports a generated file of this size; the memory that was in use at most beyond that before it. */
export async function importLargeFile(table: Table, { file, begin, entry, end }: Format, bytes: number) {
  let entries = 0;
  async function* generated(): AsyncGenerator<Uint8Array> {
    let text = [begin];
    let written = 0;
    let length = 0;
    while (written < bytes) {
      const next = entry(entries++);
      text.push(next);
      length += next.length;
      if (length < CHUNK_BYTES) continue;
      const chunk = Buffer.from(text.join(''));
      written += chunk.length;
      text = [];
      length = 0;
      yield chunk;
    }
    yield Buffer.from(text.join('') + end);
  }
  const object: ImportedObject = { key: file, etag: 'e', sequencer: '1', bytes };
  const files: ImportFiles = {
    open: async () => ({ chunks: generated(), bytesRead: () => 0 }),
    openToDivide: async () => undefined,
    importMap: async () => undefined,
    putReport: () => Promise.reject(new Error('No line should be rejected.')),
  };
  const jobs = importStore(table);
  const before = inUse();
  let peak = 0;
  let stored = 0;
  const names = createHash('sha256');
  const writes = {
    async store(place: { readonly id: string; readonly name: string }) {
      names.update(place.id).update(place.name);
      stored += 1;
      if (stored % MEASURED_EVERY === 0) peak = Math.max(peak, inUse());
    },
    remove: () => Promise.reject(new Error('No place should be deleted.')),
  };
  const kind = importedPlaces({ writes, jobs, limits: PART_LIMITS });
  const begun = await jobs.begin(newImportJob(object, 'places', Date.now()));
  const { job } = await runImport({ jobs, files, kind, now: () => Date.now() }, begun, {
    remainingMillis: () => 900_000,
  });
  const expected = createHash('sha256');
  for (let i = 0; i < entries; i++) expected.update(String(i)).update(name(i));
  return { job, entries, stored, isExact: names.digest('hex') === expected.digest('hex'), peakBytes: peak - before };
}

function inUse(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
