import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import type { TenantKey } from '#shared/ids';
import { unchangedSince } from '#shared/table/revisions.dynamodb';
import { type Item, type Key, readItem, type Table } from '#shared/table/table.dynamodb';
import { IS_NEW, putItem, putWrite } from '#shared/table/writes.dynamodb';
import { currentOrigin } from '#shared/telemetry/origin';
import { VALIDATION } from '../table-keys.ts';
import type { Validation } from './validation.ts';
import { placesOf } from './validation-lists.ts';
import { Award, award, DoubtfulFinding, Fingerprint } from './verdict-schemas.ts';

const text = z.optional(z.string());
const stored = z.object({
  id: z.string(),
  mimeType: z.string(),
  format: z.enum(['jpeg', 'png', 'gif', 'tiff', 'pdf']),
  bytes: z.int(),
  sha256: z.string(),
  key: z.string(),
});
const expected = z.object({
  id: z.string(),
  mimeType: z.string(),
  bytes: z.optional(z.int()),
  uploadKey: z.string(),
  refused: z.optional(z.enum(['too-large', 'no-image'])),
});

const ValidationItem = z.object({
  tenant: z.string(),
  id: z.string(),
  origin: text,
  revision: z.int(),
  app: z.string(),
  customer: z.string(),
  customerExternalId: text,
  anonymous: z.boolean(),
  validationType: z.enum(['receipt', 'image']),
  campaignId: z.int(),
  campaignPermalink: z.string(),
  placementId: text,
  externalId: text,
  data: text,
  status: z.enum(['incomplete', 'pending', 'valid', 'invalid']),
  imageCount: z.int(),
  images: z.array(z.union([stored, expected])),
  createdAt: z.string(),
  updatedAt: z.string(),
  review: z.optional(
    z.object({
      requestedAt: z.string(),
      until: z.string(),
      doubts: z.array(DoubtfulFinding),
      proposal: z.optional(Award),
      fingerprint: z.optional(Fingerprint),
    }),
  ),
  restarts: z.int(),
  invalidCode: z.optional(z.int()),
  invalidReason: text,
  storeName: text,
  receiptDate: text,
  results: z.optional(award.results),
  points: z.optional(z.int()),
});

/** Parses a validation from an item of the table or of its stream. */
export const validationIn = (item: Item): Validation => ValidationItem.parse(item);

export const validationKey = ({ tenant, id }: TenantKey): Key => ({
  pk: `${VALIDATION}${tenant}#${id}`,
  sk: VALIDATION_SORT_KEY,
});
export const VALIDATION_SORT_KEY = 'VALIDATION';

const itemOf = (validation: Validation) => ({
  ...validationKey(validation),
  ...validation,
  ...placesOf(validation),
});

/** The validation as it is now, or undefined. */
export const validationById = (table: Table, key: TenantKey): Promise<Validation | undefined> =>
  readItem(table, validationKey(key), validationIn);

/** A transaction item that creates the validation. It is refused if the id exists. */
export const newValidationWrite = ({ name }: Table, validation: Validation): TransactWriteItem =>
  putWrite(name, { ...currentOrigin(), ...itemOf(validation) }, IS_NEW);

/** A transaction item that replaces the validation. It is refused if the validation has changed since `before`. */
export const changedValidationWrite = ({ name }: Table, after: Validation, before: Validation): TransactWriteItem =>
  putWrite(name, itemOf(after), unchangedSince(before.revision));

/** False if the validation has changed since `before`. */
export async function changeValidation(table: Table, after: Validation, before: Validation): Promise<boolean> {
  return (await putItem(table, itemOf(after), unchangedSince(before.revision))).done;
}
