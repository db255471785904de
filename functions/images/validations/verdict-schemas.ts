/** Schemas of the parts of a verdict, shared by the items of the table and the messages of the state machine. */
import * as z from 'zod/mini';

const text = z.optional(z.string());
const line = { name: z.string(), description: z.string(), price: z.int(), quantity: z.int(), points: z.int() };

/** A receipt line as a reviewer states it. */
export const ReviewLine = z.object(line);
/** A receipt line of an award. */
const ResultLine = z.object({ id: z.string(), ...line });
/** The members of an award. */
export const award = { storeName: text, receiptDate: text, results: z.readonly(z.array(ResultLine)) };
export const Award = z.object(award);

export const DoubtfulFinding = z.object({
  reason: z.string(),
  code: z.int(),
  waitsFor: z.optional(z.object({ validation: z.string(), isSame: z.boolean() })),
});
export const Fingerprint = z.object({ digest: z.string(), transaction: text });
