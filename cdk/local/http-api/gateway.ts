/** One HTTP API: from a request to its answer, through routes, throttle, authoriser, permission and function. */
import type { ApiMetrics } from '../cloudwatch/api-metrics.ts';
import { reasonOf } from '../functions/async-invocations.ts';
import type { FunctionDefinition } from '../functions/function-definition.ts';
import type { Functions } from '../functions/functions.ts';
import type { Permissions } from '../resources/permissions.ts';
import { accessLogLine } from './access-log.ts';
import { type Answer, answerOf, gatewayAnswer } from './answer.ts';
import { type CorsConfiguration, isPreflight, preflightAnswer, withCors } from './cors.ts';
import { type Authorization, authorize, type JwtAuthorizer, type TokenIssuers } from './jwt-authorizer.ts';
import { headersOf, type ReceivedRequest, requestEvent, requestTime, splitTarget } from './request-event.ts';
import { type RouteMatch, RouteTable } from './routes.ts';
import { TokenBucket } from './token-bucket.ts';

export interface Route {
  readonly key: string;
  readonly functionArn: string;
  readonly timeoutMillis: number;
  readonly authorizer?: JwtAuthorizer | undefined;
  readonly scopes: readonly string[];
}

export interface Stage {
  readonly name: string;
  readonly variables?: Readonly<Record<string, string>> | undefined;
  readonly accessLogFormat?: string | undefined;
  readonly throttle?: { readonly ratePerSecond: number; readonly burst: number } | undefined;
}

export interface GatewayOptions {
  readonly apiId: string;
  readonly region: string;
  readonly accountId: string;
  readonly routes: readonly Route[];
  readonly stage: Stage;
  readonly cors?: CorsConfiguration | undefined;
  readonly functions: Functions;
  readonly permissions: Permissions;
  readonly issuers: TokenIssuers;
  readonly logAccess: (line: string) => void;
  readonly metrics: ApiMetrics;
}

/** Facts about one request, gathered for its log line. */
type Facts = Record<string, string | number | undefined>;

export class Gateway {
  private readonly options: GatewayOptions;
  private readonly routes = new RouteTable<Route>();
  private readonly bucket: TokenBucket | undefined;

  constructor(options: GatewayOptions) {
    this.options = options;
    for (const route of options.routes) this.routes.add(route.key, route);
    const { throttle } = options.stage;
    this.bucket = throttle && new TokenBucket({ ...throttle, nowMillis: performance.now() });
  }

  async answer(request: ReceivedRequest): Promise<Answer> {
    const { cors } = this.options;
    const started = performance.now();
    const facts: Facts = {};
    const headers = headersOf(request);
    const preflight = cors && isPreflight(request.method, headers) ? preflightAnswer(cors, headers) : undefined;
    const given = preflight ?? (await this.route(request, facts));
    const answer = cors && !preflight ? withCors(given, cors, headers) : given;
    const millis = performance.now() - started;
    this.options.metrics.answered(answer.status, millis);
    this.log(request, answer, { ...facts, responseLatency: Math.round(millis) });
    return { ...answer, headers: [...answer.headers, ['apigw-requestid', request.requestId]] };
  }

  /** A request that was refused before it was one. */
  refuse(request: ReceivedRequest, answer: Answer): Answer {
    this.options.metrics.answered(answer.status, 0);
    this.log(request, answer, {});
    return answer;
  }

  private async route(request: ReceivedRequest, facts: Facts): Promise<Answer> {
    const match = this.routes.find(request.method, splitTarget(request.target).path);
    if (!match) return gatewayAnswer(404, 'Not Found');
    facts['routeKey'] = match.route.key;
    if (this.bucket && !this.bucket.take(performance.now())) return gatewayAnswer(429, 'Too Many Requests');
    const authorization = await this.authorization(request, match.route);
    if (authorization && authorization.kind !== 'allowed') {
      facts['authorizer.error'] = authorization.reason;
      const [status, message] =
        authorization.kind === 'forbidden' ? ([403, 'Forbidden'] as const) : ([401, 'Unauthorized'] as const);
      return gatewayAnswer(status, message, { 'www-authenticate': authorization.challenge });
    }
    return this.invoke(request, match, { authorization, facts });
  }

