import * as z from 'zod';
import type { ImportedObject } from './import-job.ts';
import { isReport, MAP_SUFFIX } from './import-source.ts';
import { PartClaim } from './part-claim.ts';

/** EventBridge notification of an object in the import bucket. Other members are allowed. */
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
  /** A worker that sends a part to another one sets it. */
  part: PartClaim.optional(),
});
export type ObjectCreated = z.output<typeof ObjectCreated>;

/** The notification with which a worker resumes an import, or reads one part of it. */
export const announcementOf = ({ key, etag, sequencer, bytes }: ImportedObject, part?: PartClaim): ObjectCreated => ({
  source: 'aws.s3',
  'detail-type': 'Object Created',
  detail: { object: { key, size: bytes, etag, sequencer } },
  ...(part && { part }),
});

/**
 * The import that a notification starts. Maps, reports, folder markers and keys without a folder start none.
 * @param typeOf returns the type of items below this first folder, or undefined
 */
export function toImport<Type extends string>(
  { detail }: ObjectCreated,
  typeOf: (folder: string) => Type | undefined,
): { object: ImportedObject; type: Type } | undefined {
  const { key, size, etag, sequencer } = detail.object;
  const folder = /^([^/]+)\/.*[^/]$/.exec(key)?.[1];
  if (folder === undefined || key.endsWith(MAP_SUFFIX) || isReport(key)) return undefined;
  const type = typeOf(folder);
  return type && { object: { key, etag, sequencer, bytes: size }, type };
}
