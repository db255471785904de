import * as z from 'zod/mini';
import type { TenantKey } from '#shared/ids';
import { getItems, type Item, type Key, readItem, type Table, transact } from '#shared/table/table.dynamodb';
import { assignment, updateItem, updateWrite } from '#shared/table/writes.dynamodb';
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

/** Parses a review from an item of the table or of its stream. */
export const reviewIn = (item: Item): ReviewItem => Stored.parse(item);

/** The review is stored in the partition of its validation. */
export const reviewKey = ({ tenant, id }: TenantKey): Key => ({
  pk: `${VALIDATION}${tenant}#${id}`,
  sk: REVIEW_SORT_KEY,
});
export const REVIEW_SORT_KEY = 'REVIEW';

/** The review as it is now, or undefined. */
export const reviewById = (table: Table, key: TenantKey): Promise<ReviewItem | undefined> =>
  readItem(table, reviewKey(key), reviewIn);

/** The reviews of these validations of one tenant, by validation id. Validations without a review are missing. */
export async function reviewsOf(table: Table, keys: readonly TenantKey[]): Promise<ReadonlyMap<string, ReviewItem>> {
  const items = await getItems(table, keys.map(reviewKey));
  return new Map(items.map(reviewIn).map((review) => [review.id, review]));
}

interface OpenedReview extends TenantKey {
  /** The token of the waiting task. */
  readonly token: string;
  readonly requestedAt: string;
  /** True if the validation is already decided, so that nobody is asked. @default false */
  readonly isOver?: boolean;
}

/** Opens the review, or replaces the token of an open one. Returns the review; an earlier decision stays. */
export async function openReview(
  table: Table,
  { tenant, id, token, requestedAt, isOver = false }: OpenedReview,
): Promise<ReviewItem> {
  const opened = assignment({ tenant, id, token, requestedAt, ...(isOver && { isOver }) });
  const { item = {} } = await updateItem(table, reviewKey({ tenant, id }), { ...opened, returns: 'ALL_NEW' });
  return reviewIn(item);
}

/** Ends the review, so that it leaves the queue. An earlier decision stays. */
export async function endReview(table: Table, { tenant, id }: TenantKey, at: string): Promise<void> {
  await updateItem(table, reviewKey({ tenant, id }), {
    // The review may end before it is opened.
    change:
      'SET tenant = :tenant, id = :id, requestedAt = if_not_exists(requestedAt, :at), isOver = :over REMOVE claim',
    values: { tenant, id, at, over: true },
  });
}

/**
 * Stores the decision. False if one exists, another person's claim is live, or the validation has changed. It
 * increments the validation's revision, so that a verdict made without this decision cannot be written.
 */
export async function decideReview(
  table: Table,
  { tenant, id, revision }: Pick<Validation, 'tenant' | 'id' | 'revision'>,
  decision: ReviewDecision,
): Promise<boolean> {
  const { done } = await transact(table, [
    updateWrite(table.name, validationKey({ tenant, id }), {
      change: 'SET revision = :next',
      condition: '#status = :pending AND revision = :revision',
      values: { pending: 'pending', revision, next: revision + 1 },
    }),
    updateWrite(table.name, reviewKey({ tenant, id }), {
      // A decision may come before the review is opened.
      change:
        'SET tenant = :tenant, id = :id, requestedAt = if_not_exists(requestedAt, :at), decision = :decision REMOVE claim',
      condition: `attribute_not_exists(decision) AND ${unclaimed(decision)}`,
      values: { tenant, id, at: decision.at, decision, by: decision.by },
    }),
  ]);
  return done;
}

/** A condition: no claim is live at `:at`, except the claim of the person `:by`. */
const unclaimed = ({ by }: { readonly by?: string | undefined }): string =>
  `(attribute_not_exists(claim) OR claim.#until <= :at${by === undefined ? '' : ' OR claim.#by = :by'})`;

/**
 * Stores the claim, or extends the person's own. Returns the item that prevents it: a decision, an ended review, or
 * another person's claim. The validation is not changed, so that claims do not disturb the state machine.
 */
export async function claimReview(
  table: Table,
  { tenant, id }: TenantKey,
  { claim, at }: { readonly claim: Claim; readonly at: string },
): Promise<ReviewItem | undefined> {
  const outcome = await updateItem(table, reviewKey({ tenant, id }), {
    // The validation awaits its review a moment before the review is opened.
    change: 'SET tenant = :tenant, id = :id, requestedAt = if_not_exists(requestedAt, :at), claim = :claim',
    condition: `attribute_not_exists(decision) AND attribute_not_exists(isOver) AND ${unclaimed(claim)}`,
    values: { tenant, id, at, claim, by: claim.by },
    returnsOld: true,
  });
  return outcome.done || !outcome.item ? undefined : reviewIn(outcome.item);
}

/** Removes the person's own claim, if there is one. */
export async function releaseReview(table: Table, key: TenantKey, by: string): Promise<void> {
  await updateItem(table, reviewKey(key), { change: 'REMOVE claim', condition: 'claim.#by = :by', values: { by } });
}
