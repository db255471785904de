import * as z from 'zod';
import type { ImportedObject } from './import-job.ts';
import { isReport } from './import-source.ts';

/** EventBridge: an object was put into the import bucket. Unused members are allowed. */
export const ObjectCreated = z.looseObject({
  source: z.literal('aws.s3'),
  'detail-type': z.literal('Object Created'),
  detail: z.looseObject({
    object: z.looseObject({
      key: z.string(),
      size: z.number().int().min(0),
      etag: z.string(),
      sequencer: z.string(),
    }),
  }),
});
export type ObjectCreated = z.output<typeof ObjectCreated>;

/** The event that makes a worker resume an import: the one that announced the put. */
export const announcementOf = ({ key, etag, sequencer, bytes }: ImportedObject): ObjectCreated => ({
  source: 'aws.s3',
  'detail-type': 'Object Created',
  detail: { object: { key, size: bytes, etag, sequencer } },
});

/**
 * The import that an event starts. Import maps, reports, folder markers and keys without a folder start none.
 *
 * @param typeOf what is imported from objects in this first folder of keys; undefined where nothing is.
 */
export function toImport<Type extends string>(
  { detail }: ObjectCreated,
  typeOf: (folder: string) => Type | undefined,
): { object: ImportedObject; type: Type } | undefined {
  const { key, size, etag, sequencer } = detail.object;
  const folder = /^([^/]+)\/.*[^/]$/.exec(key)?.[1];
  if (folder === undefined || key.endsWith('.map.json') || isReport(key)) return undefined;
  const type = typeOf(folder);
  return type && { object: { key, etag, sequencer, bytes: size }, type };
}
