/** The price of a plan and what it includes. Money is in micro-units of the billing currency: 29.00 is 29,000,000. */
export interface Plan {
  readonly flatMicros: number;
  /** Conversions of a period that the flat price covers. */
  readonly included: number;
  readonly ratePerSecond: number;
  readonly burst: number;
  /** Price of a conversion beyond the included ones; absent where the plan allows none. */
  readonly overageMicros?: number;
}

/** In ascending order of price. Every rate divides a million, so that a token takes a whole number of microseconds. */
export const PLANS = {
  free: { flatMicros: 0, included: 1_000, ratePerSecond: 5, burst: 10 },
  starter: { flatMicros: 29_000_000, included: 10_000, ratePerSecond: 20, burst: 40, overageMicros: 4_000 },
  growth: { flatMicros: 99_000_000, included: 50_000, ratePerSecond: 50, burst: 100, overageMicros: 3_000 },
  scale: { flatMicros: 499_000_000, included: 500_000, ratePerSecond: 200, burst: 400, overageMicros: 1_500 },
} as const satisfies Readonly<Record<string, Plan>>;

export type PlanName = keyof typeof PLANS;
export const PLAN_NAMES = Object.keys(PLANS) as [PlanName, ...PlanName[]];

export const planOf = (name: PlanName): Plan => PLANS[name];

export const CURRENCIES = ['USD', 'EUR', 'GBP'] as const;
export type Currency = (typeof CURRENCIES)[number];

export const PAYMENT_METHODS = ['ach', 'sepa', 'bacs', 'card'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** The bank debit of each currency, the only payment method of Scale (README, "Plans"). */
export const DEBITS: Readonly<Record<Currency, PaymentMethod>> = { USD: 'ach', EUR: 'sepa', GBP: 'bacs' };
