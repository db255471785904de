import * as z from 'zod/mini';
import { CONSOLE_ADDRESS } from '#shared/audit/audit-line';
import { ORIGIN_SECRET_HEADER } from '#shared/http/public-domain';
import { type Management, type ManagementCall, ManagementFailure, type Query } from './management.ts';

export interface ManagementOptions {
  /** The URL of the API, without a trailing slash. */
  readonly apiUrl: string;
  readonly idToken: string;
  /** The tenant that an operator views; undefined for the person's own. */
  readonly actsFor?: string | undefined;
  /** The id of the page request, for the log of the API. */
  readonly requestId: string;
  /** The IP address of the browser, for the audit log. */
  readonly address: string;
  /** The proof that the API asks for where CloudFront is before it: calls of the console do not go through it. */
  readonly originSecret?: string | undefined;
}

const TIMEOUT_MILLIS = 4_000;
/** The timeout of a change. A test call takes as long as its endpoint. */
const SEND_TIMEOUT_MILLIS = 25_000;
const AGAIN = new Set([502, 503, 504]);

const Problem = z.object({
  code: z.string(),
  detail: z.optional(z.string()),
  instance: z.optional(z.string()),
  errors: z.optional(z.array(z.object({ pointer: z.string(), detail: z.string() }))),
});

/** Calls the management API. A GET is retried once after a network or gateway error; other methods never are. */
export function managementApi(options: ManagementOptions): Management {
  return {
    async get(path, answer, query) {
      const url = urlOf(options, path, query);
      const ask = () => call(options, url, { method: 'GET', timeoutMillis: TIMEOUT_MILLIS });
      const first = await ask().catch((error: unknown) => error);
      const isGood = first instanceof Response && !AGAIN.has(first.status);
      return read(isGood ? first : await ask().catch(unreachable), answer);
    },
    async send({ method, path, query, body }: ManagementCall, answer) {
      const url = urlOf(options, path, query);
      const sent = await call(options, url, { method, body, timeoutMillis: SEND_TIMEOUT_MILLIS }).catch(unreachable);
      return read(sent, answer);
    },
    async put(url, bytes) {
      const signal = AbortSignal.timeout(SEND_TIMEOUT_MILLIS);
      const body = new Uint8Array(bytes);
      const { ok, status } = await fetch(url, {
        method: 'PUT',
        body,
        redirect: 'error',
        signal,
      }).catch(unreachable);
      if (!ok)
        throw new ManagementFailure({
          status: 502,
          code: 'not-stored',
          detail: `The upload answered ${status}.`,
        });
    },
  };
}

function urlOf({ apiUrl, actsFor }: ManagementOptions, path: string, query: Query = {}): string {
  const parameters = Object.entries({ ...query, tenant: actsFor ?? query['tenant'] });
  const search = new URLSearchParams(parameters.flatMap(([name, value]) => (value ? [[name, value]] : [])));
  return `${apiUrl}/manage/v1/${path}${search.size > 0 ? `?${search.toString()}` : ''}`;
}

interface CallOptions {
  readonly method: string;
  readonly body?: unknown;
  readonly timeoutMillis: number;
}

const call = (
  { idToken, requestId, address, originSecret }: ManagementOptions,
  url: string,
  { method, body, timeoutMillis }: CallOptions,
) =>
  fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${idToken}`,
      'x-console-request': requestId,
      [CONSOLE_ADDRESS]: address,
      ...(originSecret !== undefined && { [ORIGIN_SECRET_HEADER]: originSecret }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    // The token must not follow a redirect to another host.
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMillis),
  });

function unreachable(cause: unknown): never {
  const isLate = cause instanceof Error && cause.name === 'TimeoutError';
  const [status, code, detail] = isLate
    ? ([504, 'timeout', 'The service did not answer in time.'] as const)
    : ([502, 'unreachable', 'The service cannot be reached at the moment.'] as const);
  throw new ManagementFailure({ status, code, detail }, { cause });
}

async function read<T>(response: Response, answer: z.ZodMiniType<T>): Promise<T> {
  const text = await response.text().catch(unreachable);
  const body = parsed(text);
  if (response.ok) return answer.parse(body);
  const problem = Problem.safeParse(body).data;
  const facts = problem ?? { code: 'no-answer', detail: `The service answered ${response.status}.` };
  const requestId = problem?.instance?.replace('urn:request:', '');
  throw new ManagementFailure({ status: response.status, detail: '', requestId, ...facts });
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
