import * as z from 'zod/mini';

/** Gives a schema its name in the documents. Names are singular nouns, unique in the service. */
export function named<Schema extends z.core.$ZodType>(id: string, schema: Schema, description?: string): Schema {
  z.globalRegistry.add(schema, { id, ...(description !== undefined && { description }) });
  return schema;
}

/** A time of an answer. */
export const Time = z.iso.datetime();

/** A page of a list. @param id the name in the documents, such as `RulePage` */
export const pageOf = <Item extends z.core.$ZodType>(id: string, item: Item) =>
  named(id, z.object({ items: z.array(item), nextCursor: z.optional(z.string()) }));

/**
 * A member that responses contain and callers cannot choose. A response may be sent back unchanged, so it is accepted
 * and ignored.
 */
export const ReadOnly = z.optional(z.unknown());
z.globalRegistry.add(ReadOnly, { readOnly: true });
