import * as z from 'zod/mini';
import { Erasure } from '../erasures/erasure-answers.ts';

export const Account = z.object({
  id: z.string(),
  name: z.string(),
  plan: z.string(),
  billingCurrency: z.string(),
  organization: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  phoneNumber: z.string(),
  active: z.boolean(),
  apiIntegration: z.boolean(),
  allowedOrigins: z.array(z.string()),
  suspendedAt: z.optional(z.string()),
  /** The currency in which something is billed; absent while nothing is. */
  billedIn: z.optional(z.string()),
  createdAt: z.string(),
});
export type Account = z.output<typeof Account>;

/** The tombstone of an erased account. */
export const ErasedAccount = z.object({
  id: z.string(),
  active: z.boolean(),
  createdAt: z.string(),
  suspendedAt: z.string(),
  erasure: Erasure,
});
export type ErasedAccount = z.output<typeof ErasedAccount>;

export const StoredAccount = z.union([ErasedAccount, Account]);
export type StoredAccount = z.output<typeof StoredAccount>;
export const isErased = (account: StoredAccount): account is ErasedAccount => 'erasure' in account;

export const DataToken = z.object({
  id: z.string(),
  planId: z.string(),
  availableDownloads: z.number(),
  monthlyDownloads: z.optional(z.number()),
  renewsAt: z.optional(z.string()),
  createdAt: z.string(),
  revokedAt: z.optional(z.string()),
});
export type DataToken = z.output<typeof DataToken>;

export const DataTokenPage = z.object({ items: z.array(DataToken), nextCursor: z.optional(z.string()) });
/** Shown this once. */
export const NewDataToken = z.extend(DataToken, { token: z.string() });

/** Records that the tokens may still download together. */
export const creditOf = (tokens: readonly DataToken[]): number =>
  tokens
    .filter(({ revokedAt }) => revokedAt === undefined)
    .reduce((sum, { availableDownloads }) => sum + availableDownloads, 0);
