import * as z from 'zod/mini';

export const Person = z.object({
  id: z.string(),
  name: z.string(),
  email: z.nullable(z.string()),
  role: z.enum(['admin', 'reviewer', 'viewer']),
  active: z.boolean(),
  createdAt: z.string(),
  lastSeenAt: z.nullable(z.string()),
});
export type Person = z.output<typeof Person>;

/** The response that contains the temporary password, only once and only if no mail was sent. */
export const PersonWithPassword = z.extend(Person, {
  mailed: z.boolean(),
  temporaryPassword: z.optional(z.string()),
});
export type PersonWithPassword = z.output<typeof PersonWithPassword>;
