import * as z from 'zod/mini';

export const apiPathOf = (id: string | undefined) => `api-configurations/${encodeURIComponent(id ?? '')}`;

/** An API configuration. */
export const Configuration = z.object({
  id: z.string(),
  name: z.string(),
  targetUrl: z.string(),
  retryIntervalSeconds: z.number(),
  retryTimeoutSeconds: z.number(),
  maxAttempts: z.number(),
  description: z.string(),
  enabled: z.optional(z.boolean()),
  authentication: z.object({
    type: z.string(),
    secretSet: z.boolean(),
    headerName: z.optional(z.string()),
    username: z.optional(z.string()),
  }),
  signature: z.optional(z.string()),
  previousSigningSecretEndsAt: z.optional(z.nullable(z.string())),
  /** The signing secret, only in the response to the call that made it. */
  signingSecret: z.optional(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Configuration = z.output<typeof Configuration>;

export const ConfigurationPage = z.object({ items: z.array(Configuration), nextCursor: z.optional(z.string()) });

/** Rules that use a configuration. */
export const RulesUsing = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      moduleName: z.string(),
      trigger: z.string(),
      enabled: z.boolean(),
    }),
  ),
  nextCursor: z.optional(z.string()),
});
export type RulesUsing = z.output<typeof RulesUsing>;
