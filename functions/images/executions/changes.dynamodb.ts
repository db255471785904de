import type { Item } from '#shared/table/table.dynamodb';
import { REVIEW_SORT_KEY, reviewIn } from '../validations/review-items.dynamodb.ts';
import { awaitsReview } from '../validations/validation.ts';
import { VALIDATION_SORT_KEY, validationIn } from '../validations/validation-items.dynamodb.ts';
import type { Change } from './advance.ts';

/** The change that an item of the stream represents; undefined if executions need not act on it. */
export function changeIn(item: Item): Change | undefined {
  if (item['sk'] === VALIDATION_SORT_KEY) {
    const validation = validationIn(item);
    const isToExamine = validation.status === 'pending' && !awaitsReview(validation);
    return isToExamine ? { kind: 'complete', validation } : undefined;
  }
  if (item['sk'] !== REVIEW_SORT_KEY) return undefined;
  const { decision, isOver = false, token, tenant, id } = reviewIn(item);
  return decision || isOver ? { kind: 'decided', key: { tenant, id }, token } : undefined;
}
