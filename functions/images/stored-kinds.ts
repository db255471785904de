import { inKey, keyPart, member, type StoredItem, type StoredKinds } from '#shared/export/stored-kinds';
import type { ImagesKey } from './table-keys.ts';

/** The sort key of a count by customer: `CUSTOMER#{customer}`. */
const awarded = ({ sk }: StoredItem) => /^CUSTOMER#(.*)$/.exec(String(sk))?.[1];

/** The kinds of items in the images table, and what exports and erasures do with them. */
export const IMAGES_KINDS: StoredKinds<ImagesKey> = {
  'CAMPAIGN#': { file: 'campaigns', tenant: inKey },
  // Anyone with the token can decide the review.
  'VALIDATION#': {
    file: 'validations',
    tenant: inKey,
    customer: member('customer'),
    sharesPartition: true,
    secrets: ['token'],
  },
  'SUBMISSIONS#': { file: 'submissions', tenant: inKey, customer: keyPart(2) },
  'AWARDS#': { file: 'awards', tenant: inKey, customer: awarded },
  'RESERVATION#': { tenant: inKey, leftOut: 'It is a digest that keeps a receipt from being awarded twice.' },
  'POINTER#': { tenant: inKey, leftOut: 'It is a digest by which the same picture is recognised.' },
  'ERASURE#': { tenant: inKey, leftOut: 'It leads to a validation that is being erased.' },
  'SEQUENCE#': { tenant: inKey, leftOut: 'It counts the ids that were given.' },
  PROBE: { ownerless: 'It tests the stream, and belongs to no tenant.' },
};
