import { atOnce } from '#shared/at-once';
import { TenantId } from '#shared/auth/management-caller';
import type { ImportedObject, ImportJob, ImportJobs } from '#shared/import/import-job';
import type { PartContent } from '#shared/import/part';
import type { LinePosition } from '#shared/import/rows/lines';
import type { ImportedKind } from '#shared/import/run-import';
import type { StatedPlace } from '../catalog/place.ts';
import { type PlaceWrites, versionOf } from '../catalog/place-writes.ts';
import { placeEntries } from './place-entries.ts';
import type { ImportedPlace } from './place-fields.ts';

/** The size at which a part is full. All of it is held in memory until it is stored. */
export interface PartLimits {
  readonly places: number;
  readonly rejections: number;
}

export const PART_LIMITS: PartLimits = { places: 4_000, rejections: 20_000 };

/** Each write waits for the table: this many at a time store hundreds of places a second, and a part within a minute. */
const WRITES_AT_ONCE = 32;

interface PlaceDeps {
  readonly writes: PlaceWrites;
  readonly jobs: Pick<ImportJobs, 'advance'>;
  readonly limits: PartLimits;
}

/** What is imported from objects in this first folder of keys: the places of the tenant that it names. */
export const typeOf = (folder: string): 'places' | undefined =>
  TenantId.safeParse(folder).success ? 'places' : undefined;

/** The tenant whose places an object holds. */
export const tenantOf = ({ key }: Pick<ImportedObject, 'key'>): string => key.slice(0, key.indexOf('/'));

/** Places read from files, and parts that are written to the table. */
export const importedPlaces = (deps: PlaceDeps): ImportedKind<ImportedPlace> => ({
  entriesOf: (chunks, { job, map }) => placeEntries(chunks, { file: { ...job, name: job.object.key }, map }),
  newPart: (job) => placePart(job, deps),
  maxRejections: deps.limits.rejections,
});

type Change = { readonly version: string } & ({ readonly place: StatedPlace } | { readonly deleted: string });

/**
 * Places that are written one by one, and after all of them the step. Their versions order the writes of all imports by
 * the start of the import and the position in its file. So a part may be written more than once, at any time and by
 * several workers, and a place is in the end as the last line about it says.
 */
function placePart(job: ImportJob, { writes, jobs, limits }: PlaceDeps): PartContent<ImportedPlace> {
  const tenant = tenantOf(job.object);
  const changes = new Map<string, Change>();
  let added = 0;
  /** Byte, not line: a GeoJSON file may hold all of its features on one line. */
  const versionAt = ({ byte }: LinePosition) => versionOf(job.startedAt, `${job.id}#${String(byte).padStart(16, '0')}`);
  const write = (change: Change) =>
    'place' in change
      ? writes.store(change.place, change.version)
      : writes.remove({ tenant, id: change.deleted }, change.version);
  return {
    add(place, end) {
      changes.set(place.id, { place: { ...place, tenant }, version: versionAt(end) });
      added += 1;
    },
    addDeletion(id, end) {
      changes.set(id, { deleted: id, version: versionAt(end) });
      added += 1;
    },
    isFull: () => added >= limits.places,
    async commit(step) {
      await atOnce([...changes.values()], WRITES_AT_ONCE, write);
      return jobs.advance(step);
    },
  };
}
