import * as z from 'zod';
import { type DownloadCall, downloadPath, idIn, Request, Result } from './download-call.ts';
import { isNetworkFailure, isTemporary, retryAfterMillis, Temporary } from './retry.ts';

/** The service refuses a call; the message is its own. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

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
  const authorization = `Basic ${Buffer.from(`${token}:`).toString('base64')}`;

  async function get(path: string): Promise<{ status: number; headers: Headers; text: string }> {
    try {
      // The redirect of a started download is not followed: it contains the id.
      const response = await fetch(`${url}${path}`, { headers: { authorization }, redirect: 'manual' });
      const { status, headers } = response;
      const text = await response.text();
      if (response.ok || status === 303) return { status, headers, text };
      const message = errorText(status, text);
      if (isTemporary(status)) throw new Temporary(message, { afterMillis: retryAfterMillis(headers) });
      throw new Refused(message, status);
    } catch (error) {
      if (!isNetworkFailure(error)) throw error;
      throw new Temporary(`The service at ${url} does not respond.`, { cause: causeOf(error) });
    }
  }

  return {
    async start(call) {
      const { status, headers } = await get(downloadPath(call));
      if (status !== 303) throw new Error(`The service answered ${status} and did not start a download.`);
      return idIn(headers.get('location'));
    },
    async requests() {
      const path = '/v3/requests';
      const all = parsed(z.array(Request), path, (await get(path)).text);
      // Other tokens of the account may have started the same download.
      return all.filter(({ accountId }) => accountId === token);
    },
    async request(id) {
      const path = `/v3/requests/${id}`;
      return parsed(z.tuple([Request]), path, (await get(path)).text)[0];
    },
    async links(id) {
      const links: string[] = [];
      for (let path: string | undefined = `/v3/results/${id}`; path !== undefined; ) {
        const { headers, text } = await get(path);
        for (const result of parsed(z.array(Result), path, text)) links.push(result.url);
        path = nextPath(headers.get('link'));
      }
      return links;
    },
  };
}

/** The path of the rest of a list. Only a path, so that the token is sent to the service alone. */
export function nextPath(link: string | null): string | undefined {
  return /<(\/[^/>][^>]*)>\s*;\s*rel="?next"?/.exec(link ?? '')?.[1];
}

/** The message in an error body; the text itself when it is not JSON. */
export function errorText(status: number, body: string): string {
  const { error, message, requestId } = fieldsOf(body);
  const text = message ?? error ?? `The service answered ${status}: ${body.slice(0, 500).trim()}`;
  return requestId === undefined ? text : `${text} (request ${requestId})`;
}

const ErrorBody = z.object({
  error: z.string().optional(),
  message: z.string().optional(),
  requestId: z.string().optional(),
});

function fieldsOf(body: string): z.output<typeof ErrorBody> {
  try {
    return ErrorBody.safeParse(JSON.parse(body)).data ?? {};
  } catch {
    return {};
  }
}

function parsed<T>(schema: z.ZodType<T>, path: string, text: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`The service sent an unexpected response to GET ${path}.`, { cause });
  }
}

/** The error of the network, which `fetch` hides one level down. */
export const causeOf = (error: unknown): unknown => (error instanceof Error && error.cause ? error.cause : error);
