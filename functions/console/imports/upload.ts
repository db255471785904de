import { HEAD_BYTES_MAX } from '#shared/import/uploads/upload-limits';
import type { Management } from '../management/management.ts';
import type { Form } from '../pages/form.ts';
import { type ImportMap, ImportUpload, UploadedFile } from './import-answers.ts';
import type { ImportKind } from './import-kinds.ts';

/** A file of which all parts are uploaded, and whose import has not started yet. */
export interface Upload {
  readonly name: string;
  readonly bytes: number;
  readonly key: string;
  readonly uploadId: string;
  /** The beginning of the file, in base64. */
  readonly head: string;
  /** The record type; empty for places. */
  readonly type: string;
}

const UPLOAD_FIELDS = ['name', 'key', 'uploadId', 'head', 'type'] as const;

export const uploadFields = (upload: Upload): readonly (readonly [name: string, value: string])[] => [
  ...UPLOAD_FIELDS.map((name) => [name, upload[name]] as const),
  ['bytes', String(upload.bytes)],
];

export function uploadIn(form: Form): Upload {
  const [name = '', key = '', uploadId = '', head = '', type = ''] = UPLOAD_FIELDS.map((field) => form.text(field));
  return { name, key, uploadId, head, type, bytes: Number(form.text('bytes')) };
}

/** The members of a body that name the type of records. */
export const typed = (type: string): { readonly type?: string } => (type === '' ? {} : { type });

interface NewFile {
  readonly name: string;
  readonly bytes: number;
  readonly type: string;
}

export const beginUpload = (management: Management, kind: ImportKind, { name, bytes, type }: NewFile) =>
  management.send(
    {
      method: 'POST',
      path: `${kind.apiPath}/uploads`,
      body: { ...typed(type), name, bytes },
    },
    ImportUpload,
  );

/** Uploads a file that is in memory. */
export async function uploadFile(
  management: Management,
  kind: ImportKind,
  {
    name,
    type,
    content,
  }: {
    readonly name: string;
    readonly type: string;
    readonly content: Uint8Array;
  },
): Promise<Upload> {
  const bytes = content.length;
  const { key, uploadId, partBytes, links } = await beginUpload(management, kind, { name, bytes, type });
  for (const [index, { url }] of links.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- such a file has one part
    await management.put(url, content.subarray(index * partBytes, (index + 1) * partBytes));
  }
  const head = Buffer.from(content.subarray(0, HEAD_BYTES_MAX)).toString('base64');
  return { name, bytes, key, uploadId, head, type };
}

/** Completes an upload, with which its import starts. */
export const startImport = (
  management: Management,
  kind: ImportKind,
  { upload: { key, uploadId, bytes, type }, map }: { readonly upload: Upload; readonly map: ImportMap | undefined },
) =>
  management.send(
    {
      method: 'POST',
      path: kind.apiPath,
      body: { ...typed(type), key, uploadId, bytes, ...(map && { map }) },
    },
    UploadedFile,
  );
