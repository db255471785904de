import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import type { TenantKey } from '#shared/ids';
import {
  getItem,
  getItems,
  type Item,
  type Key,
  marshalled,
  type Table,
  transact,
  whenAllowed,
} from '#shared/table.dynamodb';
import { VALIDATION } from '../table-keys.ts';
import type { Claim, ReviewDecision, ReviewItem } from './review.ts';
import type { Validation } from './validation.ts';
import { validationKey } from './validation-items.dynamodb.ts';
import { ReviewLine } from './verdict-schemas.ts';

const text = z.optional(z.string());
const by = { by: text, at: z.string() };
const DecisionItem = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('valid'),
    storeName: text,
    receiptDate: text,
    results: z.optional(z.array(ReviewLine)),
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
  claim: z.optional(z.object({ by: z.string(), byName: text, until: z.string() })),
});

/** The review that an item of the table, or of its stream, holds. */
export const reviewIn = (item: Item): ReviewItem => Stored.parse(item);

/** In the partition of its record. */
export const reviewKey = ({ tenant, id }: TenantKey): Key => ({
  pk: `${VALIDATION}${tenant}#${id}`,
  sk: REVIEW_SORT_KEY,
});
export const REVIEW_SORT_KEY = 'REVIEW';

/** The review as it is now, or undefined. */
export async function reviewById(table: Table, key: TenantKey): Promise<ReviewItem | undefined> {
  const item = await getItem(table, reviewKey(key));
  return item && reviewIn(item);
}

/** The reviews of these records of one tenant, by the ids of those that have one. */
export async function reviewsOf(table: Table, keys: readonly TenantKey[]): Promise<ReadonlyMap<string, ReviewItem>> {
  const items = await getItems(table, keys.map(reviewKey));
  return new Map(items.map(reviewIn).map((review) => [review.id, review]));
}

interface OpenedReview extends TenantKey {
  /** Of the task that waits for the decision. */
  readonly token: string;
  readonly requestedAt: string;
  /** The record is decided: nobody is asked. @default false */
  readonly isOver?: boolean;
}

/** Opens the review, or gives an open one another token. A decision that there is already stays, and is returned. */
export async function openReview(
  table: Table,
  { token, requestedAt, isOver = false, ...key }: OpenedReview,
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

/** Nobody is asked any more. A decision that there is already stays. */
export async function endReview(table: Table, key: TenantKey, at: string): Promise<void> {
  const update = new UpdateItemCommand({
    TableName: table.name,
    Key: marshalled(reviewKey(key)),
    // It may end before it is opened.
    UpdateExpression:
      'SET tenant = :tenant, id = :id, requestedAt = if_not_exists(requestedAt, :at), isOver = :over REMOVE claim',
    ExpressionAttributeValues: marshalled({ ':tenant': key.tenant, ':id': key.id, ':at': at, ':over': true }),
  });
  await table.client.send(update);
}

/**
 * Stores the decision. False if there is one already, another person's claim lives, or the record is no longer pending as
 * it was read. The record gets another revision, so that a verdict which was about to be written without this decision is
 * refused.
 */
export async function decideReview(
  table: Table,
  { tenant, id, revision }: Pick<Validation, 'tenant' | 'id' | 'revision'>,
  decision: ReviewDecision,
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
          'SET tenant = :tenant, id = :id, requestedAt = if_not_exists(requestedAt, :at), decision = :decision REMOVE claim',
        ConditionExpression: `attribute_not_exists(decision) AND ${unclaimed(decision)}`,
        ExpressionAttributeNames: decision.by === undefined ? CLAIM_UNTIL : CLAIM_NAMES,
        ExpressionAttributeValues: marshalled({
          ':tenant': tenant,
          ':id': id,
          ':at': decision.at,
          ':decision': decision,
          ...(decision.by !== undefined && { ':by': decision.by }),
        }),
      },
    },
  ]);
  return done;
}

const CLAIM_UNTIL = { '#until': 'until' };
const CLAIM_NAMES = { ...CLAIM_UNTIL, '#by': 'by' };

/** No claim lives at `:at` but that of the person `:by`, if there is one. */
const unclaimed = ({ by }: { readonly by?: string | undefined }): string =>
  `(attribute_not_exists(claim) OR claim.#until <= :at${by === undefined ? '' : ' OR claim.#by = :by'})`;

/**
 * Stores the claim, or prolongs the one of the same person. What forbids it is returned: a decision, that none is wanted
 * any more, or another person's claim. The record stays as it is, so that no claim stops the machine.
 */
export async function claimReview(
  table: Table,
  { tenant, id }: TenantKey,
  { claim, at }: { readonly claim: Claim; readonly at: string },
): Promise<ReviewItem | undefined> {
  const update = new UpdateItemCommand({
    TableName: table.name,
    Key: marshalled(reviewKey({ tenant, id })),
    // The record awaits its review a moment before the review is opened.
    UpdateExpression: 'SET tenant = :tenant, id = :id, requestedAt = if_not_exists(requestedAt, :at), claim = :claim',
    ConditionExpression: `attribute_not_exists(decision) AND attribute_not_exists(isOver) AND ${unclaimed(claim)}`,
    ExpressionAttributeNames: CLAIM_NAMES,
    ExpressionAttributeValues: marshalled({
      ':tenant': tenant,
      ':id': id,
      ':at': at,
      ':claim': claim,
      ':by': claim.by,
    }),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  const outcome = await whenAllowed(table.client.send(update));
  return outcome.done || !outcome.item ? undefined : reviewIn(outcome.item);
}

/** Takes the person's own claim away, if there is one. */
export async function releaseReview(table: Table, key: TenantKey, by: string): Promise<void> {
  const update = new UpdateItemCommand({
    TableName: table.name,
    Key: marshalled(reviewKey(key)),
    UpdateExpression: 'REMOVE claim',
    ConditionExpression: 'claim.#by = :by',
    ExpressionAttributeNames: { '#by': 'by' },
    ExpressionAttributeValues: marshalled({ ':by': by }),
  });
  await whenAllowed(table.client.send(update));
}
