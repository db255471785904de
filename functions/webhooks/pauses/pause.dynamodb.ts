import { currentStatus } from '#shared/auth/tenant-items.dynamodb';
import { boundTable } from '#shared/table.dynamodb';
import { type DeliveringFrom, deliveringFrom } from './pause.ts';

/** Whether the webhooks of tenants go out, by their accounts in this table. */
export const pausesIn = (accountsTable: string, now: () => number): DeliveringFrom =>
  deliveringFrom(currentStatus(boundTable(accountsTable)), now);
