/**
 * Calls of the API for programs: retries of what is safe, pages as iterators, errors with codes. It imports nothing,
 * because `npm run client` copies it into the package that it writes.
 */

export interface ClientOptions {
  /** The address of the API, such as https://api.example.com. */
  readonly url: string;
  /** The value of the header Authorization, or a function that returns it before each try. @default none */
  readonly authorization?: string | (() => string | Promise<string>);
  /** Tries of one call. @default 4 */
  readonly attempts?: number;
  /** @default the global fetch */
  readonly fetch?: typeof fetch;
  /** Waits before the next try. @default by setTimeout */
  readonly pause?: (millis: number) => Promise<unknown>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Names the call for the service, which carries it out once. @default a random one, the same for all tries */
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One operation with its input. */
export interface Call {
  readonly method: string;
  /** The path with its parameters filled in. */
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** True if the body is sent as a form. @default false */
  readonly isForm?: boolean;
  /** True if the operation takes an Idempotency-Key. @default false */
  readonly takesKey?: boolean;
  /** False if a repetition of a GET has another effect. @default true */
  readonly isRepeatable?: boolean;
}

export interface Answer<Data> {
  readonly status: number;
  readonly headers: Headers;
  readonly data: Data;
}

interface Refusal<Code> {
  readonly status: number;
  readonly code: Code | undefined;
  readonly body: unknown;
  readonly headers: Headers;
}

/** The service refused a call. Decide by `code`; the message is for people. */
export class ApiError<Code extends string = string> extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** Undefined for an error of the gateway, and where the interface has no codes. */
  readonly code: Code | undefined;
  readonly body: unknown;
  readonly headers: Headers;

  constructor(message: string, { status, code, body, headers }: Refusal<Code>) {
    super(message);
    this.status = status;
    this.code = code;
    this.body = body;
    this.headers = headers;
  }
}

const ATTEMPTS = 4;
const FIRST_WAIT_MILLIS = 500;
const LONGEST_WAIT_MILLIS = 60_000;

