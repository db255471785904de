import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { billingWrite, tenantById } from '#shared/auth/tenant-items.dynamodb';
import { noSuch } from '#shared/errors';
import { unchangedSince } from '#shared/table/revisions.dynamodb';
import { getItem, type Key, readItem, type Table } from '#shared/table/table.dynamodb';
import { IS_NEW, putWrite } from '#shared/table/writes.dynamodb';
import { PAYMENT, PAYMENT_EVENT } from '../../table-keys.ts';
import { announcement } from '../announcements/announcement.ts';
import { announcementWrite } from '../announcements/announcement-items.dynamodb.ts';
import type { Account } from '../balances/account.ts';
import { itemAfter } from '../balances/account-changes.ts';
import { stepAccount } from '../balances/account-store.dynamodb.ts';
import { upgradeInvoice } from '../invoices/invoice.ts';
import { invoiceWrites } from '../invoices/invoice-store.dynamodb.ts';
import { type ChangedPlan, changePlan, type PlanChange, requirePlanVersion } from '../subscriptions/change-plan.ts';
import { afterEvent, afterPayment, type PaymentEvent } from '../subscriptions/payments.ts';
import { inCurrency, type Payment, type Subscription, withCap } from '../subscriptions/subscription.ts';

const paymentKey = (tenant: string, payment: string): Key => ({ pk: `${PAYMENT}${tenant}#${payment}`, sk: 'PAYMENT' });
const eventKey = (tenant: string, id: string): Key => ({ pk: `${PAYMENT_EVENT}${tenant}#${id}`, sk: 'PAYMENT_EVENT' });

const PaymentItem = z.object({
  id: z.string(),
  at: z.number(),
  settled: z.boolean(),
  /** Grows with each change, so that of two concurrent changes one is retried. */
  revision: z.number(),
});

interface RequestedChange extends PlanChange {
  readonly version?: string | undefined;
  /** The table of the tenant's account, which shows the plan and locks the currency. @default nothing is shown */
  readonly accounts?: Table;
}

/**
 * Changes the plan; an upgrade writes its invoice in the same transaction. A change is charged once, and only if it was
 * confirmed for the current version of the account.
 */
export async function setPlan(
  table: Table,
  tenant: string,
  { version, accounts, ...settings }: RequestedChange,
  now: number,
): Promise<ChangedPlan> {
  let changed: ChangedPlan | undefined;
  let from: Subscription | undefined;
  let currency: Subscription['currency'] | undefined;
  const before = async () => {
    currency = accounts && (await tenantById(accounts, tenant))?.billingCurrency;
  };
  const step = (booked: Subscription) => {
    const current = currency === undefined ? booked : inCurrency(booked, currency);
    requirePlanVersion(current, version, now);
    from = current;
    changed = changePlan(current, settings, now);
    return changed.subscription;
  };
  const more = ({ before }: { before: Account }): TransactWriteItem[] => {
    if (!changed || !from) return [];
    const nextVersion = before.version + 1;
    const { plan, currency: billed, period } = changed.subscription;
    const bill = { plan, version: nextVersion, currency: billed, isFirst: from.state === 'free' };
    const billing = accounts && plan !== 'free' ? [billingWrite(accounts, tenant, bill)] : [];
    if (changed.chargeMicros === 0) return billing;
    const invoice = {
      id: `upgrade-${nextVersion}-${tenant}`,
      tenant,
      currency: billed,
      from: from.plan,
      to: plan,
      period,
    };
    return [...billing, ...invoiceWrites(table.name, upgradeInvoice({ ...invoice, now }))];
  };
  await stepAccount(table, tenant, step, { now: () => now, before, more });
  return changed ?? noSuch('account');
}

export async function setSpendCap(
  table: Table,
  tenant: string,
  capMicros: number | undefined,
  now: number,
): Promise<Account> {
  const change = await stepAccount(table, tenant, (current) => withCap(current, capMicros), { now: () => now });
  return change ? itemAfter(change) : noSuch('account');
}

/**
 * Records a payment event, in any order and any number of times. The event, the state of its payment, the account and
 * the announcement change in one transaction.
 */
export async function applyPaymentEvent(table: Table, tenant: string, event: PaymentEvent, now: number): Promise<void> {
  if (await getItem(table, eventKey(tenant, event.id))) return;
  let payment: z.output<typeof PaymentItem> | undefined;
  const after = (): Payment => afterEvent(payment, event);
  const change = await stepAccount(
    table,
    tenant,
    (current) => afterPayment(current, { payment: after(), event }, now),
    {
      now: () => now,
      async before() {
        payment = await readItem(table, paymentKey(tenant, event.payment), (item) => PaymentItem.parse(item));
      },
      more: (made) =>
        paymentWrites(table.name, {
          tenant,
          event,
          payment: after(),
          revision: payment?.revision,
          after: itemAfter(made),
          now,
        }),
      isDone: async () => (await getItem(table, eventKey(tenant, event.id))) !== undefined,
    },
  );
  if (!change) noSuch('account');
}

interface PaymentWrites {
  readonly tenant: string;
  readonly event: PaymentEvent;
  readonly payment: Payment;
  /** The revision of the item as it was read; undefined if there was none. */
  readonly revision: number | undefined;
  readonly after: Account;
  readonly now: number;
}

function paymentWrites(
  tableName: string,
  { tenant, event, payment, revision, after, now }: PaymentWrites,
): TransactWriteItem[] {
  const trigger = event.kind === 'failed' ? 'Payment failed' : 'Payment settled';
  const data = { payment: event.payment, plan: after.subscription.plan, state: after.subscription.state };
  const item = { ...paymentKey(tenant, payment.id), ...payment, revision: (revision ?? 0) + 1 };
  return [
    putWrite(tableName, { ...eventKey(tenant, event.id), ...event }, IS_NEW),
    putWrite(tableName, item, unchangedSince(revision)),
    announcementWrite(tableName, announcement(trigger, { tenant, id: `payment-${event.id}`, data, now })),
  ];
}
