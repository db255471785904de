import * as z from 'zod';
import { ExaminedImage } from '../examining/image-task.ts';

/** What the states of the machine hand to functions, and get from them: see `cdk/domains/images/validation-machine.ts`. */
const record = { tenant: z.string(), id: z.string() };

export const RecordInput = z.object(record);

export const DecideInput = z.object({ ...record, images: z.array(ExaminedImage) });

const Fingerprint = z.object({ digest: z.string(), transaction: z.string().optional() });
const Doubt = z.object({
  reason: z.string(),
  code: z.int(),
  waitsFor: z.object({ validation: z.string(), isSame: z.boolean() }).optional(),
});
const Award = z.object({
  storeName: z.string().optional(),
  receiptDate: z.string().optional(),
  results: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        description: z.string(),
        price: z.int(),
        quantity: z.int(),
        points: z.int(),
      }),
    )
    .readonly(),
});
const Verdict = z.discriminatedUnion('outcome', [
  Award.extend({ outcome: z.literal('valid') }),
  z.object({ outcome: z.literal('invalid'), code: z.int(), reason: z.string() }),
]);

/** What a person is asked, and what is proposed. */
const Question = z.object({
  doubts: z.array(Doubt).min(1),
  proposal: Award.optional(),
  fingerprint: Fingerprint.optional(),
});
export type Question = z.output<typeof Question>;

export const ReviewInput = z.object({ ...record, token: z.string(), question: Question });
export type ReviewInput = z.output<typeof ReviewInput>;

/** Why a record is to be decided now. */
const Cause = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('judged'), verdict: Verdict, fingerprint: Fingerprint.optional() }),
  /** A person has decided, or did not until the review ended. */
  z.object({ kind: z.literal('reviewed') }),
  /** A function kept failing. */
  z.object({ kind: z.literal('failed') }),
]);
export type Cause = z.output<typeof Cause>;

export const ApplyInput = z.object({ ...record, cause: Cause });
