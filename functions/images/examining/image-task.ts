import * as z from 'zod';

/** One image, as the map over images hands it on. */
export const ImageToExamine = z.object({
  name: z.string(),
  /** Its key in the bucket. */
  object: z.string(),
  validationType: z.enum(['receipt', 'image']),
  /** Of the campaign; absent if that was deleted. */
  country: z.string().optional(),
  /** The group of its message: see `laneOf`. */
  lane: z.string(),
});
export type ImageToExamine = z.output<typeof ImageToExamine>;

/** The message of an image, with the token of the task that waits for it. */
export const ExamineMessage = z.object({
  tenant: z.string(),
  id: z.string(),
  image: ImageToExamine,
  token: z.string(),
});
export type ExamineMessage = z.output<typeof ExamineMessage>;

/** `failed`: the function crashed or ran out of time, again and again. */
export const ExaminedImage = z.object({ name: z.string(), failed: z.boolean() });
export type ExaminedImage = z.output<typeof ExaminedImage>;
