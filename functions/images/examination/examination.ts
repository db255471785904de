import * as z from 'zod/mini';

/** `print runs over this edge`: what stood beyond it is missing. */
const Edge = z.enum(['left', 'right', 'top', 'bottom']);

const Cents = z.int();

const ReadItem = z.object({
  name: z.string(),
  quantity: z.number(),
  price: Cents,
  code: z.optional(z.string()),
});

const ReadReceipt = z.object({
  store: z.optional(z.string()),
  date: z.optional(z.string()),
  total: z.optional(Cents),
  subtotal: z.optional(Cents),
  tax: z.optional(Cents),
  items: z.readonly(z.array(ReadItem)),
  doubts: z.readonly(
    z.array(z.enum(['no-total', 'total-unproven', 'no-date', 'date-unsure', 'items-unproven', 'no-store'])),
  ),
});

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
  problem: z.optional(z.enum(['empty', 'unknown', 'too-large', 'damaged'])),
  /** Of the first page: see `likenessOf`. */
  likeness: z.optional(z.string()),
  /** See `sharpnessOf`; absent where there are hardly any edges. */
  sharpness: z.optional(z.number()),
  /** Edges of the picture over which print runs. */
  cut: z.readonly(z.array(Edge)),
  /** How much the print is that of a receipt: see `receiptScore`. Receipts only. */
  receiptScore: z.optional(z.number()),
  /** From 0 to 1; it calls a person, and refuses nothing alone. */
  alteration: z.object({ score: z.number(), signs: z.readonly(z.array(z.string())) }),
  /** When the camera says it took the picture. Untrusted: whoever sends the file can write it. */
  takenAt: z.optional(z.string()),
  /** Receipts only, if they were sharp enough to be read. */
  receipt: z.optional(ReadReceipt),
});

export type Examination = z.output<typeof Examination>;
export type Edge = z.output<typeof Edge>;
