import { cachedLookups } from '#shared/cached-lookups';
import { Refusal } from '#shared/errors';
import { crossOriginHeaders } from '#shared/http/cross-origin';
import { presentDataError } from '#shared/http/data-api';
import type { Surface } from '#shared/http/http-handler';
import { burstHeaders } from '#shared/metering/rate-headers';
import type { SharedBuckets } from '#shared/metering/shared-buckets';
import { microsOf } from '#shared/metering/token-bucket';
import { log } from '#shared/telemetry/log';
import { type StatusOf, SUSPENDED } from './account-status.ts';
import { dataTokenId, previewHolder, tokenOf } from './data-token.ts';

/** The account of a data token. */
interface DataTokenFacts {
  readonly tokenId: string;
  readonly tenant: string;
  readonly planId: string;
  /** Records that may still be downloaded, up to a minute old because the credential is cached. */
  readonly availableDownloads: number;
  /** The time of revocation; absent while the token is valid. */
  readonly revokedAt?: string;
}

/** Looks up data tokens. */
export interface DataTokenLookup {
  byTokenId(tokenId: string): Promise<DataTokenFacts | undefined>;
}

export interface DataCaller extends DataTokenFacts {
  /** The token as it was sent. The interface echoes it (`token`, `accountId`); it is never stored or logged. */
  readonly token: string;
}

export interface DataApiParts {
  readonly tokens: DataTokenLookup;
  readonly buckets: Pick<SharedBuckets, 'bucket' | 'arrivalOf'>;
  /** The status of the account, by which tokens of suspended accounts are refused. */
  readonly statusOf: StatusOf;
  /** Serves tokens of suspended accounts too. @default false */
  readonly servesSuspended?: boolean;
}

const CACHED_MILLIS = 60_000;
const CACHED_TOKENS = 1_000;

/**
 * The `/v3` interface: HTTP Basic with the data token as user name. A token, known or unknown, is cached for up to 60
 * s. Every answer states what is left in the token's bucket of previews.
 */
export function dataApi({ tokens, buckets, statusOf, servesSuspended = false }: DataApiParts): Surface<DataCaller> {
  const cached = cachedLookups<DataTokenFacts>({
    max: CACHED_TOKENS,
    millis: CACHED_MILLIS,
    unknownMillis: CACHED_MILLIS,
  });

  const knownToken = (tokenId: string, now: number) =>
    cached(tokenId, now, async () => {
      const token = await tokens.byTokenId(tokenId);
      return token?.revokedAt === undefined ? token : undefined;
    });

  return {
    present: presentDataError,
    identify: async (event, now) => {
      const token = tokenOf(event.headers['authorization']);
      const dataToken = token && (await knownToken(dataTokenId(token), now));
      if (!token || !dataToken) throw unauthorized();
      const isServed = servesSuspended || (await statusOf(dataToken.tenant, now)).active;
      if (!isServed) throw new Refusal(403, 'account-suspended', SUSPENDED);
      return { ...dataToken, token };
    },
    headersFor: async (event, identified) => {
      if (!identified) return {};
      const { caller } = identified;
      const origins = await crossOriginHeaders(event, () => statusOf(caller.tenant, identified.now));
      const now = microsOf(identified.now);
      try {
        const arrival = await buckets.arrivalOf(previewHolder(caller), now);
        return { ...origins, ...burstHeaders({ bucket: buckets.bucket, arrival, now }) };
      } catch (error) {
        log.warn('bucket not read', { error });
        return origins;
      }
    },
  };
}

const unauthorized = () =>
  new Refusal(401, 'unauthorized', 'Authentication required. Please provide a valid API token.');
