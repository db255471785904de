/** Step Functions task with a token: puts a validation into the review queue. */
import * as z from 'zod';
import { positiveInteger, readEnv } from '#shared/env';
import { invocation } from '#shared/invocation';
import { boundTable } from '#shared/table/table.dynamodb';
import { imagesTable } from '../environment.ts';
import { requestReview } from './request-review.ts';
import { ReviewInput } from './states.ts';
import { reviewDeps } from './steps.dynamodb.ts';

export const Env = z.object({ ...imagesTable, REVIEW_DAYS: positiveInteger });
const env = readEnv(Env);
const deps = reviewDeps(boundTable(env.IMAGES_TABLE));
const waitMillis = env.REVIEW_DAYS * 86_400_000;

export const handler = invocation(async (input: unknown) =>
  requestReview(deps, ReviewInput.parse(input), { now: Date.now(), waitMillis }),
);
