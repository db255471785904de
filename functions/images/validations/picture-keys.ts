import type { TenantKey } from '#shared/ids';

/** Uploads arrive here and are copied from here: a link that is used twice replaces nothing. */
export const UPLOADS = 'uploads/';
/** Pictures of records, and what was read in them. */
export const STORED = 'validations/';

/** Pictures hold what people bought and paid: they are not kept for ever. */
export const PICTURES_KEPT_DAYS = 400;

const folder = ({ tenant, id }: TenantKey) => `${tenant}/${id}/`;

/** @param slot names the upload among those of its record; a name of our own, which clients have no part in */
export const uploadKey = (validation: TenantKey, slot: string): string => `${UPLOADS}${folder(validation)}${slot}`;
/** @param slot names the image among those of its record: the hash of its bytes */
export const pictureKey = (validation: TenantKey, slot: string): string =>
  `${STORED}${folder(validation)}images/${slot}`;

/** What was found in one image: JSON, an `Examination`. */
export const examinationKey = (validation: TenantKey, slot: string): string =>
  `${STORED}${folder(validation)}examinations/${slot}.json`;

/** The prefixes under which all objects of a record stand. */
export const recordFolders = (validation: TenantKey): readonly string[] =>
  [STORED, UPLOADS].map((prefix) => `${prefix}${folder(validation)}`);

/** The slot of an examination by its key; undefined for any other key. */
export const examinedSlotOf = (key: string): string | undefined => /\/examinations\/([^/]+)\.json$/.exec(key)?.[1];

/** The slot of an upload or a stored picture: the last part of its key. */
export const slotOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1);

/** The record and the slot of an upload; undefined for any other key. */
export function uploadOf(key: string): (TenantKey & { readonly slot: string }) | undefined {
  const [, tenant, id, slot] = /^uploads\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(key) ?? [];
  return tenant !== undefined && id !== undefined && slot !== undefined ? { tenant, id, slot } : undefined;
}
