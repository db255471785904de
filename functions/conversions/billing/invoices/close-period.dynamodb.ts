import * as z from 'zod';
import { isoTime } from '#shared/formats/timestamp';
import { queryItems } from '#shared/table/queries.dynamodb';
import { getItem, type Table, transact } from '#shared/table/table.dynamodb';
import { updateWrite } from '#shared/table/writes.dynamodb';
import { log } from '#shared/telemetry/log';
import { OPEN_PERIODS } from '../../table-keys.ts';
import { counterOf, usageIn } from '../balances/account.ts';
import { periodKey, readAccount, stepAccount } from '../balances/account-store.dynamodb.ts';
import { CURRENCIES, PLAN_NAMES } from '../subscriptions/plan.ts';
import { periodInvoice } from './invoice.ts';
import { invoiceWrites } from './invoice-store.dynamodb.ts';

const Period = z.object({ id: z.string(), start: z.number(), end: z.number() });
const OpenPeriod = z.object({ tenant: z.string(), period: z.object({ id: z.string() }) });
type OpenPeriod = z.output<typeof OpenPeriod>;

const PeriodItem = z.object({
  closed: z
    .object({
      period: Period,
      plan: z.enum(PLAN_NAMES),
      currency: z.enum(CURRENCIES),
      included: z.number(),
      billedLimit: z.number(),
      overageMicros: z.number(),
      nextFlat: z.object({ plan: z.enum(PLAN_NAMES), micros: z.number() }).optional(),
      used: z.number(),
    })
    .optional(),
});

/** Paid periods whose invoice is due, oldest first, to the end of the list. Only the key of each is parsed, so that one invalid period does not end the list. */
export async function* duePeriods(table: Table, now: number): AsyncGenerator<OpenPeriod> {
  const items = queryItems(table, {
    index: 'Listing',
    where: '#list = :list AND #position < :now',
    values: { list: OPEN_PERIODS, now: isoTime(now) },
  });
  for await (const item of items) yield OpenPeriod.parse(item);
}

/**
 * Writes the invoice of a period that has ended. First the account advances, if no request has advanced it, which
 * stores the final state of the period. A repeated call writes no second invoice.
 */
export async function closePeriod(table: Table, { tenant, period: { id } }: OpenPeriod, now: number): Promise<void> {
  await stepAccount(table, tenant, (current) => current, { now: () => now, onlyIfDue: true });
  const item = await getItem(table, periodKey(tenant, id));
  const { closed } = PeriodItem.parse(item);
  const account = await readAccount(table, tenant);
  if (!closed) throw new Error(`The period ${id} of ${tenant} has ended, and the account does not know it.`);
  // The counter includes late usage. It no longer exists if no invoices were written for weeks, or the account was erased.
  const counted = account && counterOf(id) in account ? usageIn(account, id) : closed.used;
  const invoice = periodInvoice(tenant, closed, { used: counted, now });
  const unlisted = updateWrite(table.name, periodKey(tenant, id), {
    change: 'SET invoicedAt = :now REMOVE #list, #position',
    condition: 'attribute_exists(#list)',
    values: { now: isoTime(now) },
  });
  const writes = invoice.lines.length > 0 ? invoiceWrites(table.name, invoice) : [];
  const { done } = await transact(table, [unlisted, ...writes]);
  if (done) log.info('period closed', { tenant, period: id, lines: invoice.lines.length });
}
