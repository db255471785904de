import * as z from 'zod';
import { named, pageOf, Time } from '#shared/http/answer-schemas';
import { ItemPath } from '#shared/http/management-api';
import { operations } from '#shared/http/operation';
import { PageQuery } from '#shared/http/page';
import { AmountText, BillingCurrency } from '../subscriptions/amount-schema.ts';

const InvoiceLine = named(
  'InvoiceLine',
  z.object({
    kind: z.enum(['flat', 'overage', 'credit']),
    description: z.string(),
    quantity: z.int(),
    unitPrice: AmountText,
    amount: AmountText,
  }),
);

const Invoice = named(
  'Invoice',
  z.object({
    id: z.string(),
    reason: z.enum(['upgrade', 'period']),
    currency: BillingCurrency,
    createdAt: Time,
    periodStart: Time,
    periodEnd: Time,
    lines: z.array(InvoiceLine),
    amount: AmountText,
    tax: z.string(),
  }),
  'What an account owes for an upgrade or a period, before tax.',
);

/** Invoices of an account. */
export const invoiceOperations = operations({
  listInvoices: {
    route: 'GET /manage/v1/accounts/{id}/invoices',
    summary: 'List invoices',
    path: ItemPath,
    query: PageQuery,
    answers: { 200: pageOf('InvoicePage', Invoice) },
  },
});
