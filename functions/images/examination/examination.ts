import * as z from 'zod/mini';
import { EDGES } from '../pictures/cut-edges.ts';
import { ReadReceipt } from '../receipts/receipt.ts';
import { Depiction } from './depiction.ts';

/** Increments when receipts are read better than before, so that those in review can be read again. */
export const READER_VERSION = 1;

/**
 * Everything that the verdict and a reviewer need to know about one picture. It is stored as JSON, so that nobody has
 * to open the picture again.
 */
export const Examination = z.object({
  format: z.optional(z.enum(['jpeg', 'png', 'gif', 'tiff', 'pdf'])),
  /** The pages of the file. Only the first few are read. */
  pages: z.optional(z.int()),
  /** The `READER_VERSION` that examined the picture. Examinations of earlier versions lack it. */
  reader: z.optional(z.int()),
  /** The width of the first page, upright. */
  width: z.optional(z.int()),
  height: z.optional(z.int()),
  /** The reason why the picture could not be opened. Everything else is then unknown. */
  problem: z.optional(z.enum(['empty', 'unknown', 'too-large', 'too-costly', 'damaged'])),
  /** The perceptual hash of the first page: see `perceptualHashOf`. */
  perceptualHash: z.optional(z.string()),
  /** The result of `sharpnessOf`; absent if there are hardly any edges. */
  sharpness: z.optional(z.number()),
  /** The depiction of the page that shows most: see `depictionOf`. Examinations of earlier versions lack it. */
  depiction: z.optional(Depiction),
  /** The edges that print runs over: see `cutEdges`. Receipts only. */
  cut: z.readonly(z.array(z.enum(EDGES))),
  /**
   * The word count of the first reading. Receipts only; absent if time ran out, so that a low count means little print.
   */
  words: z.optional(z.int()),
  /** The score of `ParsedReceipt`. Receipts only; absent if time ran out. */
  receiptScore: z.optional(z.number()),
  /**
   * True if time ran out before the receipt was proven, so that missing or doubtful fields may still be legible.
   * Receipts only.
   */
  outOfTime: z.optional(z.literal(true)),
  /** A score from 0 to 1. It can send a validation to a person and refuses nothing alone. */
  alteration: z.object({ score: z.number(), signs: z.readonly(z.array(z.string())) }),
  /** The time that the camera claims. It is not trusted, because the sender can write it. */
  takenAt: z.optional(z.string()),
  /** Present for receipts that are sharp enough and from a supported country. */
  receipt: z.optional(ReadReceipt),
});

export type Examination = z.output<typeof Examination>;
