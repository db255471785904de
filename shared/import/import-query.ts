import * as z from 'zod';
import { PageQuery } from '#shared/http/page';

/** The query of a list of imports. */
export const ImportsQuery = PageQuery.extend({
  key: z.string().max(1_000).optional().describe('Only imports of the object with this key.'),
});

/** The query of one import. */
export const ImportQuery = z.object({
  rejectionsAfter: z.coerce.number().int().min(0).default(0).describe('The rejected lines before the page.'),
});
