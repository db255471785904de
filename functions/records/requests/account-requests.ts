import type { Page } from '#shared/http/page';
import { type DownloadRequest, presentRequest } from '../download/download-request.ts';

/** The most bytes of an answer: a function may return 6 MB. */
const LIST_BYTES_MAX = 5_000_000;

/** The account's data token as it was sent. */
interface Caller {
  readonly token: string;
  readonly tokenId: string;
}

type RequestView = ReturnType<typeof presentRequest>;

/**
 * The Request object, whichever token of the account has paid: other tokens are named by their id, which is not secret.
 */
export const presentAccountRequest = (request: DownloadRequest, { token, tokenId }: Caller): RequestView =>
  presentRequest(request, request.tokenId === tokenId ? token : request.tokenId);

export interface AccountRequests {
  readonly requests: readonly RequestView[];
  /** The id of the last request in the answer, if there are further ones. */
  readonly last?: DownloadRequest;
}

/**
 * Returns as many requests as fit into an answer, which are several thousand.
 * @param pageAt reads a page of them, newest first
 */
export async function accountRequests(
  pageAt: (cursor: string | undefined) => Promise<Page<DownloadRequest>>,
  caller: Caller,
  cursor: string | undefined,
): Promise<AccountRequests> {
  const requests: RequestView[] = [];
  let last: DownloadRequest | undefined;
  let bytes = 0;
  for (let next = cursor, isFirst = true; isFirst || next !== undefined; isFirst = false) {
    const page = await pageAt(next);
    for (const request of page.items) {
      const one = presentAccountRequest(request, caller);
      bytes += Buffer.byteLength(JSON.stringify(one)) + 1;
      if (bytes > LIST_BYTES_MAX) return { requests, ...(last && { last }) };
      requests.push(one);
      last = request;
    }
    next = page.nextCursor;
  }
  return { requests };
}
