import * as z from 'zod';
import { named, Time } from '#shared/http/answer-schemas';
import { ItemPath } from '#shared/http/management-api';
import { operations } from '#shared/http/operation';
import { AmountText, BillingCurrency } from '../subscriptions/amount-schema.ts';
import { PAYMENT_METHODS, PLAN_NAMES } from '../subscriptions/plan.ts';
import { STATES } from '../subscriptions/subscription.ts';
import { PlanQuery, StatedCap, StatedPayment, StatedPlan } from './manage-plan.ts';

const PlanName = named('PlanName', z.enum(PLAN_NAMES));

const PlanCharge = named('PlanCharge', z.object({ amount: AmountText, currency: BillingCurrency }));

const PlanChange = named(
  'PlanChange',
  z.object({ effective: z.enum(['now', 'period-end']), charge: PlanCharge }),
  'When a change of plan takes effect, and what it costs now.',
);

const PlanChangePreview = named(
  'PlanChangePreview',
  PlanChange.extend({
    at: Time,
    version: z.string().meta({ description: 'Sent with the change, it is refused if the plan has changed since.' }),
  }),
);

const SpendCap = named(
  'SpendCap',
  z.union([
    z.object({ mode: z.enum(['none', 'hard-stop']) }).meta({ id: 'SpendCapMode' }),
    z.object({ amount: AmountText }).meta({ id: 'SpendCapAmount' }),
  ]),
  'The most that conversions beyond the included ones may cost in a period.',
);

const PlanOffer = named(
  'PlanOffer',
  z.object({
    plan: PlanName,
    price: AmountText.meta({ description: 'Per period, before tax.' }),
    included: z.int().meta({ description: 'The live conversions of a period that the price covers.' }),
    overage: AmountText.optional().meta({ description: 'Per conversion beyond; absent if there are none.' }),
    rateLimit: z.object({ perSecond: z.int(), burst: z.int() }),
  }),
  'What a plan costs in the currency of the account, and what it includes.',
);

const AccountPlan = named(
  'AccountPlan',
  z.object({
    plan: PlanName,
    state: z.enum(STATES),
    currency: BillingCurrency,
    periodStart: Time,
    periodEnd: Time,
    next: z.object({ plan: PlanName, at: Time }).optional().meta({ description: 'A change that is booked.' }),
    spendCap: SpendCap,
    paymentMethod: z.enum(PAYMENT_METHODS).optional(),
    offers: z.array(PlanOffer),
    change: PlanChangePreview.optional(),
  }),
  'The plan of an account, the plans to choose from, and the preview of a change if one was asked for.',
);

/** Operations on plan, spend cap and payments of an account. */
export const planOperations = operations({
  getPlan: {
    route: 'GET /manage/v1/accounts/{id}/plan',
    summary: 'Get the plan of an account',
    path: ItemPath,
    query: PlanQuery,
    answers: { 200: AccountPlan },
    errors: { 422: ['payment-method-not-allowed'] },
  },
  changePlan: {
    route: 'PUT /manage/v1/accounts/{id}/plan',
    summary: 'Change the plan of an account',
    path: ItemPath,
    body: StatedPlan,
    example: { plan: 'growth' },
    answers: { 200: PlanChange },
    errors: { 409: ['plan-changed'], 422: ['payment-method-not-allowed'] },
  },
  setSpendCap: {
    route: 'PUT /manage/v1/accounts/{id}/spend-cap',
    summary: 'Set the spend cap of an account',
    path: ItemPath,
    body: StatedCap,
    example: { amount: '25.00' },
    answers: { 200: SpendCap },
  },
  recordPaymentEvent: {
    route: 'POST /manage/v1/accounts/{id}/payment-events',
    summary: 'Record a payment event',
    description: 'For the payment provider. The same `id` again changes nothing.',
    path: ItemPath,
    body: StatedPayment,
    example: { id: 'evt-1', payment: 'pay-1', kind: 'settled' },
    answers: { 202: named('RecordedPaymentEvent', z.object({ id: z.string() })) },
  },
});
