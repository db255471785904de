import * as z from 'zod';

/** The position of print: corners in reading direction, as shares of the width and height of the opened page. */
export const PagePosition = z.object({
  /** The first page is 0. */
  page: z.int(),
  corners: z.array(z.tuple([z.number(), z.number()]).readonly()).readonly(),
  /** The recognised words, from left to right; absent in examinations of earlier versions. */
  text: z.string().optional(),
  /** The confidence in the least certain word, from 0 to 100. */
  confidence: z.int().optional(),
});
export type PagePosition = Readonly<z.output<typeof PagePosition>>;

/**
 * A reason to doubt the reading. `no-date`: nothing resembles a date; `date-unread`: something does. `other-locale`:
 * the text is not written as in the country. `no-purchase`: a title says that it is a credit note, an offer or the like.
 */
const ReadingDoubt = z.enum([
  'no-total',
  'total-unproven',
  'no-date',
  'date-unread',
  'date-unsure',
  'items-unproven',
  'no-store',
  'other-locale',
  'no-purchase',
]);
export type ReadingDoubt = z.output<typeof ReadingDoubt>;

const ReadItem = z.object({
  name: z.string(),
  quantity: z.int(),
  /** True if the row shows a number that may be another quantity; nothing proves it. */
  isQuantityUnsure: z.boolean().optional(),
  /** The price of the line in cents. */
  price: z.int(),
  /** The digits of a bar code. */
  code: z.string().optional(),
  place: PagePosition,
  /** The line in each reading that shows it; absent in examinations of earlier versions. */
  readings: z
    .array(z.object({ name: z.string(), quantity: z.int(), price: z.int() }))
    .readonly()
    .optional(),
});

export type ReadItem = Readonly<z.output<typeof ReadItem>>;

/** The reading of a receipt. Amounts are in cents; fields that were not found are absent. */
export const ReadReceipt = z.object({
  store: z.string().optional(),
  /** The upper rows as read. The store's name is among them. */
  head: z.array(z.string()).readonly(),
  /** A day such as `2018-03-05`. */
  date: z.string().optional(),
  /** A time such as `14:22`. */
  time: z.string().optional(),
  /** The number that the store gives the transaction, receipt or invoice. */
  number: z.string().optional(),
  total: z.int().optional(),
  subtotal: z.int().optional(),
  tax: z.int().optional(),
  currency: z.string(),
  /** States and postal codes in the address, in capitals. */
  regions: z.array(z.string()).readonly(),
  items: z.array(ReadItem).readonly(),
  /**
   * What each reading of the picture shows, or, for the date, also each close-up. They are independent, so agreement is
   * evidence. Absent in examinations of earlier versions.
   */
  readings: z
    .object({ store: z.array(z.string()), date: z.array(z.string()), total: z.array(z.int()) })
    .readonly()
    .optional(),
  /** Empty if the receipt may be decided without a person. */
  doubts: z.array(ReadingDoubt).readonly(),
  places: z.object({
    store: PagePosition.optional(),
    date: PagePosition.optional(),
    total: PagePosition.optional(),
    subtotal: PagePosition.optional(),
    tax: PagePosition.optional(),
  }),
});
export type ReadReceipt = Readonly<z.output<typeof ReadReceipt>>;
