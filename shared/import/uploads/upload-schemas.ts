/** Schemas of uploads and previews of import files. */
import * as z from 'zod/mini';
import { named } from '#shared/http/answer-schemas';
import { MAP_SUFFIX } from '../import-source.ts';
import { HEAD_BYTES_MAX, UPLOAD_BYTES_MAX } from './upload-limits.ts';

/** The name of a file, whose end decides how it is read. */
const FileName = z.string().check(
  z.minLength(1),
  z.maxLength(200),
  z.regex(
    /^(?!\.{1,2}$)[^/\\\p{Cc}\p{Cs}]+$/u,
    'must be the name of a file, without slashes, control characters and halves of surrogate pairs',
  ),
  z.refine((name) => !name.endsWith(MAP_SUFFIX), `must not end with ${MAP_SUFFIX}`),
);

/** Text that a URL can contain. */
const WellFormed = z.string().check(
  z.minLength(1),
  z.maxLength(1_000),
  z.refine((text) => text.isWellFormed(), 'must be Unicode text'),
);

const Bytes = z.int().check(z.minimum(1), z.maximum(UPLOAD_BYTES_MAX));
const Field = z.string().check(z.minLength(1), z.maxLength(200));

const mapMembers = {
  columns: z.optional(
    z.record(z.string().check(z.maxLength(1_000)), z.union([Field, z.null(), z.array(Field).check(z.maxLength(20))])),
  ),
  constants: z.optional(z.record(Field, z.unknown())),
};

export const ImportMap = named(
  'ImportMap',
  z.object(mapMembers),
  'The fields that the columns of a file fill, `null` for a column that is left out; and values for items without one.',
);
export type ImportMap = z.output<typeof ImportMap>;

export const ImportMapView = named('ImportMapView', z.object(mapMembers), 'The import map beside a file.');

export const NewUpload = z.object({ name: FileName, bytes: Bytes });
export type NewUpload = z.output<typeof NewUpload>;

export const ImportUpload = named(
  'ImportUpload',
  z.object({
    key: z.string(),
    uploadId: z.string(),
    partBytes: z.int(),
    links: z.array(z.object({ part: z.int(), url: z.string() })),
    expiresAt: z.iso.datetime(),
  }),
  'Links to which the parts of a file are put, each `partBytes` long except the last one.',
);

export const StartedUpload = z.object({
  key: WellFormed,
  uploadId: WellFormed,
  bytes: Bytes,
  map: z.optional(ImportMap),
});
export type StartedUpload = z.output<typeof StartedUpload>;

export const UploadedFile = named(
  'UploadedFile',
  z.object({ key: z.string() }),
  'A complete file. Its import starts within seconds, and is listed with this `key`.',
);

export const PreviewedFile = z.object({
  name: FileName,
  bytes: Bytes,
  head: z
    .string()
    .check(z.regex(/^[A-Za-z0-9+/]+={0,2}$/, 'must be base64'), z.maxLength(Math.ceil(HEAD_BYTES_MAX / 3) * 4)),
  map: z.optional(ImportMap),
});
export type PreviewedFile = z.output<typeof PreviewedFile>;

export const ImportPreview = named(
  'ImportPreview',
  z.object({
    columns: z.array(z.object({ name: z.string(), suggestion: z.nullable(z.string()) })),
    fields: z.array(z.string()),
    rows: z.array(
      z.object({
        line: z.int(),
        item: z.optional(z.record(z.string(), z.unknown())),
        deletedId: z.optional(z.string()),
        reason: z.optional(z.string()),
        text: z.optional(z.string()),
        cells: z.optional(z.array(z.string())),
      }),
    ),
    unknownFields: z.optional(z.record(z.string(), z.string())),
    fault: z.optional(z.string()),
  }),
  'The columns of a file, a field for each that has a similar name, and the first ten rows as they would be imported, or the reasons why not. `unknownFields` has the names in the map that no field has, with what is wrong; the rows are without them. `fault` is the reason why the file cannot be read.',
);
