/** The event that a function gets for a request: payload format 2.0, as API Gateway builds it. */
import { decoded } from './routes.ts';

export interface ReceivedRequest {
  readonly method: string;
  /** The path with its query, as it came. */
  readonly target: string;
  /** Name, value, name, value, as they came. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly sourceIp: string;
  readonly requestId: string;
  readonly time: Date;
}

/** The context that the authoriser of the route gave. */
export interface CallerFacts {
  readonly lambda: Readonly<Record<string, unknown>> | null;
}

export interface EventContext {
  readonly region: string;
  readonly accountId: string;
  readonly apiId: string;
  readonly stage: string;
  readonly routeKey: string;
  readonly pathParameters: Readonly<Record<string, string>>;
}

const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'te', 'upgrade', 'proxy-connection']);

/** Other bodies arrive in base64, forms included. Checked against the real service by others. */
const TEXT_TYPES = /^(text\/[^;]*|application\/(json|xml|javascript))\s*(;|$)/i;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export function requestEvent(request: ReceivedRequest, context: EventContext, caller?: CallerFacts): object {
  return { ...headOf(request, context, caller), ...bodyOf(request, headersOf(request)) };
}

/** The event that the function of a Lambda authoriser gets: no body, but what identifies the caller. */
export function authorizerEvent(
  request: ReceivedRequest,
  context: EventContext,
  asked: { readonly routeArn: string; readonly identitySource: readonly string[] },
): object {
  return { ...headOf(request, context), type: 'REQUEST', ...asked };
}

function headOf(request: ReceivedRequest, context: EventContext, caller?: CallerFacts): object {
  const { path, query } = splitTarget(request.target);
  const headers = headersOf(request);
  const { cookie, ...otherHeaders } = headers;
  const { accountId, apiId, stage, routeKey, pathParameters } = context;
  const rawPath = decoded(path);
  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString: query,
    ...(cookie !== undefined && { cookies: cookiesOf(request) }),
    headers: otherHeaders,
    ...(query !== '' && { queryStringParameters: queryParameters(query) }),
    requestContext: {
      accountId,
      apiId,
      ...(caller && { authorizer: caller }),
      domainName: headers['host'] ?? '',
      domainPrefix: (headers['host'] ?? '').split('.')[0],
      http: {
        method: request.method,
        path: rawPath,
        protocol: 'HTTP/1.1',
        sourceIp: request.sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: request.requestId,
      routeKey,
      stage,
      time: requestTime(request.time),
      timeEpoch: request.time.getTime(),
    },
    ...(Object.keys(pathParameters).length > 0 && { pathParameters }),
  };
}

export function splitTarget(target: string): { path: string; query: string } {
  const at = target.indexOf('?');
  return at < 0 ? { path: target, query: '' } : { path: target.slice(0, at), query: target.slice(at + 1) };
}

/** Names in lower case, values of repeated ones joined by commas, and what API Gateway adds. */
export function headersOf({ rawHeaders, body, sourceIp, requestId, time }: ReceivedRequest): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of pairs(rawHeaders)) {
    if (HOP_BY_HOP.has(name)) continue;
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]},${value}` : value;
  }
  const forwarded = headers['x-forwarded-for'];
  return {
    ...headers,
    'content-length': String(body.length),
    'x-amzn-trace-id':
      headers['x-amzn-trace-id'] ??
      `Root=1-${Math.floor(time.getTime() / 1000).toString(16)}-${requestId.replaceAll('-', '').slice(0, 24)}`,
    'x-forwarded-for': forwarded === undefined ? sourceIp : `${forwarded}, ${sourceIp}`,
    'x-forwarded-port': headers['host']?.split(':')[1] ?? '80',
    'x-forwarded-proto': 'http',
  };
}

function* pairs(rawHeaders: readonly string[]): Generator<readonly [string, string]> {
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    yield [rawHeaders[i]?.toLowerCase() ?? '', rawHeaders[i + 1] ?? ''];
}

function cookiesOf({ rawHeaders }: ReceivedRequest): string[] {
  return [...pairs(rawHeaders)]
    .filter(([name]) => name === 'cookie')
    .flatMap(([, value]) => value.split(/;\s*/))
    .filter((cookie) => cookie !== '');
}

function queryParameters(query: string): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    parameters[name] = Object.hasOwn(parameters, name) ? `${parameters[name]},${value}` : value;
  }
  return parameters;
}

function bodyOf(
  { body }: ReceivedRequest,
  { 'content-type': contentType = '', 'content-encoding': encoding }: Record<string, string>,
): { body?: string; isBase64Encoded: boolean } {
  if (body.length === 0) return { isBase64Encoded: false };
  if (encoding === undefined && TEXT_TYPES.test(contentType))
    return { body: body.toString('utf8'), isBase64Encoded: false };
  return { body: body.toString('base64'), isBase64Encoded: true };
}

/** `12/Mar/2020:19:03:58 +0000` */
export function requestTime(time: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const date = `${two(time.getUTCDate())}/${MONTHS[time.getUTCMonth()]}/${time.getUTCFullYear()}`;
  return `${date}:${two(time.getUTCHours())}:${two(time.getUTCMinutes())}:${two(time.getUTCSeconds())} +0000`;
}
