import * as z from 'zod';
import { ExaminedImage } from '../examining/image-task.ts';
import { Award, award, DoubtfulFinding, Fingerprint } from '../validations/verdict-schemas.ts';

/** What the states of the machine hand to functions, and get from them: see `cdk/domains/images/validation-machine.ts`. */
const key = { tenant: z.string(), id: z.string() };

export const ValidationInput = z.object(key);

export const DecideInput = z.object({ ...key, images: z.array(ExaminedImage) });

const Verdict = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('valid'), ...award }),
  z.object({ outcome: z.literal('invalid'), code: z.int(), reason: z.string() }),
]);

/** What a person is asked, and what is proposed. */
const Question = z.object({
  doubts: z.array(DoubtfulFinding).min(1),
  proposal: z.optional(Award),
  fingerprint: z.optional(Fingerprint),
});
export type Question = z.output<typeof Question>;

export const ReviewInput = z.object({ ...key, token: z.string(), question: Question });
export type ReviewInput = z.output<typeof ReviewInput>;

/** Why a record is to be decided now. */
const Cause = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('judged'), verdict: Verdict, fingerprint: z.optional(Fingerprint) }),
  /** A person has decided, or did not until the review ended. */
  z.object({ kind: z.literal('reviewed') }),
  /** A function kept failing. */
  z.object({ kind: z.literal('failed') }),
]);
export type Cause = z.output<typeof Cause>;

export const ApplyInput = z.object({ ...key, cause: Cause });
