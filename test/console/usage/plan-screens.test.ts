import { describe, expect, it } from 'vitest';
import { invoiceScreen } from '../../../functions/console/usage/invoice.screen.tsx';
import { planScreen } from '../../../functions/console/usage/plan.screens.tsx';
import { usageScreen } from '../../../functions/console/usage/usage.screens.tsx';
import { renderedScreen } from '../../support/console/rendered-screen.tsx';

const offer = (plan: string, price: string, overage?: string) => ({
  plan,
  price,
  included: 10_000,
  ...(overage !== undefined && { overage }),
  rateLimit: { perSecond: 20, burst: 40 },
});
const plan = {
  plan: 'starter',
  state: 'active',
  currency: 'EUR',
  periodStart: '2026-11-12T00:00:00Z',
  periodEnd: '2026-12-12T00:00:00Z',
  spendCap: { mode: 'none' },
  offers: [offer('free', '0.00'), offer('starter', '29.00', '0.004'), offer('growth', '99.00', '0.003')],
};
const change = {
  effective: 'now',
  at: '2026-11-23T12:00:00Z',
  charge: { amount: '70.00', currency: 'EUR' },
  version: 'v',
};

const usage = {
  periodStart: plan.periodStart,
  periodEnd: plan.periodEnd,
  testQuota: 100,
  testUsed: 0,
  liveIncluded: 20_000,
  liveUsed: 12_000,
  liveOverage: 0,
  hardLimit: null,
  currency: 'EUR',
  spend: { flat: '29.00', overage: '0.00', total: '29.00' },
  rateLimit: { perSecond: 20, burst: 40 },
};

describe('the plans to choose from', () => {
  it('are cards with price, volume, overage and limits, and what a change costs now', async () => {
    const { text, links } = await renderedScreen(planScreen, {
      answers: { 'GET accounts/demo/plan': { ...plan, change } },
    });
    expect(text).toMatch(/Free 0\.00 EUR a month Included 10,000 conversions Beyond Refused/);
    expect(text).toMatch(/Starter Current 29\.00 EUR .*Beyond 0\.004 EUR each Rate limit 20 per second, bursts of 40/);
    expect(text).toMatch(/Growth 99\.00 EUR .*Takes effect: Immediately\. Charge now: 70\.00 EUR/);
    expect(links.get('Choose Growth')).toBe('/console/t/demo/usage/plan?to=growth');
    expect(links.has('Keep Starter')).toBe(false);
  });

  it('offer to keep the plan while a change is booked', async () => {
    const booked = { ...plan, next: { plan: 'free', at: '2026-12-12T00:00:00Z' }, change };
    const { text, links } = await renderedScreen(planScreen, { answers: { 'GET accounts/demo/plan': booked } });
    expect(text).toContain('Cancels the change to Free.');
    expect(links.get('Keep Starter')).toBe('/console/t/demo/usage/plan?to=starter');
  });
});

it('the usage page names a cap on overage only where the plan has overage', async () => {
  const usageOn = async (current: string) => {
    const answers = {
      'GET usage': { ...usage, days: [] },
      'GET accounts/demo/plan': { ...plan, plan: current },
      'GET accounts/demo/invoices': { items: [] },
    };
    return (await renderedScreen(usageScreen, { answers })).text;
  };
  expect(await usageOn('starter')).toMatch(/Overage 0\.00 for 0 conversions Cap on overage No cap/);
  const free = await usageOn('free');
  expect(free).not.toMatch(/Overage 0|Cap on overage No cap/);
  expect(free).toContain('Free has no overage: beyond what is included, live conversions are refused.');
});

describe('the change to a plan', () => {
  const confirmed = async (to: string, liveUsed: number) => {
    const answers = { 'GET accounts/demo/plan': { ...plan, change }, 'GET usage': { ...usage, liveUsed } };
    return (await renderedScreen(planScreen, { query: { to }, answers })).text;
  };

  it('says so where the plan includes less than what is used, and what becomes of more', async () => {
    expect(await confirmed('free', 12_000)).toMatch(
      /Free includes 10,000 conversions a period\. 12,000 are used in this one\. Further ones would be refused\./,
    );
    expect(await confirmed('growth', 12_000)).toContain('Further ones cost extra.');
    expect(await confirmed('free', 10_000)).not.toContain('Free includes');
  });

  it('to Scale names how it is paid, or asks for it before it can be confirmed', async () => {
    const answers = (current: object) => ({
      'GET accounts/demo/plan': { ...plan, ...current, change },
      'GET usage': usage,
    });
    const shown = async (query: Record<string, string>, current: object = {}) =>
      (await renderedScreen(planScreen, { query: { to: 'scale', ...query }, answers: answers(current) })).html;
    const unpaid = await shown({});
    expect(unpaid).toContain('Choose…');
    expect(unpaid).toContain('SEPA debit, in EUR');
    expect(unpaid).not.toMatch(/ACH|Card|Change to Scale<\/button>/);
    expect(await shown({ method: 'sepa' })).toMatch(/<dd>SEPA debit, in EUR<\/dd>.*Change to Scale<\/button>/s);
    expect(await shown({}, { paymentMethod: 'sepa' })).toMatch(/Change to Scale<\/button>.*No change: SEPA debit/s);
  });
});

describe('an invoice', () => {
  const line = { description: 'Plan Growth', quantity: 1, unitPrice: '99.00', amount: '99.00' };
  const invoice = (id: string) => ({
    id,
    reason: 'period',
    currency: 'USD',
    createdAt: '2026-11-12T00:00:00Z',
    periodStart: '2026-11-12T00:00:00Z',
    periodEnd: '2026-12-12T00:00:00Z',
    lines: [line],
    amount: '99.00',
    tax: 'added by the payment provider',
  });
  const answers = {
    'GET accounts/demo/invoices': { items: [invoice('inv_1'), invoice('inv_2')] },
    'GET accounts/demo': { organization: 'Northwind', email: 'pay@example.com' },
  };

  it('has a page with its recipient, its lines and its total', async () => {
    const { text } = await renderedScreen(invoiceScreen, { path: { id: 'inv_2' }, answers });
    expect(text).toMatch(/inv_2 .*Account Northwind .*Total before tax 99\.00 USD .*Plan Growth 1 99\.00 99\.00/);
  });

  it('that is not of the account has none', async () => {
    await expect(renderedScreen(invoiceScreen, { path: { id: 'inv_3' }, answers })).rejects.toThrow('404 not-found');
  });
});
