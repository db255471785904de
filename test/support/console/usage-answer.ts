/** The usage of an account on the plan Growth that has used nothing, as the overview reads it. */
export const UNUSED = {
  liveIncluded: 50_000,
  liveUsed: 0,
  liveOverage: 0,
  hardLimit: null,
  testQuota: 250,
  testUsed: 0,
  plan: 'growth',
  periodEnd: '2026-12-01T00:00:00Z',
};
