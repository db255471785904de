import * as z from 'zod';
import type { Item } from '#shared/table/table.dynamodb';
import { type Condition, IS_NEW } from '#shared/table/writes.dynamodb';

/** Counts the saves of an item, so that a save notices another one that came between its read and its write. */
const Revised = z.object({ revision: z.int() });

export const revisionOf = (item: Item): number => Revised.parse(item).revision;

/** @param revision as it was read; undefined for an item that must not exist yet. */
export const unchangedSince = (revision: number | undefined): Condition =>
  revision === undefined ? IS_NEW : { condition: 'revision = :revision', values: { revision } };