/** The `user:password` of HTTP Basic as a header value. */
export const basic = (user: string, password = ''): string =>
  `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${user}:${password}`)))}`;

export class ApiClient<Code extends string = string> {
  private readonly options: ClientOptions;

  constructor(options: ClientOptions) {
    this.options = { ...options, url: options.url.replace(/\/+$/, '') };
  }

  /** Throws an ApiError for a refusal, and what `fetch` threw if no try reached the service. */
  async call<Data>(call: Call, options: CallOptions = {}): Promise<Answer<Data>> {
    const { attempts = ATTEMPTS, pause = sleep } = this.options;
    const key = call.takesKey ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.attempt<Data>(call, { options, key });
      if (outcome.answer) return outcome.answer;
      const isLast = attempt >= attempts || options.signal?.aborted;
      if (isLast || !isSafe(call, outcome.error)) throw outcome.error;
      await pause(waitMillis(attempt, outcome.error));
    }
  }

  /** All items of a list, page by page: by `nextCursor`, or by the header Link. */
  async *items<Item>(call: Call, options: CallOptions = {}): AsyncGenerator<Item, void, undefined> {
    for (let page: Call | undefined = call; page; ) {
      const { data, headers }: Answer<unknown> = await this.call(page, options);
      yield* itemsIn(data) as readonly Item[];
      page = nextPage(page, data, headers.get('link'));
    }
  }

  private async attempt<Data>(
    call: Call,
    { options, key }: { readonly options: CallOptions; readonly key: string | undefined },
  ): Promise<{ readonly answer: Answer<Data> } | { readonly answer?: undefined; readonly error: unknown }> {
    const { url, authorization, fetch: send = fetch } = this.options;
    const headers = new Headers({ accept: 'application/json, */*', ...options.headers });
    for (const [name, value] of Object.entries(call.headers ?? {})) if (value !== undefined) headers.set(name, value);
    const credential = typeof authorization === 'function' ? await authorization() : authorization;
    if (credential !== undefined) headers.set('authorization', credential);
    if (key !== undefined) headers.set('idempotency-key', key);
    const body = bodyText(call);
    if (body !== undefined)
      headers.set('content-type', call.isForm ? 'application/x-www-form-urlencoded' : 'application/json');
    try {
      const response = await send(`${url}${call.path}${queryText(call.query)}`, {
        method: call.method,
        headers,
        // A redirect names what was made; following it would hide its address.
        redirect: 'manual',
        ...(body !== undefined && { body }),
        ...(options.signal && { signal: options.signal }),
      });
      const { status } = response;
      const data = contentOf(await response.text());
      const code = codeOf(data) as Code | undefined;
      if (status < 400 && !isError(data)) return { answer: { status, headers: response.headers, data: data as Data } };
      const refusal = { status, code, body: data, headers: response.headers };
      return { error: new ApiError<Code>(messageOf(data, status), refusal) };
    } catch (error) {
      return { error };
    }
  }
}

const sleep = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis));

/** Statuses after which a call is tried again when Retry-After says so. */
const AWAITED = new Set([409, 429]);
const REPEATABLE = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

/**
 * Returns whether the call may be tried again. A limited call (429 with Retry-After) was not carried out, and one whose
 * key is in use (409 with Retry-After) gets the answer of the first try. Otherwise it may have been carried out: then only
 * a call with a key or of a repeatable method is tried again.
 */
function isSafe({ method, takesKey = false, isRepeatable = true }: Call, error: unknown): boolean {
  if (error instanceof ApiError && AWAITED.has(error.status)) return error.headers.has('retry-after');
  if (error instanceof ApiError && error.status !== 503) return false;
  return takesKey || (REPEATABLE.has(method) && isRepeatable);
}

/** The wait that the service asks for; otherwise it doubles, spread so that clients do not return together. */
function waitMillis(attempt: number, error: unknown): number {
  const after = error instanceof ApiError ? retryAfterMillis(error.headers.get('retry-after')) : 0;
  const backoff = FIRST_WAIT_MILLIS * 2 ** (attempt - 1) * (1 + Math.random());
  return Math.min(LONGEST_WAIT_MILLIS, Math.max(backoff, after));
}

/** In seconds; the form as a date is rare and read as none. */
const retryAfterMillis = (text: string | null): number => Number(text) * 1000 || 0;

const bodyText = ({ body, isForm = false }: Call): string | undefined =>
  isForm ? queryText(body as Readonly<Record<string, unknown>>).slice(1) : JSON.stringify(body);

/** Parameters as text; a list repeats its name, and what is undefined is left out. */
function queryText(query: Readonly<Record<string, unknown>> = {}): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one) => (one === undefined ? [] : [[name, String(one)]])),
  );
  return parameters.length > 0 ? `?${new URLSearchParams(parameters)}` : '';
}

function contentOf(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

type Members = Readonly<Record<string, unknown>>;
const membersOf = (data: unknown): Members => (typeof data === 'object' && data !== null ? (data as Members) : {});

/** True of an error that has the status 200, as those of the loyalty API. */
const isError = (data: unknown) => membersOf(data)['status'] === 'error' && 'errors' in membersOf(data);

function codeOf(data: unknown): string | undefined {
  const { code, errors } = membersOf(data);
  const own = typeof code === 'string' ? code : membersOf(errors)['code'];
  return typeof own === 'string' ? own : undefined;
}

function messageOf(data: unknown, status: number): string {
  const { detail, message, error, error_description: oauth, errors, requestId } = membersOf(data);
  const text = [detail, oauth, membersOf(errors)['message'], message, error].find((one) => typeof one === 'string');
  if (text === undefined) return `The service answered ${status}.`;
  return typeof requestId === 'string' ? `${text} (request ${requestId})` : text;
}

function itemsIn(data: unknown): readonly unknown[] {
  const list = Array.isArray(data) ? data : membersOf(data)['items'];
  if (!Array.isArray(list)) throw new TypeError('The answer is no page of a list.');
  return list;
}

/** The call for the next page. It goes to the same service, so only the path of a link counts. */
function nextPage(call: Call, data: unknown, link: string | null): Call | undefined {
  const { nextCursor } = membersOf(data);
  if (nextCursor !== undefined) return { ...call, query: { ...call.query, cursor: nextCursor } };
  const [, path] = /<(\/[^/>][^>]*)>\s*;\s*rel="?next"?/.exec(link ?? '') ?? [];
  if (path === undefined) return undefined;
  const { query: _, ...rest } = call;
  return { ...rest, path };
}
