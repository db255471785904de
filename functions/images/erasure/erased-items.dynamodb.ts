import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { atOnce } from '#shared/at-once';
import { unchangedSince } from '#shared/table/revisions.dynamodb';
import { marshalled, type Table, whenAllowed } from '#shared/table/table.dynamodb';
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
    const remove = new DeleteItemCommand({
      TableName: table.name,
      Key: marshalled(validationKey(validation)),
      ...unchangedSince(validation.revision),
    });
    return (await whenAllowed(table.client.send(remove))).done;
  },

  async removeReview(key) {
    await table.client.send(new DeleteItemCommand({ TableName: table.name, Key: marshalled(reviewKey(key)) }));
  },

  removePointers: (key, marks) =>
    atOnce(marks, IMAGES_AT_ONCE, ({ slot, ...traits }) => removePointers(table, key, { name: slot, traits })),
});
