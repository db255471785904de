import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type * as z from 'zod/mini';
import { Refusal } from '#shared/errors';
import { invocation } from '#shared/invocation';
import { countFault } from '#shared/telemetry/faults';
import { addLogFields, log, tenantIn } from '#shared/telemetry/log';
import {
  endingRecord,
  isChange,
  plainValues,
  type RecordEnd,
  type RequestedChange,
  sentFields,
} from './change-record.ts';
import { compressed, tagged } from './compressed.ts';
import { parsed } from './invalid-input.ts';
import { type MoreFaults, withAllFaults } from './more-faults.ts';
import type { AnswerOf, Operation, Operations, Parsed } from './operation.ts';
import type { Page } from './page.ts';
import { linked } from './page-link.ts';
import { publicDomain, refuseDetour, restoreViewer } from './public-domain.ts';
import { queryOf } from './query.ts';
import { BODY_BYTES_MAX, refuseLargeBody, textOf } from './request-body.ts';

export type HttpEvent = APIGatewayProxyEventV2;
export type HttpResult = APIGatewayProxyStructuredResultV2;

/** A result with the type of its body, which holds it as text. `content` exists in the type alone. */
export type Answered<Status extends number, Content> = Omit<HttpResult, 'statusCode'> & {
  readonly statusCode: Status;
  readonly content?: Content;
};

/** A public interface: how it identifies callers, and the shape of its errors. */
export interface Surface<Caller> {
  readonly identify: (event: HttpEvent, now: number) => Caller | Promise<Caller>;
  readonly present: (refusal: Refusal, requestId: string) => HttpResult;
  /** Returns the tenant for whom the caller acts, which every log line of the call names. @default the caller's member `tenant` */
  readonly tenantOf?: (caller: Caller, event: HttpEvent) => string;
  /**
   * Headers of every answer, read when the answer is ready.
   * @param identified absent if the caller was not identified
   * @default none
   */
  readonly headersFor?: (event: HttpEvent, identified?: Identified<Caller>) => Promise<Headers> | Headers;
  /** Records a change before it is made. @default changes are not recorded */
  readonly record?: (change: RequestedChange<Caller>) => Promise<RecordEnd>;
  /** Answers a POST, or repeats the answer that its first try got. @default every try is answered for itself */
  readonly once?: (request: RepeatableRequest<Caller>, answer: () => Promise<HttpResult>) => Promise<HttpResult>;
}

/** A POST that may be the second try of one that got no answer. */
export interface RepeatableRequest<Caller> {
  readonly event: HttpEvent;
  readonly caller: Caller;
  readonly now: number;
}

export interface Identified<Caller> {
  readonly caller: Caller;
  readonly now: number;
}

type Headers = Readonly<Record<string, string>>;

/** The input of a route, each part parsed once. A part without a schema is ignored. */
interface Input<Caller, Path, Query, Body> extends Reading<Caller, Path> {
  readonly path?: z.core.$ZodType<Path>;
  readonly query?: z.core.$ZodType<Query>;
  readonly body?: z.core.$ZodType<Body>;
}

/** The options for reading the body of a request. */
interface Reading<Caller, Path> {
  /** Parses the text of the body. @default JSON.parse */
  readonly parseBody?: (text: string) => unknown;
  /** Faults that the schema of the body cannot find. @default none */
  readonly more?: MoreFaults<Caller, Path>;
}

interface Call<Caller, Path, Query, Body> {
  readonly caller: Caller;
  readonly method: string;
  readonly path: Path;
  readonly query: Query;
  readonly body: Body;
  readonly now: number;
}

type Answer<Caller, Path, Query, Body> = (call: Call<Caller, Path, Query, Body>) => Promise<HttpResult> | HttpResult;

/**
 * A Lambda handler for one route: identifies the caller, parses the input, answers, and turns a `Refusal` into the
 * interface's own error.
 */
export function httpHandler<Caller, Path = undefined, Query = undefined, Body = undefined>(
  surface: Surface<Caller>,
  input: Input<Caller, Path, Query, Body>,
  answer: Answer<Caller, Path, Query, Body>,
) {
  const answerTo = async (event: HttpEvent, { caller, now }: Identified<Caller>) => {
    const { method } = event.requestContext.http;
    const path = inputOf(input.path, event.pathParameters ?? {}) as Path;
    const query = inputOf(input.query, input.query && queryOf(event.rawQueryString)) as Query;
    const rawBody = input.body && jsonOf(event, input.parseBody);
    return withAllFaults({ more: input.more, rawBody: rawBody, call: { caller, path, now } }, async () => {
      const call = { caller, method, path, query, body: inputOf(input.body, rawBody) as Body, now };
      const { record, once } = surface;
      if (!record || !isChange(method)) return answer(call);
      const recorded = async () => {
        const fields = sentFields(rawBody, call.body);
        const end = await record({ event, caller, fields, values: plainValues(rawBody, fields), now });
        return endingRecord(end, async () => answer(call));
      };
      return once && method === 'POST' ? once({ event, caller, now }, recorded) : recorded();
    });
  };
  const handler = callerHandler(surface, answerTo);
  return Object.assign(handler, { recordsChanges: surface.record !== undefined });
}

