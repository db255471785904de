import * as z from 'zod/mini';
import { named } from '#shared/http/answer-schemas';
import { amountText } from './amount.ts';

const text = z.optional(z.string());
const optionalCents = z.optional(z.int());
/** Corners, as shares of the width and height of the upright page, and the words that were recognised there. */
export const TextBox = named(
  'TextBox',
  z.object({
    page: z.int(),
    corners: z.array(z.tuple([z.number(), z.number()])),
    text,
    confidence: z.optional(z.int()),
  }),
  'Where text stands: corners as shares of the width and height of the upright page.',
);
const box = z.optional(TextBox);

/**
 * The parts of an examination that reviewers see. All but the item list may be absent, because earlier versions stored
 * less.
 */
export const ExaminationView = z.object({
  format: text,
  pages: z.optional(z.int()),
  reader: z.optional(z.int()),
  width: z.optional(z.int()),
  height: z.optional(z.int()),
  problem: text,
  sharpness: z.optional(z.number()),
  cut: z.optional(z.array(z.string())),
  receiptScore: z.optional(z.number()),
  alteration: z.optional(z.object({ score: z.number(), signs: z.array(z.string()) })),
  takenAt: text,
  receipt: z.optional(
    z.object({
      store: text,
      date: text,
      total: optionalCents,
      subtotal: optionalCents,
      tax: optionalCents,
      currency: text,
      items: z.array(
        z.object({
          name: z.string(),
          quantity: z.number(),
          price: z.int(),
          code: text,
          place: box,
          readings: z.optional(z.array(z.object({ name: z.string(), quantity: z.number(), price: z.int() }))),
        }),
      ),
      readings: z.optional(
        z.object({ store: z.array(z.string()), date: z.array(z.string()), total: z.array(z.int()) }),
      ),
      doubts: z.optional(z.array(z.string())),
      places: z.optional(z.object({ store: box, date: box, total: box, subtotal: box, tax: box })),
    }),
  ),
});
export type ExaminationView = z.output<typeof ExaminationView>;

const amount = (cents: number | undefined) => (cents === undefined ? undefined : amountText(cents));

/** The examination without the reading. */
export const ExaminationSummary = named('Examination', z.omit(ExaminationView, { receipt: true, reader: true }));

/** The reading of a receipt as the management API shows it. Fields that were not found are absent. */
export function presentReading({ receipt }: ExaminationView) {
  if (!receipt) return undefined;
  const { store, date, total, subtotal, tax, currency, items, readings, doubts = [], places = {} } = receipt;
  return {
    storeName: store,
    receiptDate: date,
    total: amount(total),
    subtotal: amount(subtotal),
    tax: amount(tax),
    currency,
    items: items.map(({ name, quantity, price, code, place, readings: lines }) => ({
      name,
      quantity,
      price: amountText(price),
      code,
      box: place,
      readings: lines?.map((line) => ({ ...line, price: amountText(line.price) })),
    })),
    readings: readings && {
      storeName: readings.store,
      receiptDate: readings.date,
      total: readings.total.map(amountText),
    },
    boxes: {
      storeName: places.store,
      receiptDate: places.date,
      total: places.total,
      subtotal: places.subtotal,
      tax: places.tax,
    },
    doubts,
  };
}

/** The examination without the reading. */
export const presentExamination = ({ receipt: _, reader: _reader, ...examination }: ExaminationView) => examination;
