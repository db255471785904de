import * as z from 'zod';
import { dataTokenId, newDataToken } from '#shared/auth/data-token';
import { Refusal } from '#shared/errors';
import type { Page, PageQuery } from '#shared/http/page';
import type { TenantKey } from '#shared/ids';
import { isoTime } from '#shared/timestamp';

export const NewDataToken = z.strictObject({
  availableDownloads: z.number().int().min(0).max(1_000_000_000_000),
  planId: z.string().trim().min(1).max(50),
});
export type NewDataToken = z.output<typeof NewDataToken>;

export const DataTokenId = z.string().regex(/^tok_[A-Za-z0-9_-]{32}$/);

/** A downloads token without its secret: what is stored and shown. */
export interface DataToken extends NewDataToken {
  readonly tokenId: string;
  readonly tenant: string;
  readonly createdAt: string;
  readonly revokedAt?: string;
}

export interface DataTokens {
  /** False if this token exists already. */
  add(token: DataToken): Promise<boolean>;
  byId(tokenId: string): Promise<DataToken | undefined>;
  list(tenant: string, page: PageQuery): Promise<Page<DataToken>>;
  /** False if the tenant has no such token. */
  revoke(key: TenantKey, now: number): Promise<boolean>;
}

/** Makes a token. The secret is returned here and never again. */
export async function createDataToken(
  tokens: DataTokens,
  tenant: string,
  stated: NewDataToken,
  now: number,
): Promise<{ secret: string; token: DataToken }> {
  const secret = newDataToken();
  const token: DataToken = { ...stated, tokenId: dataTokenId(secret), tenant, createdAt: isoTime(now) };
  if (!(await tokens.add(token))) throw new Error('Two tokens of 256 random bits are the same.');
  return { secret, token };
}

/** Revokes a token for good. Cached credentials are accepted for up to a minute more. */
export async function revokeDataToken(tokens: DataTokens, key: TenantKey, now: number): Promise<void> {
  if (!(await tokens.revoke(key, now))) {
    throw new Refusal(404, 'not-found', 'There is no such token.');
  }
}

/** The token as the management API shows it. */
export const presentDataToken = (token: DataToken) => ({
  id: token.tokenId,
  planId: token.planId,
  availableDownloads: token.availableDownloads,
  createdAt: token.createdAt,
  ...(token.revokedAt && { revokedAt: token.revokedAt }),
});
