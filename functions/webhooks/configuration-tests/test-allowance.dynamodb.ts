import { takeOne } from '#shared/quotas/limited-counts.dynamodb';
import type { Table } from '#shared/table/table.dynamodb';
import { CONFIGURATION_TESTS } from '../table-keys.ts';
import type { TestAllowance } from './test-configuration.ts';

const MINUTE_MILLIS = 60_000;

/** Limits tests by one write each, to an item per tenant and minute that expires. */
export const testAllowance = (table: Table, testsPerMinute: number): TestAllowance => ({
  take(tenant, now) {
    const minute = Math.floor(now / MINUTE_MILLIS);
    const key = { pk: `${CONFIGURATION_TESTS}${tenant}`, sk: `MINUTE#${minute}` };
    return takeOne(table, { key, limit: testsPerMinute, ttl: (minute + 2) * 60 });
  },
});
