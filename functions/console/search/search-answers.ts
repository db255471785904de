import * as z from 'zod/mini';

export const RecordTypes = z.object({ items: z.array(z.object({ type: z.string() })) });
export type RecordTypes = z.output<typeof RecordTypes>;

/** The searchable fields and the views of a record type. */
export const RecordSchema = z.object({
  type: z.string(),
  fields: z.array(z.object({ name: z.string(), type: z.string(), list: z.boolean(), searchedByDefault: z.boolean() })),
  views: z.array(z.object({ name: z.string(), fields: z.array(z.string()) })),
});
export type RecordSchema = z.output<typeof RecordSchema>;

/** A record with the fields that were imported. */
export const ResultRecord = z.record(z.string(), z.unknown());
export type ResultRecord = z.output<typeof ResultRecord>;

/** The commonest values of a few fields, counted in a sample of the matches. */
export const Facets = z.object({
  estimatedTotal: z.number(),
  sampled: z.number(),
  facets: z.array(z.object({ field: z.string(), values: z.array(z.object({ value: z.string(), count: z.number() })) })),
});
export type Facets = z.output<typeof Facets>;

export const SearchResult = z.object({ estimatedTotal: z.number(), records: z.array(ResultRecord) });
export type SearchResult = z.output<typeof SearchResult>;
