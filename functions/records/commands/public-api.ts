import * as z from 'zod';
import { ApiClient, ApiError, basic } from '#shared/client/api-client';
import { type DownloadCall, downloadPath, idIn, Request, Result } from './download-call.ts';
import { isNetworkFailure, isTemporary, retryAfterMillis, Temporary } from './retry.ts';

/** The calls of the public interface that a download takes. Each is one try. */
export interface PublicApi {
  /** Starts a download and returns its id. */
  start(call: Omit<DownloadCall, 'url'>): Promise<number>;
  /** The newest requests that this token has paid for. */
  requests(): Promise<Request[]>;
  request(id: number): Promise<Request>;
  /** The links of all files, in order. */
  links(id: number): Promise<string[]>;
}

export function publicApi(url: string, token: string): PublicApi {
  // The command itself tries again: before that it looks for a download that was started, and its answer lost.
  const client = new ApiClient({ url, authorization: basic(token), attempts: 1 });
  const once = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw asTemporary(error, url);
    }
  };
  const get = (path: string) => once(() => client.call<unknown>({ method: 'GET', path }));

  return {
    async start(call) {
      // A redirect names the download.
      const { status, headers } = await get(downloadPath(call));
      if (status !== 303) throw new Error(`The service answered ${status} and did not start a download.`);
      return idIn(headers.get('location'));
    },
    async requests() {
      const path = '/v3/requests';
      const all = parsed(z.array(Request), path, (await get(path)).data);
      // Other tokens of the account may have started the same download.
      return all.filter(({ accountId }) => accountId === token);
    },
    async request(id) {
      const path = `/v3/requests/${id}`;
      return parsed(z.tuple([Request]), path, (await get(path)).data)[0];
    },
    async links(id) {
      const path = `/v3/results/${id}`;
      const results = await once(() => Array.fromAsync(client.items({ method: 'GET', path })));
      return parsed(z.array(Result), path, results).map(({ url: link }) => link);
    },
  };
}

/** The error itself, or as one that may pass. */
function asTemporary(error: unknown, url: string): unknown {
  if (isNetworkFailure(error)) {
    return new Temporary(`The service at ${url} does not respond.`, { cause: causeOf(error) });
  }
  if (!(error instanceof ApiError) || !isTemporary(error.status)) return error;
  return new Temporary(error.message, { afterMillis: retryAfterMillis(error.headers) });
}

function parsed<T>(schema: z.ZodType<T>, path: string, data: unknown): T {
  try {
    return schema.parse(data);
  } catch (cause) {
    throw new Error(`The service sent an unexpected response to GET ${path}.`, { cause });
  }
}

/** The error of the network, which `fetch` hides one level down. */
export const causeOf = (error: unknown): unknown => (error instanceof Error && error.cause ? error.cause : error);
