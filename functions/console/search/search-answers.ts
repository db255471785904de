import * as z from 'zod/mini';

export const RecordTypes = z.object({ items: z.array(z.object({ type: z.string() })) });
export type RecordTypes = z.output<typeof RecordTypes>;

/** What can be searched of a record type, and what its views show. */
export const RecordSchema = z.object({
  type: z.string(),
  fields: z.array(z.object({ name: z.string(), type: z.string(), list: z.boolean(), searchedByDefault: z.boolean() })),
  views: z.array(z.object({ name: z.string(), fields: z.array(z.string()) })),
});
export type RecordSchema = z.output<typeof RecordSchema>;

/** A record is whatever was imported. */
export const FoundRecord = z.record(z.string(), z.unknown());
export type FoundRecord = z.output<typeof FoundRecord>;

export const Found = z.object({ estimatedTotal: z.number(), records: z.array(FoundRecord) });
export type Found = z.output<typeof Found>;
