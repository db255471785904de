import * as z from 'zod';

/** `limit` and `cursor` of every list of the management API. */
export const PageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.string().max(2048).optional(),
});
export type PageQuery = z.output<typeof PageQuery>;

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}
