import { Refusal } from '#shared/errors';
import type { TenantKey } from '#shared/ids';
import { READER_VERSION } from '../examination/examination.ts';
import { type Executions, executionName } from '../executions/execution.ts';
import type { ReviewItem } from '../validations/review.ts';
import { TECHNICAL_DOUBTS } from '../validations/technical-doubts.ts';
import { awaitsReview, type SubmittedImage, type Validation } from '../validations/validation.ts';
import { requireUnclaimed } from './claim.ts';
import { type Reviews, validationByKey } from './decide.ts';
import type { ImageView } from './management-view.ts';

interface Examined {
  readonly validation: Validation;
  readonly review: ReviewItem | undefined;
  readonly images: readonly Pick<ImageView, 'examination'>[];
}

/**
 * True if another examination may help a validation that awaits a person: the last one has failed for a technical
 * reason, or an older reader has read the receipt. A decided validation stays as it is.
 */
export function mayExamineAgain({ validation, review, images }: Examined): boolean {
  if (!awaitsReview(validation) || review?.decision || review?.isOver) return false;
  const hasFailed = validation.review?.doubts.some(({ reason }) => TECHNICAL_DOUBTS.has(reason)) ?? false;
  return hasFailed || (validation.validationType === 'receipt' && images.some(isOutdated));
}

const isOutdated = ({ examination }: Pick<ImageView, 'examination'>): boolean =>
  examination !== undefined && (examination.reader ?? 0) < READER_VERSION;

export interface ExamineAgainDeps {
  readonly reviews: Pick<Reviews, 'validation' | 'review'>;
  readonly view: (validation: TenantKey, image: SubmittedImage) => Promise<ImageView>;
  readonly machine: Pick<Executions, 'start'>;
}

/** An execution that has ended without a result has failed, and the next name starts another one. */
const EXECUTIONS_MAX = 3;

/**
 * Starts another examination of a validation that awaits a person. Its review stays open meanwhile: a person's decision
 * comes first, and the end of the review is not postponed. The name of the execution contains the revision, which every
 * result changes, so a repeated call starts nothing.
 */
export async function examineAgain(
  { reviews, view, machine }: ExamineAgainDeps,
  { tenant, id }: TenantKey,
  reviewer: { readonly by: string | undefined; readonly now: number },
): Promise<Validation> {
  const key = { tenant, id };
  const validation = await validationByKey(reviews, key);
  const [review, images] = await Promise.all([
    reviews.review(key),
    Promise.all(validation.images.map((image) => view(key, image))),
  ]);
  if (!mayExamineAgain({ validation, review, images })) {
    const detail = 'The validation awaits no person, or it was examined completely by the present reader.';
    throw new Refusal(409, 'needs-no-examination', detail);
  }
  requireUnclaimed(review, reviewer);
  for (let number = 1; number <= EXECUTIONS_MAX; number += 1) {
    const name = executionName(key, `again-${validation.revision}-${number}`);
    // oxlint-disable-next-line no-await-in-loop -- the next one only if this one has failed
    if ((await machine.start(name, { ...key, stage: 'examine' })) !== undefined) return validation;
  }
  throw new Refusal(
    409,
    'examination-failed',
    `${EXECUTIONS_MAX} more examinations have failed. Decide by the images.`,
  );
}
