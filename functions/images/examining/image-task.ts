import * as z from 'zod';

/** One image in the state machine's map over images. */
export const ImageToExamine = z.object({
  name: z.string(),
  /** The key of the picture in the bucket. */
  object: z.string(),
  validationType: z.enum(['receipt', 'image']),
  /** The country of the campaign; absent if the campaign was deleted. */
  country: z.string().optional(),
  /** The message group: see `laneOf`. */
  lane: z.string(),
});
export type ImageToExamine = z.output<typeof ImageToExamine>;

/** The queue message of an image, with the token of the waiting task. */
export const ExamineMessage = z.object({
  tenant: z.string(),
  id: z.string(),
  origin: z.string().optional(),
  image: ImageToExamine,
  token: z.string(),
});
export type ExamineMessage = z.output<typeof ExamineMessage>;

/** `failed`: the function crashed or timed out repeatedly. */
export const ExaminedImage = z.object({ name: z.string(), failed: z.boolean() });
export type ExaminedImage = z.output<typeof ExaminedImage>;
