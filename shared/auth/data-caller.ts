import { Refusal } from '#shared/errors';
import { presentDataError } from '#shared/http/data-api';
import type { Surface } from '#shared/http/http-handler';
import { dataTokenId, tokenOf } from './data-token.ts';

/** What a downloads token stands for. */
export interface KnownToken {
  readonly tokenId: string;
  readonly tenant: string;
  readonly planId: string;
  /** Records that may still be downloaded; as old as the cached credential, up to a minute. */
  readonly availableDownloads: number;
  /** Set when the token was revoked. */
  readonly revokedAt?: string;
}

/** Where the accounts behind tokens are found. */
export interface KnownTokens {
  byTokenId(tokenId: string): Promise<KnownToken | undefined>;
}

export interface DataCaller extends KnownToken {
  /** As presented. The interface echoes it (`token`, `accountId`); it is never stored or logged. */
  readonly token: string;
}

const CACHED_MILLIS = 60_000;
const CACHED_TOKENS = 1_000;

/** The `/v3` interface: HTTP Basic with the API token as user name. A credential is cached for up to 60 s. */
export function dataApi(accounts: KnownTokens): Surface<DataCaller> {
  const known = new Map<string, { account: KnownToken; until: number }>();

  async function accountOf(tokenId: string, now: number) {
    const cached = known.get(tokenId);
    if (cached && cached.until > now) return cached.account;
    known.delete(tokenId);
    const account = await accounts.byTokenId(tokenId);
    if (!account || account.revokedAt) return undefined;
    if (known.size >= CACHED_TOKENS) known.clear();
    known.set(tokenId, { account, until: now + CACHED_MILLIS });
    return account;
  }

  return {
    present: presentDataError,
    identify: async (event, now) => {
      const token = tokenOf(event.headers['authorization']);
      const account = token && (await accountOf(dataTokenId(token), now));
      if (!token || !account) throw unauthorized();
      return { ...account, token };
    },
  };
}

const unauthorized = () =>
  new Refusal(401, 'unauthorized', 'Authentication required. Please provide a valid API token.');
