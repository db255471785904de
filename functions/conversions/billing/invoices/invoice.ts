import { isoTime } from '#shared/formats/timestamp';
import { amountText } from '../subscriptions/amount.ts';
import { type Currency, type PlanName, planOf } from '../subscriptions/plan.ts';
import { type ClosedPeriod, overageCount } from '../subscriptions/subscription.ts';

/** A line of an invoice; amounts are micro-units before tax. */
interface InvoiceLine {
  readonly kind: 'flat' | 'overage' | 'credit';
  readonly description: string;
  readonly quantity: number;
  readonly unitMicros: number;
  readonly amountMicros: number;
}

/** The amount that a tenant owes, before tax: the payment provider adds the tax and collects it. */
export interface Invoice {
  readonly id: string;
  readonly tenant: string;
  /** An upgrade is invoiced at once; a period when it has ended. */
  readonly reason: 'upgrade' | 'period';
  readonly currency: Currency;
  readonly createdAt: string;
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly lines: readonly InvoiceLine[];
}

const flatLine = (plan: PlanName, micros: number, what: string): InvoiceLine => ({
  kind: 'flat',
  description: `${nameOf(plan)}, ${what}`,
  quantity: 1,
  unitMicros: micros,
  amountMicros: micros,
});

const nameOf = (plan: PlanName) => `Plan ${plan[0]?.toUpperCase()}${plan.slice(1)}`;

interface Upgrade {
  readonly id: string;
  readonly tenant: string;
  readonly currency: Currency;
  readonly from: PlanName;
  readonly to: PlanName;
  readonly period: { readonly start: number; readonly end: number };
  readonly now: number;
}

/** The difference between the flat prices of the new plan and the one that it replaces. */
export function upgradeInvoice({ id, tenant, currency, from, to, period, now }: Upgrade): Invoice {
  const credit = planOf(from).flatMicros;
  return {
    id,
    tenant,
    reason: 'upgrade',
    currency,
    createdAt: isoTime(now),
    periodStart: isoTime(period.start),
    periodEnd: isoTime(period.end),
    lines: [
      flatLine(to, planOf(to).flatMicros, 'this period'),
      ...(credit > 0
        ? [
            {
              kind: 'credit' as const,
              description: `${nameOf(from)}, credit for this period`,
              quantity: 1,
              unitMicros: -credit,
              amountMicros: -credit,
            },
          ]
        : []),
    ],
  };
}

/**
 * The invoice of a period that has ended: conversions beyond the included ones, at the price of the plan at its end,
 * and the flat price of the next period.
 * @param used conversions counted
 */
export function periodInvoice(
  tenant: string,
  closed: ClosedPeriod,
  { used, now }: { readonly used: number; readonly now: number },
): Invoice {
  const { period, plan, included, overageMicros, currency, nextFlat } = closed;
  const overage = overageCount(used, closed);
  return {
    id: `${period.id}-${tenant}`,
    tenant,
    reason: 'period',
    currency,
    createdAt: isoTime(now),
    periodStart: isoTime(period.start),
    periodEnd: isoTime(period.end),
    lines: [
      ...(nextFlat ? [flatLine(nextFlat.plan, nextFlat.micros, 'next period')] : []),
      ...(overage > 0
        ? [
            {
              kind: 'overage' as const,
              description: `${nameOf(plan)}, conversions beyond ${included}`,
              quantity: overage,
              unitMicros: overageMicros,
              amountMicros: overage * overageMicros,
            },
          ]
        : []),
    ],
  };
}

export const totalMicros = ({ lines }: Pick<Invoice, 'lines'>): number =>
  lines.reduce((sum, { amountMicros }) => sum + amountMicros, 0);

export const presentInvoice = (invoice: Invoice) => ({
  id: invoice.id,
  reason: invoice.reason,
  currency: invoice.currency,
  createdAt: invoice.createdAt,
  periodStart: invoice.periodStart,
  periodEnd: invoice.periodEnd,
  lines: invoice.lines.map(({ kind, description, quantity, unitMicros, amountMicros }) => ({
    kind,
    description,
    quantity,
    unitPrice: amountText(unitMicros),
    amount: amountText(amountMicros),
  })),
  amount: amountText(totalMicros(invoice)),
  tax: 'added by the payment provider',
});
