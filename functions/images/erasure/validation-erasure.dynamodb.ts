import { newId } from '#shared/ids';
import type { Table } from '#shared/table/table.dynamodb';
import { erasingAgain } from './due-erasures.dynamodb.ts';
import { erasedObjectsIn } from './erase-pictures.s3.ts';
import type { ValidationErasureDeps } from './erase-validation.ts';
import { erasedItemsIn } from './erased-items.dynamodb.ts';

/** Erases validations in this table and bucket. */
export const validationErasure = (table: Table, bucket: string, now: () => number): ValidationErasureDeps => ({
  ...erasedItemsIn(table),
  ...erasedObjectsIn(bucket),
  eraseAgainLater: erasingAgain(table, { now, newId: () => newId('era') }),
});
