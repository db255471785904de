import * as z from 'zod/mini';
import { EDGES } from '../pictures/cut-edges.ts';
import { ReadReceipt } from '../receipts/receipt.ts';
import { Depiction } from './depiction.ts';

/**
 * What one picture shows: all that the verdict needs of it, and what a person sees who reviews it. It is stored as JSON,
 * so that no reader of it opens the picture again.
 */
export const Examination = z.object({
  format: z.optional(z.enum(['jpeg', 'png', 'gif', 'tiff', 'pdf'])),
  /** Pages of the file, of which only the first few are read. */
  pages: z.optional(z.int()),
  /** Of the first page, upright as it was opened. */
  width: z.optional(z.int()),
  height: z.optional(z.int()),
  /** Why the picture was not opened. Nothing else is known then. */
  problem: z.optional(z.enum(['empty', 'unknown', 'too-large', 'too-costly', 'damaged'])),
  /** Of the first page: see `likenessOf`. */
  likeness: z.optional(z.string()),
  /** See `sharpnessOf`; absent where there are hardly any edges. */
  sharpness: z.optional(z.number()),
  /** Of the page that shows most: see `depictionOf`. Absent in examinations of earlier versions. */
  depiction: z.optional(Depiction),
  /** Edges of the pages over which print runs: see `cutEdges`. Receipts only. */
  cut: z.readonly(z.array(z.enum(EDGES))),
  /** Words of the first reading. Receipts only; absent if time ran out, so that few words mean little print. */
  words: z.optional(z.int()),
  /** How much the print is that of a receipt: see `ParsedReceipt`. Receipts only; absent if time ran out. */
  receiptScore: z.optional(z.number()),
  /**
   * Time ran out before the receipt was proven. What is missing of it, or unsure, may be legible all the same. Receipts
   * only.
   */
  outOfTime: z.optional(z.literal(true)),
  /** From 0 to 1; it calls a person, and refuses nothing alone. */
  alteration: z.object({ score: z.number(), signs: z.readonly(z.array(z.string())) }),
  /** When the camera says it took the picture. Untrusted: whoever sends the file can write it. */
  takenAt: z.optional(z.string()),
  /** Receipts only, if they were sharp enough to be read, and are of a country whose receipts can be read. */
  receipt: z.optional(ReadReceipt),
});

export type Examination = z.output<typeof Examination>;
