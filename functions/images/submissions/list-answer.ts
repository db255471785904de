import { ok } from '#shared/http/http-handler';
import { loyaltyError } from '#shared/loyalty/loyalty-error';
import { type PictureLinks, presentValidation } from '../validations/loyalty-view.ts';
import type { Validation } from '../validations/validation.ts';

/** A function may return 6 MB including JSON overhead. */
const BODY_BYTES_MAX = 5_500_000;

/** A page of validations. It is refused if too many image links make the answer too large. */
export async function listAnswer(links: PictureLinks, validations: readonly Validation[]) {
  const presented = await Promise.all(validations.map((validation) => presentValidation(links, validation)));
  const answer = ok({ status: 'ok' as const, image_validations: presented });
  if (Buffer.byteLength(JSON.stringify(answer.body)) <= BODY_BYTES_MAX) return answer;
  throw loyaltyError(
    'argument_error',
    'These validations have too many images for one answer: choose a smaller limit.',
  );
}
