import * as z from 'zod/mini';

/** The usage of the period and its cost so far. Amounts are decimal text. */
export const Usage = z.object({
  periodStart: z.string(),
  periodEnd: z.string(),
  testQuota: z.number(),
  testUsed: z.number(),
  liveIncluded: z.number(),
  liveUsed: z.number(),
  liveOverage: z.number(),
  /** The number of live conversions after which all are refused. */
  hardLimit: z.nullable(z.number()),
  currency: z.string(),
  spend: z.object({ flat: z.string(), overage: z.string(), total: z.string() }),
  rateLimit: z.object({ perSecond: z.number(), burst: z.number() }),
});
export type Usage = z.output<typeof Usage>;

const UsedDay = z.object({ date: z.string(), live: z.number(), test: z.number() });
export type UsedDay = z.output<typeof UsedDay>;
export const UsedDays = z.object({ days: z.array(UsedDay) });

const SpendCap = z.union([z.object({ amount: z.string() }), z.object({ mode: z.string() })]);
export type SpendCap = z.output<typeof SpendCap>;

/** The price of a plan per period, and what is included. Amounts are decimal text. */
export const PlanOffer = z.object({
  plan: z.string(),
  price: z.string(),
  /** The live conversions of a period that the price covers. */
  included: z.number(),
  /** The price of a conversion beyond; absent if there are none. */
  overage: z.optional(z.string()),
  rateLimit: z.object({ perSecond: z.number(), burst: z.number() }),
});
export type PlanOffer = z.output<typeof PlanOffer>;

/** The booked plan. */
export const Plan = z.object({
  plan: z.string(),
  state: z.string(),
  currency: z.string(),
  periodStart: z.string(),
  periodEnd: z.string(),
  /** A downgrade that waits for the end of the period. */
  next: z.optional(z.object({ plan: z.string(), at: z.string() })),
  spendCap: SpendCap,
  paymentMethod: z.optional(z.string()),
  offers: z.array(PlanOffer),
});
export type Plan = z.output<typeof Plan>;

const Charge = z.object({ amount: z.string(), currency: z.string() });

/** The effect of a change of plan. The version is that of the account for which it was calculated. */
export const PlanChange = z.object({ effective: z.string(), at: z.string(), charge: Charge, version: z.string() });
export type PlanChange = z.output<typeof PlanChange>;

export const PlanAndChange = z.extend(Plan, { change: PlanChange });
export type PlanAndChange = z.output<typeof PlanAndChange>;

const InvoiceLine = z.object({
  description: z.string(),
  quantity: z.number(),
  unitPrice: z.string(),
  amount: z.string(),
});

export const Invoice = z.object({
  id: z.string(),
  reason: z.string(),
  currency: z.string(),
  createdAt: z.string(),
  periodStart: z.string(),
  periodEnd: z.string(),
  lines: z.array(InvoiceLine),
  amount: z.string(),
  tax: z.string(),
});
export type Invoice = z.output<typeof Invoice>;
/** The facts of an account that an invoice shows. */
export const InvoiceRecipient = z.object({
  name: z.optional(z.string()),
  organization: z.optional(z.string()),
  email: z.optional(z.string()),
});
export type InvoiceRecipient = z.output<typeof InvoiceRecipient>;

export const InvoicePage = z.object({ items: z.array(Invoice), nextCursor: z.optional(z.string()) });
