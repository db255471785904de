/** Pages of lists, whose token is the number of their last item. */
import { CallRefusal } from '../endpoint/call-refusal.ts';
import type { Page } from './execution-store.ts';

const DEFAULT = 100;

export function pageOf({ maxResults, nextToken }: { maxResults: number; nextToken?: string | undefined }): Page {
  const limit = maxResults === 0 ? DEFAULT : maxResults;
  if (nextToken === undefined) return { limit, after: undefined };
  const after = Number(Buffer.from(nextToken, 'base64url').toString());
  if (Number.isSafeInteger(after) && after > 0) return { limit, after };
  throw new CallRefusal(400, 'InvalidToken', `Invalid Token: '${nextToken}'`);
}

/** @param results one more than the limit when there are more. */
export function endOfPage<T>(results: readonly T[], limit: number, numberOf: (item: T) => number) {
  const items = results.slice(0, limit);
  const last = items.at(-1);
  const nextToken =
    results.length > limit && last ? Buffer.from(String(numberOf(last))).toString('base64url') : undefined;
  return { items, nextToken };
}
