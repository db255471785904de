import { atOnce } from '#shared/at-once';
import { unchangedSince } from '#shared/table/revisions.dynamodb';
import type { Table } from '#shared/table/table.dynamodb';
import { deleteItem } from '#shared/table/writes.dynamodb';
import { removePointers } from '../duplicates/look-alikes.dynamodb.ts';
import { reviewKey } from '../validations/review-items.dynamodb.ts';
import { validationById, validationKey } from '../validations/validation-items.dynamodb.ts';
import type { ValidationErasureDeps } from './erase-validation.ts';

/** Images of a record whose pointers, 17 each, are removed at the same time. */
const IMAGES_AT_ONCE = 4;

type ItemDeps = Pick<ValidationErasureDeps, 'validation' | 'removeRecord' | 'removeReview' | 'removePointers'>;

/** The items of a record in the images table. */
export const erasedItemsIn = (table: Table): ItemDeps => ({
  validation: (key) => validationById(table, key),

  async removeRecord(validation) {
    return (await deleteItem(table, validationKey(validation), unchangedSince(validation.revision))).done;
  },

  async removeReview(key) {
    await deleteItem(table, reviewKey(key));
  },

  removePointers: (key, marks) =>
    atOnce(marks, IMAGES_AT_ONCE, ({ slot, ...traits }) => removePointers(table, key, { name: slot, traits })),
});
