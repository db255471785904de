import * as z from 'zod';
import { ReadReceipt } from '../receipts/receipt.ts';

/** `print runs over this edge`: what stood beyond it is missing. */
const Edge = z.enum(['left', 'right', 'top', 'bottom']);

/**
 * What one picture shows: all that the verdict needs of it, and what a person sees who reviews it. It is stored as JSON,
 * so that no reader of it opens the picture again.
 */
export const Examination = z.object({
  format: z.enum(['jpeg', 'png', 'gif', 'tiff', 'pdf']).optional(),
  /** Pages of the file, of which only the first few are read. */
  pages: z.int().optional(),
  /** Of the first page, upright as it was opened. */
  width: z.int().optional(),
  height: z.int().optional(),
  /** Why the picture was not opened. Nothing else is known then. */
  problem: z.enum(['empty', 'unknown', 'too-large', 'damaged']).optional(),
  /** Of the first page: see `likenessOf`. */
  likeness: z.string().optional(),
  /** See `sharpnessOf`; absent where there are hardly any edges. */
  sharpness: z.number().optional(),
  /** Edges of the picture over which print runs. */
  cut: z.array(Edge).readonly(),
  /** How much the print is that of a receipt: see `receiptScore`. Receipts only. */
  receiptScore: z.number().optional(),
  /** From 0 to 1; it calls a person, and refuses nothing alone. */
  alteration: z.object({ score: z.number(), signs: z.array(z.string()).readonly() }),
  /** When the camera says it took the picture. Untrusted: whoever sends the file can write it. */
  takenAt: z.string().optional(),
  /** Receipts only, if they were sharp enough to be read. */
  receipt: ReadReceipt.optional(),
});

export type Examination = z.output<typeof Examination>;
export type Edge = z.output<typeof Edge>;