/** A Lambda handler that identifies the caller, and reads the rest of the request itself. */
export function callerHandler<Caller>(
  surface: Surface<Caller>,
  answer: (event: HttpEvent, identified: Identified<Caller>, context: Context) => Promise<HttpResult>,
  options?: Omit<LoggedOptions, 'headersOf'>,
): HttpHandler {
  const callers = new WeakMap<HttpEvent, Identified<Caller>>();
  const answerTo = async (event: HttpEvent, context: Context) => {
    const now = Date.now();
    const identified = { caller: await surface.identify(event, now), now };
    callers.set(event, identified);
    const { caller } = identified;
    addLogFields(tenantIn(surface.tenantOf ? { tenant: surface.tenantOf(caller, event) } : caller));
    const answered = await answer(event, identified, context);
    return event.requestContext.http.method === 'GET' ? tagged(event, linked(event, answered)) : answered;
  };
  const headersOf = (event: HttpEvent) => surface.headersFor?.(event, callers.get(event));
  return loggedHandler(surface.present, answerTo, { ...options, headersOf });
}

/**
 * Default headers of every answer. Answers belong to one caller, so no proxy may cache them. Browsers ignore the last
 * header over plain HTTP (RFC 6797, section 8.1).
 */
const EVERY_ANSWER = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000',
};

interface LoggedOptions {
  /**
   * Logs failed calls only. The access log is enough for the others: a line for each would cost as much as the
   * function.
   * @default false
   */
  readonly isHot?: boolean;
  /** The largest body. A larger one is refused before anything is read, looked up or decoded. @default 1 MiB */
  readonly bodyBytesMax?: number;
  /** Further headers of the answer; the answer's own headers win. @default none */
  readonly headersOf?: (event: HttpEvent) => Promise<Headers> | Headers | undefined;
}

/**
 * A Lambda handler whose answers are not bound to an interface. It writes one log line per call, without path and
 * query, because both may hold secrets. An exception becomes the interface's own error, and an answer of 500 or more
 * counts as a fault, because Lambda does not count it as an error.
 */
export function loggedHandler(
  present: Surface<unknown>['present'],
  answer: (event: HttpEvent, context: Context) => Promise<HttpResult>,
  { isHot = false, bodyBytesMax = BODY_BYTES_MAX, headersOf }: LoggedOptions = {},
) {
  const answering = middy<HttpEvent, HttpResult>()
    .use(requestLog(isHot))
    .use(refusals(present))
    .use(throughDomain())
    .handler((event, context) => {
      refuseLargeBody(event, bodyBytesMax);
      return answer(event, context);
    });
  return invocation(async (event: HttpEvent, context): Promise<HttpResult> => {
    addLogFields({ requestId: event.requestContext.requestId });
    const result = await answering(event, context);
    if ((result.statusCode ?? 200) >= 500) countFault();
    const headers = { ...EVERY_ANSWER, ...(await headersOf?.(event)), ...result.headers };
    return compressed(event, { ...result, headers });
  });
}

export type HttpHandler = ReturnType<typeof loggedHandler> & { readonly recordsChanges?: boolean };
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ANY';
type RouteKey = `${Method} /${string}`;

/**
 * The function of a resource, with all its routes and their handlers. The template takes the routes from the literal
 * keys of this table in the source.
 */
export function httpRoutes<const Route extends RouteKey>(table: Readonly<Record<Route, HttpHandler>>) {
  const handlers = new Map<string, HttpHandler>(Object.entries(table));
  const handler = async (event: HttpEvent, context: Context): Promise<HttpResult> => {
    if (event.routeKey.startsWith('HEAD ')) return withoutBody(await handler(asGet(event), context));
    const answer = handlers.get(event.routeKey);
    if (!answer) throw new Error(`This function has no route ${event.routeKey}.`);
    return answer(event, context);
  };
  const routes = Object.keys(table) as Route[];
  return Object.assign(handler, { routes, recorded: routes.filter((key) => table[key].recordsChanges) });
}

/** The implementation of one operation: a function, or one with how its body is read and checked. */
type Implementation<Caller, One extends Operation> =
  | Answering<Caller, One>
  | (Reading<Caller, Parsed<One, 'path'>> & { readonly answer: Answering<Caller, One> });

type Answering<Caller, One extends Operation> = (
  call: Call<Caller, Parsed<One, 'path'>, Parsed<One, 'query'>, Parsed<One, 'body'>>,
) => Promise<AnswerOf<One>> | AnswerOf<One>;

