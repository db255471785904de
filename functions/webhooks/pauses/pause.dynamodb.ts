import { currentStatus } from '#shared/auth/tenant-items.dynamodb';
import { boundTable } from '#shared/table/table.dynamodb';
import { type DeliveringFrom, deliveringFrom } from './pause.ts';

/** Reads from the accounts in this table whether the webhooks of a tenant are paused. */
export const pausesIn = (accountsTable: string, now: () => number): DeliveringFrom =>
  deliveringFrom(currentStatus(boundTable(accountsTable)), now);
