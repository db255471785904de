import * as z from 'zod/mini';

const pageOf = <Item extends z.ZodMiniType>(item: Item) =>
  z.object({ items: z.array(item), nextCursor: z.optional(z.string()) });

const stored = { id: z.string(), createdAt: z.string(), revokedAt: z.optional(z.string()) };

const createdBy = z.nullable(z.object({ id: z.string(), name: z.nullable(z.string()) }));

const lastUsedAt = z.nullable(z.string());

export const ConversionKeyPage = pageOf(
  z.object({ ...stored, name: z.nullable(z.string()), mode: z.string(), prefix: z.string(), createdBy, lastUsedAt }),
);

export const OauthClientPage = pageOf(z.object({ ...stored, mode: z.string(), createdBy, lastUsedAt }));

export const ManagementKeyPage = pageOf(
  z.object({
    ...stored,
    name: z.string(),
    scopes: z.array(z.string()),
    createdBy,
    lastUsedAt,
    expiresAt: z.nullable(z.string()),
  }),
);

const DataToken = z.object({ ...stored, planId: z.string(), availableDownloads: z.number() });
export type DataToken = z.output<typeof DataToken>;
export const DataTokenPage = pageOf(DataToken);

/** The responses that contain a secret, only once. */
export const NewKey = z.object({ id: z.string(), key: z.string() });
export const NewOauthClient = z.object({ clientId: z.string(), clientSecret: z.string() });
export const NewDataToken = z.object({ id: z.string(), token: z.string() });
