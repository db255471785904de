import * as z from 'zod';
import { ExaminedImage } from '../examining/image-task.ts';
import { Award, award, DoubtfulFinding, Fingerprint } from '../validations/verdict-schemas.ts';

/** The messages between the state machine and its functions: see `cdk/domains/images/validation-definition.ts`. */
const key = { tenant: z.string(), id: z.string() };

export const ValidationInput = z.object(key);

export const DecideInput = z.object({ ...key, images: z.array(ExaminedImage) });

const Verdict = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('valid'), ...award }),
  z.object({ outcome: z.literal('invalid'), code: z.int(), reason: z.string() }),
]);

/** The findings that a person must look at, and the proposed award. */
const Question = z.object({
  doubts: z.array(DoubtfulFinding).min(1),
  proposal: z.optional(Award),
  fingerprint: z.optional(Fingerprint),
});
export type Question = z.output<typeof Question>;

export const ReviewInput = z.object({ ...key, token: z.string(), question: Question });
export type ReviewInput = z.output<typeof ReviewInput>;

/** The cause that ends a validation. */
const Cause = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('judged'), verdict: Verdict, fingerprint: z.optional(Fingerprint) }),
  /** A review has ended, with or without a decision. */
  z.object({ kind: z.literal('reviewed') }),
  /** A function has failed repeatedly. */
  z.object({ kind: z.literal('failed') }),
]);
export type Cause = z.output<typeof Cause>;

export const ApplyInput = z.object({ ...key, cause: Cause });
