import * as z from 'zod';

/** Where something stands: corners in the direction of reading, as parts of the width and height of the opened page. */
export const Place = z.object({
  /** The first page is 0. */
  page: z.int(),
  corners: z.array(z.tuple([z.number(), z.number()]).readonly()).readonly(),
  /** The words that were recognised there, from left to right; absent in what an earlier version examined. */
  text: z.string().optional(),
  /** 0 to 100: of the word that is least sure. */
  confidence: z.int().optional(),
});
export type Place = Readonly<z.output<typeof Place>>;

/**
 * Why a person must look at the reading. `no-date`: nothing looks like one; `date-unread`: something does.
 * `other-locale`: the text is not written as receipts of the country are.
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
]);
export type ReadingDoubt = z.output<typeof ReadingDoubt>;

const ReadItem = z.object({
  name: z.string(),
  quantity: z.int(),
  /** What was paid for the line, in cents. */
  price: z.int(),
  /** Digits of a bar code. */
  code: z.string().optional(),
  place: Place,
});

export type ReadItem = Readonly<z.output<typeof ReadItem>>;

/** What was read of a receipt. Amounts are in cents; absent is what was not found. */
export const ReadReceipt = z.object({
  store: z.string().optional(),
  /** The upper rows as they were read: the name of the store is among them. */
  head: z.array(z.string()).readonly(),
  /** As `2018-03-05`. */
  date: z.string().optional(),
  /** As `14:22`. */
  time: z.string().optional(),
  /** Of the transaction, receipt or invoice, as the store numbers them. */
  number: z.string().optional(),
  total: z.int().optional(),
  subtotal: z.int().optional(),
  tax: z.int().optional(),
  currency: z.string(),
  /** States and postal codes that the address holds, in capitals. */
  regions: z.array(z.string()).readonly(),
  items: z.array(ReadItem).readonly(),
  /** None if the receipt may be decided without a person. */
  doubts: z.array(ReadingDoubt).readonly(),
  places: z.object({
    store: Place.optional(),
    date: Place.optional(),
    total: Place.optional(),
    subtotal: Place.optional(),
    tax: Place.optional(),
  }),
});
export type ReadReceipt = Readonly<z.output<typeof ReadReceipt>>;
