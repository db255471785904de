import type { TenantKey } from '#shared/ids';

/** Uploads arrive here and are copied from here: a link that is used twice replaces nothing. */
export const UPLOADS = 'uploads/';
/** Pictures of records, and what was read in them. */
export const STORED = 'validations/';

/** Pictures hold what people bought and paid: they are not kept for ever. */
export const PICTURES_KEPT_DAYS = 400;

const folder = ({ tenant, id }: TenantKey) => `${tenant}/${id}/`;

/** @param name names the upload among those of its record; a name of our own, which clients have no part in */
export const uploadKey = (validation: TenantKey, name: string): string => `${UPLOADS}${folder(validation)}${name}`;
/** @param name names the image among those of its record: the hash of its bytes */
export const pictureKey = (validation: TenantKey, name: string): string =>
  `${STORED}${folder(validation)}images/${name}`;

/** What was found in one image: JSON, an `Examination`. */
export const examinationKey = (validation: TenantKey, name: string): string =>
  `${STORED}${folder(validation)}examinations/${name}.json`;

/** The prefixes under which all objects of a record stand. */
export const validationFolders = (validation: TenantKey): readonly string[] =>
  [STORED, UPLOADS].map((prefix) => `${prefix}${folder(validation)}`);

/** The slot of an examination by its key; undefined for any other key. */
export const examinedImageOf = (key: string): string | undefined => /\/examinations\/([^/]+)\.json$/.exec(key)?.[1];

/** The slot of an upload or a stored picture: the last part of its key. */
export const imageNameOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1);

/** The record and the slot of an upload; undefined for any other key. */
export function uploadOf(key: string): (TenantKey & { readonly name: string }) | undefined {
  const [, tenant, id, name] = /^uploads\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(key) ?? [];
  return tenant !== undefined && id !== undefined && name !== undefined ? { tenant, id, name } : undefined;
}
