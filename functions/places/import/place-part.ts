import { atOnce } from '#shared/at-once';
import { TenantId } from '#shared/auth/management-caller';
import type { ImportedObject, ImportJob, ImportJobs } from '#shared/import/import-job';
import type { ImportedKind } from '#shared/import/imported-kind';
import type { PartContent } from '#shared/import/part';
import type { LinePosition } from '#shared/import/rows/lines';
import type { PlaceInput } from '../catalog/place.ts';
import { type PlaceWrites, versionOf } from '../catalog/place-writes.ts';
import { placeEntries } from './place-entries.ts';
import type { ImportedPlace } from './place-fields.ts';

/** A part is full at this size. It is kept in memory until it is stored. */
export interface PartLimits {
  readonly places: number;
  readonly rejections: number;
}

export const PART_LIMITS: PartLimits = { places: 4_000, rejections: 20_000 };

/**
 * Writes wait for the table. With this many at a time, hundreds of places are stored per second, and a part within a
 * minute.
 */
const WRITES_AT_ONCE = 32;

interface PlaceDeps {
  readonly writes: PlaceWrites;
  readonly jobs: Pick<ImportJobs, 'advance'>;
  readonly limits: PartLimits;
}

/** Places are imported from objects below a folder that names their tenant. */
export const typeOf = (folder: string): 'places' | undefined =>
  TenantId.safeParse(folder).success ? 'places' : undefined;

/** The tenant whose places an object contains. */
export const tenantOf = ({ key }: Pick<ImportedObject, 'key'>): string => key.slice(0, key.indexOf('/'));

/** Imports places: reads them from files and writes them to the table. */
export const importedPlaces = (deps: PlaceDeps): ImportedKind<ImportedPlace> => ({
  entriesOf: (chunks, { job, map }) => placeEntries(chunks, { file: { ...job, name: job.object.key }, map }),
  newPart: (job) => placePart(job, deps),
  maxRejections: deps.limits.rejections,
});

type Change = { readonly version: string } & ({ readonly place: PlaceInput } | { readonly deleted: string });

/**
 * A part that writes its places one by one, and then the step. Versions order the writes of all imports by the start of
 * the import and the position in its file. So a part may be written repeatedly, at any time and by several workers, and
 * each place ends up as the last line about it says.
 */
function placePart(job: ImportJob, { writes, jobs, limits }: PlaceDeps): PartContent<ImportedPlace> {
  const tenant = tenantOf(job.object);
  const changes = new Map<string, Change>();
  let added = 0;
  /** The position is a byte, not a line, because a GeoJSON file may have all its features on one line. */
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
