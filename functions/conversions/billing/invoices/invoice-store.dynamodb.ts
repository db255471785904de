import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type { Page, PageQuery } from '#shared/http/page';
import { type Item, type Key, listPage, type Table } from '#shared/table/table.dynamodb';
import { IS_NEW, putWrite } from '#shared/table/writes.dynamodb';
import { INVOICE, INVOICES } from '../../table-keys.ts';
import { announcement } from '../announcements/announcement.ts';
import { announcementWrite } from '../announcements/announcement-items.dynamodb.ts';
import { amountText } from '../subscriptions/amount.ts';
import { CURRENCIES } from '../subscriptions/plan.ts';
import { type Invoice, totalMicros } from './invoice.ts';

const keyOf = ({ tenant, id }: Pick<Invoice, 'tenant' | 'id'>): Key => ({
  pk: `${INVOICE}${tenant}#${id}`,
  sk: 'INVOICE',
});

const InvoiceItem = z.object({
  id: z.string(),
  tenant: z.string(),
  reason: z.enum(['upgrade', 'period']),
  currency: z.enum(CURRENCIES),
  createdAt: z.string(),
  periodStart: z.string(),
  periodEnd: z.string(),
  lines: z.array(
    z.object({
      kind: z.enum(['flat', 'overage', 'credit']),
      description: z.string(),
      quantity: z.number(),
      unitMicros: z.number(),
      amountMicros: z.number(),
    }),
  ),
});
const invoiceIn = (item: Item): Invoice => InvoiceItem.parse(item);

/**
 * The writes of an invoice and its announcement, for the transaction that causes it. A transaction with a second
 * invoice of the same id fails.
 */
export function invoiceWrites(tableName: string, invoice: Invoice): TransactWriteItem[] {
  const data = {
    invoice: invoice.id,
    amount: amountText(totalMicros(invoice)),
    currency: invoice.currency,
    reason: invoice.reason,
  };
  const about = { tenant: invoice.tenant, id: `invoice-${invoice.id}`, data, now: Date.parse(invoice.createdAt) };
  const item = {
    ...keyOf(invoice),
    ...invoice,
    list: `${INVOICES}${invoice.tenant}`,
    position: `${invoice.createdAt}#${invoice.id}`,
  };
  return [putWrite(tableName, item, IS_NEW), announcementWrite(tableName, announcement('Invoice is written', about))];
}

export const listInvoices = (table: Table, tenant: string, page: PageQuery): Promise<Page<Invoice>> =>
  listPage(table, `${INVOICES}${tenant}`, page, invoiceIn);
