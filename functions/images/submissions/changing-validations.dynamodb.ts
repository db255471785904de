import { setTimeout as sleep } from 'node:timers/promises';
import type { Table } from '#shared/table.dynamodb';
import { changeValidation, validationById } from '../validations/validation-items.dynamodb.ts';
import type { ChangingValidations } from './add-image.ts';

const PAUSE_MILLIS_MAX = 500;

/** Records whose images change. Several writers of one record wait for random times, so that all get through. */
export const changingValidationsIn = (table: Table): ChangingValidations => ({
  byId: (key) => validationById(table, key),
  change: (after, before) => changeValidation(table, after, before),
  pause: (attempt) => sleep(Math.random() * Math.min(PAUSE_MILLIS_MAX, 10 * 2 ** attempt)),
});
