import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import type { TenantKey } from '#shared/ids';
import { getItem, type Item, type Key, marshalled, type Table, transact } from '#shared/table.dynamodb';
import { VALIDATION } from '../table-keys.ts';
import type { Decision, ReviewItem } from './review.ts';
import type { Validation } from './validation.ts';
import { validationKey } from './validation-items.dynamodb.ts';

const text = z.optional(z.string());
const by = { by: text, at: z.string() };
const DecisionItem = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('valid'),
    storeName: text,
    receiptDate: text,
    results: z.optional(
      z.array(
        z.object({
          name: z.string(),
          description: z.string(),
          price: z.int(),
          quantity: z.int(),
          points: z.int(),
        }),
      ),
    ),
    ...by,
  }),
  z.object({ status: z.literal('invalid'), invalidCode: z.int(), ...by }),
]);

const Stored = z.object({
  tenant: z.string(),
  id: z.string(),
  token: text,
  requestedAt: z.string(),
  isOver: z.optional(z.boolean()),
  decision: z.optional(DecisionItem),
});

/** The review that an item of the table, or of its stream, holds. */
export const reviewIn = (item: Item): ReviewItem => Stored.parse(item);

/** In the partition of its record. */
const reviewKey = ({ tenant, id }: TenantKey): Key => ({
  pk: `${VALIDATION}${tenant}#${id}`,
  sk: REVIEW_SORT_KEY,
});
export const REVIEW_SORT_KEY = 'REVIEW';

/** The review as it is now, or undefined. */
export async function reviewById(table: Table, key: TenantKey): Promise<ReviewItem | undefined> {
  const item = await getItem(table, reviewKey(key));
  return item && reviewIn(item);
}

interface Opening extends TenantKey {
  /** Of the task that waits for the decision. */
  readonly token: string;
  readonly requestedAt: string;
  /** The record is decided: nobody is asked. @default false */
  readonly isOver?: boolean;
}

/** Opens the review, or gives an open one another token. A decision that there is already stays, and is returned. */
export async function openReview(
  table: Table,
  { token, requestedAt, isOver = false, ...key }: Opening,
): Promise<ReviewItem> {
  const update = new UpdateItemCommand({
    TableName: table.name,
    Key: marshalled(reviewKey(key)),
    UpdateExpression: `SET tenant = :tenant, id = :id, #token = :token, requestedAt = :at${isOver ? ', isOver = :over' : ''}`,
    ExpressionAttributeNames: { '#token': 'token' },
    ExpressionAttributeValues: marshalled({
      ':tenant': key.tenant,
      ':id': key.id,
      ':token': token,
      ':at': requestedAt,
      ...(isOver && { ':over': true }),
    }),
    ReturnValues: 'ALL_NEW',
  });
  const { Attributes: after = {} } = await table.client.send(update);
  return reviewIn(unmarshall(after));
}

/**
 * Stores the decision. False if there is one already, or the record is no longer pending as it was read. The record gets
 * another revision, so that a verdict which was about to be written without this decision is refused.
 */
export async function decideReview(
  table: Table,
  { tenant, id, revision }: Pick<Validation, 'tenant' | 'id' | 'revision'>,
  decision: Decision,
): Promise<boolean> {
  const { done } = await transact(table, [
    {
      Update: {
        TableName: table.name,
        Key: marshalled(validationKey({ tenant, id })),
        UpdateExpression: 'SET revision = :next',
        ConditionExpression: '#status = :pending AND revision = :revision',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: marshalled({ ':pending': 'pending', ':revision': revision, ':next': revision + 1 }),
      },
    },
    {
      Update: {
        TableName: table.name,
        Key: marshalled(reviewKey({ tenant, id })),
        // A decision may come before the review is opened.
        UpdateExpression:
          'SET tenant = :tenant, id = :id, requestedAt = if_not_exists(requestedAt, :at), decision = :decision',
        ConditionExpression: 'attribute_not_exists(decision)',
        ExpressionAttributeValues: marshalled({
          ':tenant': tenant,
          ':id': id,
          ':at': decision.at,
          ':decision': decision,
        }),
      },
    },
  ]);
  return done;
}
