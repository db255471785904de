import type { Update } from '@aws-sdk/client-dynamodb';
import { dataTokenKey } from '#shared/auth/data-token-items.dynamodb';
import { marshalled, type Table } from '#shared/table.dynamodb';

/**
 * The write that takes records from an account, for a transaction: allowed if that many are left and the token is
 * valid.
 */
export const takingDownloads = (table: Table, tokenId: string, records: number): Update & Updating => ({
  TableName: table.name,
  Key: marshalled(dataTokenKey(tokenId)),
  UpdateExpression: 'SET availableDownloads = availableDownloads - :records',
  ConditionExpression: 'availableDownloads >= :records AND attribute_not_exists(revokedAt)',
  ExpressionAttributeValues: marshalled({ ':records': records }),
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
});

/** The write that gives records back to an account, for a transaction. */
export const returningDownloads = (table: Table, tokenId: string, records: number): Update & Updating => ({
  TableName: table.name,
  Key: marshalled(dataTokenKey(tokenId)),
  UpdateExpression: 'SET availableDownloads = availableDownloads + :records',
  ConditionExpression: 'attribute_exists(pk)',
  ExpressionAttributeValues: marshalled({ ':records': records }),
});

type Updating = { readonly UpdateExpression: string };
