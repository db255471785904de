/** Reads from a function's answer which records of a batch failed. */
import { z } from 'zod';

const Answer = z
  .object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish() })
  .nullish();

/** `some` may be none at all. */
export type BatchVerdict =
  | { readonly kind: 'all-failed'; readonly reason: string }
  | { readonly kind: 'some'; readonly failed: ReadonlySet<string> };

/**
 * An answer of another shape, or one that names a record outside the batch, fails the whole batch, as on AWS: deleting
 * records that may be unfinished would lose them.
 */
export function batchVerdict(payload: string, identifiers: readonly string[]): BatchVerdict {
  const parsed = Answer.safeParse(JSON.parse(payload));
  if (!parsed.success) return { kind: 'all-failed', reason: 'The answer is no batch response.' };
  const failed = new Set((parsed.data?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier));
  const unknown = [...failed].find((identifier) => !identifiers.includes(identifier));
  if (unknown !== undefined)
    return { kind: 'all-failed', reason: `The answer names the record ${unknown}, which was not sent.` };
  return { kind: 'some', failed };
}