  private async authorization(
    request: ReceivedRequest,
    { authorizer, scopes }: Route,
  ): Promise<Authorization | undefined> {
    if (!authorizer) return undefined;
    return authorize(request, { authorizer, scopes, issuers: this.options.issuers });
  }

  private async invoke(
    request: ReceivedRequest,
    { route, pathParameters }: RouteMatch<Route>,
    { authorization, facts }: { authorization: Extract<Authorization, { kind: 'allowed' }> | undefined; facts: Facts },
  ): Promise<Answer> {
    const { functions, accountId, apiId, stage } = this.options;
    const definition = functions.byArn(route.functionArn);
    if (!definition || !this.mayInvoke(definition, route)) {
      return failed(facts, 'API Gateway is not allowed to invoke the function.', broken());
    }
    const event = requestEvent(request, {
      accountId,
      apiId,
      stage: stage.name,
      stageVariables: stage.variables,
      routeKey: route.key,
      pathParameters,
      jwt: authorization && { claims: authorization.claims, scopes: authorization.scopes },
    });
    const invocation = await withinTime(functions.invoke(definition.arn, JSON.stringify(event)), route.timeoutMillis);
    if (invocation.kind === 'too-late') return failed(facts, 'Endpoint request timed out', unavailable());
    if (invocation.kind === 'result') {
      return answerOf(invocation.payload) ?? failed(facts, 'The result is none that an HTTP API takes.', broken());
    }
    return failed(facts, reasonOf(invocation), ANSWERS[invocation.kind]());
  }

  private mayInvoke(definition: FunctionDefinition, { key }: Route): boolean {
    const { region, accountId, apiId, stage, permissions } = this.options;
    const [method, path] = key === '$default' ? ['$default', '/$default'] : key.split(' ');
    const sourceArn = `arn:aws:execute-api:${region}:${accountId}:${apiId}/${stage.name}/${method}${path}`;
    return permissions.mayInvoke('apigateway.amazonaws.com', definition.arn, sourceArn);
  }

  private log(request: ReceivedRequest, { status, body }: Answer, facts: Facts) {
    const { stage, logAccess, apiId, accountId } = this.options;
    if (stage.accessLogFormat === undefined) return;
    const context = {
      accountId,
      apiId,
      stage: stage.name,
      httpMethod: request.method,
      path: splitTarget(request.target).path,
      protocol: 'HTTP/1.1',
      requestId: request.requestId,
      extendedRequestId: request.requestId,
      requestTime: requestTime(request.time),
      requestTimeEpoch: request.time.getTime(),
      'identity.sourceIp': request.sourceIp,
      'identity.userAgent': headersOf(request)['user-agent'],
      status,
      responseLength: body.length,
      ...facts,
    };
    logAccess(accessLogLine(stage.accessLogFormat, context));
  }
}

const broken = () => gatewayAnswer(500, 'Internal Server Error');
const unavailable = () => gatewayAnswer(503, 'Service Unavailable');

/** What callers see of a function that gave no result. */
const ANSWERS = {
  error: broken,
  'too-large': () => gatewayAnswer(413, 'Request Entity Too Large'),
  throttled: unavailable,
};

function failed(facts: Facts, reason: string, answer: Answer): Answer {
  facts['integrationErrorMessage'] = reason;
  return answer;
}

async function withinTime<T>(work: Promise<T>, millis: number): Promise<T | { kind: 'too-late' }> {
  const { promise: tooLate, resolve } = Promise.withResolvers<{ kind: 'too-late' }>();
  const timer = setTimeout(() => resolve({ kind: 'too-late' }), millis);
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
