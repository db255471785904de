import { setTimeout as sleep } from 'node:timers/promises';
import type { Table } from '#shared/table/table.dynamodb';
import { changeValidation, validationById } from '../validations/validation-items.dynamodb.ts';
import type { ChangingValidations } from './add-image.ts';

const PAUSE_MILLIS_MAX = 500;

/** Changes validations. Concurrent writers of one validation pause for random times, so that all succeed. */
export const changingValidationsIn = (table: Table): ChangingValidations => ({
  byId: (key) => validationById(table, key),
  change: (after, before) => changeValidation(table, after, before),
  pause: (attempt) => sleep(Math.random() * Math.min(PAUSE_MILLIS_MAX, 10 * 2 ** attempt)),
});
