import * as z from 'zod/mini';

const Line = z.object({ id: z.string(), sentAt: z.string(), beginning: z.string() });
export type LetterLine = z.output<typeof Line>;
export const LetterList = z.object({ items: z.array(Line) });

export const DeadLetter = z.object({
  id: z.string(),
  sentAt: z.string(),
  attributes: z.record(z.string(), z.string()),
  body: z.string(),
});
