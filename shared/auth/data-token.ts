import { createHash, randomBytes } from 'node:crypto';

/** The prefix of the partition key of a data token's item in the accounts table. */
export const DATA_TOKEN = 'DATA_TOKEN#';
export type DataTokenKey = typeof DATA_TOKEN;

/** The prefix of the partition keys of preview limits, in the same table. */
export const PREVIEWS = 'PREVIEWS#';
export type PreviewsKey = typeof PREVIEWS;

/** The list of a tenant's data tokens in the accounts table. */
export const DATA_TOKENS = 'DATA_TOKENS#';

/** Creates a data token: 256 random bits. It is shown once and never stored. */
export const newDataToken = (): string => randomBytes(32).toString('base64url');

/**
 * The id of a data token: 192 bits of its SHA-256. Reading the item of this id authenticates a caller. The id may be
 * shown and used in file names, because a token of 256 random bits cannot be recovered from it.
 */
export function dataTokenId(token: string): string {
  return `tok_${createHash('sha256').update(token).digest().subarray(0, 24).toString('base64url')}`;
}

const BASIC = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i;

/** The data token of `Authorization: Basic <base64(TOKEN:)>`: the user name, with an empty password. */
export function tokenOf(authorization: string | undefined): string | undefined {
  const encoded = BASIC.exec(authorization ?? '')?.[1];
  if (!encoded || encoded.length > 1_024) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon > 0 && colon === text.length - 1 ? text.slice(0, colon) : undefined;
}

/** Returns the name of a token in the limits of previews, whose items must name their tenant. */
export const previewHolder = ({ tenant, tokenId }: { readonly tenant: string; readonly tokenId: string }): string =>
  `${tenant}#${tokenId}`;