/** The function of a resource that answers the operations of one interface. */
export function apiRoutes<Caller, const Table extends Operations>(
  surface: Surface<Caller>,
  table: Table,
  implementations: { readonly [Id in keyof Table]: Implementation<Caller, Table[Id]> },
) {
  const handlers = Object.entries(table).map(([id, operation]) => {
    const given = implementations[id] as Implementation<Caller, Operation>;
    const { answer, ...reading } = typeof given === 'function' ? { answer: given } : given;
    const input = { ...operation, ...reading } as Input<Caller, unknown, unknown, unknown>;
    return [id, httpHandler(surface, input, answer as Answer<Caller, unknown, unknown, unknown>)];
  });
  return describedRoutes(table, Object.fromEntries(handlers) as { readonly [Id in keyof Table]: HttpHandler });
}

/** The function of a resource whose handlers read their requests themselves. */
export const describedRoutes = <const Table extends Operations>(
  table: Table,
  handlers: { readonly [Id in keyof Table]: HttpHandler },
) =>
  httpRoutes(
    Object.fromEntries(Object.entries(table).map(([id, { route }]) => [route, handlers[id] as HttpHandler])) as Record<
      Table[keyof Table]['route'],
      HttpHandler
    >,
  );

/** The template routes HEAD wherever it routes GET: the answer is the same without its body (RFC 9110, section 9.3.2). */
function asGet(event: HttpEvent): HttpEvent {
  const { requestContext } = event;
  const http = { ...requestContext.http, method: 'GET' };
  return { ...event, routeKey: event.routeKey.replace('HEAD', 'GET'), requestContext: { ...requestContext, http } };
}

function withoutBody({ body: _, ...head }: HttpResult): HttpResult {
  return { ...head, isBase64Encoded: false };
}

export function json<const Status extends number, Content>(
  status: Status,
  content: Content,
  headers: Record<string, string> = {},
): Answered<Status, Content> {
  return {
    statusCode: status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(content),
  };
}

export const ok = <Content>(content: Content, headers?: Record<string, string>): Answered<200, Content> =>
  json(200, content, headers);

/** A page of a list, each item as the interface shows it. */
export const okPage = <Item, Content>(
  { items, ...rest }: Page<Item>,
  present: (item: Item) => Content,
): Answered<200, Page<Content>> => ok({ items: items.map(present), ...rest });

/** A 201 with the location of the new resource. */
export const created = <Content>(content: Content, location: string): Answered<201, Content> =>
  json(201, content, { location });

export const noContent = (headers: Record<string, string> = {}): Answered<204, undefined> => ({
  statusCode: 204,
  headers,
});

function requestLog(isHot: boolean): middy.MiddlewareObj<HttpEvent, HttpResult> {
  const started = new WeakMap<object, number>();
  return {
    before: ({ event }) => void started.set(event, performance.now()),
    after: ({ event, response }) => {
      const facts = {
        route: event.routeKey,
        status: response?.statusCode,
        durationMs: Math.round(performance.now() - (started.get(event) ?? 0)),
      };
      if (isHot && (response?.statusCode ?? 200) < 500) log.debug('request', facts);
      else log.info('request', facts);
    },
  };
}

/** Serves only what came through the domain of the stage, if it has one, as the viewer sent it. */
function throughDomain(): middy.MiddlewareObj<HttpEvent, HttpResult> {
  const domain = publicDomain();
  return {
    before: ({ event }) => {
      if (!domain) return;
      refuseDetour(event, domain);
      restoreViewer(event, domain);
      addLogFields({ address: event.requestContext.http.sourceIp });
    },
  };
}

function refusals(present: Surface<unknown>['present']): middy.MiddlewareObj<HttpEvent, HttpResult> {
  return {
    onError: (request) => {
      const { requestId } = request.event.requestContext;
      const refusal = request.error instanceof Refusal ? request.error : ourFault(request.error);
      const facts = { route: request.event.routeKey, status: refusal.status, code: refusal.code };
      if (refusal.status >= 500) log.error('request failed', { error: refusal.cause ?? refusal, ...facts });
      else log.info('request refused', facts);
      const presented = present(refusal, requestId);
      request.response = { ...presented, headers: { ...presented.headers, ...refusal.headers } };
    },
  };
}

function ourFault(cause: unknown): Refusal {
  return new Refusal(500, 'internal-error', 'An unexpected error occurred.', { cause });
}

const inputOf = <T>(schema: z.core.$ZodType<T> | undefined, value: unknown): T | undefined =>
  schema && parsed(schema, value);

function jsonOf(event: HttpEvent, parse: (text: string) => unknown = JSON.parse): unknown {
  const text = textOf(event);
  try {
    return parse(text ?? '');
  } catch {
    throw new Refusal(400, 'invalid-json', 'The body is not valid JSON.');
  }
}
