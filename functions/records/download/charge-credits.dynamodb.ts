import type { Update } from '@aws-sdk/client-dynamodb';
import { creditMonthOf } from '#shared/auth/data-credit';
import { dataTokenKey } from '#shared/auth/data-token-items.dynamodb';
import { marshalled, type Table } from '#shared/table/table.dynamodb';

export interface CreditCharge {
  readonly tokenId: string;
  readonly records: number;
  readonly now: number;
}

/**
 * The write that charges records to a token, for the transaction that starts or counts a download: allowed if that many
 * remain, the token is valid, and its credit is of this month or a later one.
 */
export const chargingCredits = (table: Table, { tokenId, records, now }: CreditCharge): Update & Updating => ({
  TableName: table.name,
  Key: marshalled(dataTokenKey(tokenId)),
  UpdateExpression: 'SET availableDownloads = availableDownloads - :records',
  ConditionExpression:
    'availableDownloads >= :records AND attribute_not_exists(revokedAt) AND ' +
    '(attribute_not_exists(monthlyDownloads) OR creditMonth >= :month)',
  ExpressionAttributeValues: marshalled({ ':records': records, ':month': creditMonthOf(now) }),
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
});

/** The write that refunds records to a token, for a transaction. A refund counts for the month in which it is made. */
export const refundingCredits = (table: Table, tokenId: string, records: number): Update & Updating => ({
  TableName: table.name,
  Key: marshalled(dataTokenKey(tokenId)),
  UpdateExpression: 'SET availableDownloads = availableDownloads + :records',
  ConditionExpression: 'attribute_exists(pk)',
  ExpressionAttributeValues: marshalled({ ':records': records }),
});

type Updating = { readonly UpdateExpression: string };
