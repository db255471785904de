import * as z from 'zod/mini';
import { named } from '#shared/http/answer-schemas';
import { DataTime } from '#shared/http/data-answers';
import { RecordTypeName } from '../schemas/record-type.ts';

/** A download as `/v3` shows it. */
export const DataRequest = named(
  'DataRequest',
  z.object({
    id: z.int(),
    records: described(z.string(), 'The parameter `records` as it was sent; empty if it was not.'),
    query: z.string(),
    dataType: RecordTypeName,
    dataFormat: z.enum(['json', 'csv']),
    accountId: described(z.string(), 'The data token that has paid: itself to its owner, its id to other tokens.'),
    planId: z.string(),
    view: z.string(),
    async: z.literal(1),
    status: z.enum(['STARTED', 'COMPLETED']),
    error: described(z.string(), 'Why not everything was delivered; empty if there is no reason.'),
    numDownloaded: described(z.int(), 'The progress.'),
    numFound: z.int(),
    numRequested: z.int(),
    date_started: DataTime,
    date_completed: DataTime,
  }),
  'A download of all or some matches of a query.',
);

function described<Schema extends z.core.$ZodType>(schema: Schema, description: string): Schema {
  z.globalRegistry.add(schema, { description });
  return schema;
}
