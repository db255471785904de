import * as z from 'zod';
import { RECORD_TYPES, type RecordType } from '../schemas/schema.ts';
import type { ImportedObject } from './import-job.ts';

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

const TYPE_OF_KEY = new RegExp(`^(${RECORD_TYPES.join('|')})/.*[^/]$`);

/** The event that makes a worker resume an import: the one that announced the put. */
export const announcementOf = ({ key, etag, sequencer, bytes }: ImportedObject): ObjectCreated => ({
  source: 'aws.s3',
  'detail-type': 'Object Created',
  detail: { object: { key, size: bytes, etag, sequencer } },
});

/** The import that an event starts. Import maps, folder markers and keys with other prefixes start none. */
export function toImport({ detail }: ObjectCreated): { object: ImportedObject; type: RecordType } | undefined {
  const { key, size, etag, sequencer } = detail.object;
  const type = TYPE_OF_KEY.exec(key)?.[1] as RecordType | undefined;
  if (!type || key.endsWith('.map.json')) return undefined;
  return { object: { key, etag, sequencer, bytes: size }, type };
}
