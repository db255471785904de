/** One HTTP API: from a request to its answer, through routes, throttle, authoriser, permission and function. */
import type { ApiMetrics } from '../cloudwatch/api-metrics.ts';
import type { Permissions } from '../iam/permissions.ts';
import { reasonOf } from '../lambda/async-invocations.ts';
import type { FunctionDefinition } from '../lambda/function-definition.ts';
import type { Functions } from '../lambda/functions.ts';
import { AccessControl } from './access.ts';
import { accessLogLine } from './access-log.ts';
import { type Answer, answerOf, gatewayAnswer } from './answer.ts';
import { contextVariables } from './context-variables.ts';
import type { LambdaAuthorizer } from './lambda-authorizer.ts';
import {
  type CallerFacts,
  type EventContext,
  type ReceivedRequest,
  requestEvent,
  splitTarget,
} from './request-event.ts';
import { type RouteMatch, RouteTable } from './routes.ts';
import { TokenBucket } from './token-bucket.ts';
import { withinTime } from './within-time.ts';

export interface Route {
  readonly key: string;
  readonly functionArn: string;
  readonly timeoutMillis: number;
  /** @default everybody may take the route */
  readonly authorizer?: LambdaAuthorizer | undefined;
}

interface Throttle {
  readonly ratePerSecond: number;
  readonly burst: number;
}

export interface Stage {
  readonly name: string;
  readonly accessLogFormat?: string | undefined;
  /** The throttle of all routes together that have none of their own. */
  readonly throttle?: Throttle | undefined;
  /** The throttles of single routes, by the key of the route. */
  readonly routeThrottles: Readonly<Record<string, Throttle>>;
}

export interface GatewayOptions {
  readonly apiId: string;
  readonly region: string;
  readonly accountId: string;
  readonly routes: readonly Route[];
  readonly stage: Stage;
  readonly functions: Functions;
  readonly permissions: Permissions;
  readonly logAccess: (line: string) => void;
  readonly metrics: ApiMetrics;
  /** The time by which throttles are filled. */
  readonly nowMillis: () => number;
}

/** Facts about one request, gathered for its log line. */
type Facts = Record<string, string | number | undefined>;

export class Gateway {
  private readonly options: GatewayOptions;
  private readonly routes = new RouteTable<Route>();
  private readonly bucket: TokenBucket | undefined;
  private readonly routeBuckets: ReadonlyMap<string, TokenBucket>;
  private readonly access: AccessControl;

  constructor(options: GatewayOptions) {
    this.options = options;
    this.access = new AccessControl(options);
    for (const route of options.routes) this.routes.add(route.key, route);
    const { throttle, routeThrottles } = options.stage;
    const bucketOf = (one: Throttle) => new TokenBucket({ ...one, nowMillis: options.nowMillis() });
    this.bucket = throttle && bucketOf(throttle);
    this.routeBuckets = new Map(Object.entries(routeThrottles).map(([key, one]) => [key, bucketOf(one)]));
    const unknown = Object.keys(routeThrottles).find((key) => !options.routes.some((route) => route.key === key));
    if (unknown !== undefined)
      throw new Error(`Unable to find Route by key ${unknown} within the provided RouteSettings`);
  }

  async answer(request: ReceivedRequest): Promise<Answer> {
    const started = this.options.nowMillis();
    const facts: Facts = {};
    const answer = await this.route(request, facts);
    const millis = this.options.nowMillis() - started;
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
    const bucket = this.routeBuckets.get(match.route.key) ?? this.bucket;
    if (bucket && !bucket.take(this.options.nowMillis())) return gatewayAnswer(429, 'Too Many Requests');
    const event = this.eventContext(match);
    const access = await this.access.of({ request, event }, match.route.authorizer);
    Object.assign(facts, access.facts);
    if (access.kind === 'refused') return access.answer;
    return this.invoke(request, match.route, { event, caller: access.caller, facts });
  }

  private eventContext({ route, pathParameters }: RouteMatch<Route>): EventContext {
    const { region, accountId, apiId, stage } = this.options;
    return {
      region,
      accountId,
      apiId,
      stage: stage.name,
      routeKey: route.key,
      pathParameters,
    };
  }

  private async invoke(
    request: ReceivedRequest,
    route: Route,
    { event: context, caller, facts }: { event: EventContext; caller: CallerFacts | undefined; facts: Facts },
  ): Promise<Answer> {
    const { functions } = this.options;
    const definition = functions.byArn(route.functionArn);
    if (!definition || !this.mayInvoke(definition, route)) {
      return failed(facts, 'API Gateway is not allowed to invoke the function.', internalError());
    }
    const event = requestEvent(request, context, caller);
    const invocation = await withinTime(functions.invoke(definition.arn, JSON.stringify(event)), route.timeoutMillis);
    if (invocation.kind === 'too-late') return failed(facts, 'Endpoint request timed out', unavailable());
    if (invocation.kind === 'result') {
      return (
        answerOf(invocation.payload) ?? failed(facts, 'The result is none that an HTTP API takes.', internalError())
      );
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
    const variables = contextVariables(request, { accountId, apiId, stage: stage.name });
    const context = { ...variables, status, responseLength: body.length, ...facts };
    logAccess(accessLogLine(stage.accessLogFormat, context));
  }
}

const internalError = () => gatewayAnswer(500, 'Internal Server Error');
const unavailable = () => gatewayAnswer(503, 'Service Unavailable');

/** The answers to callers when a function gave no result. */
const ANSWERS = {
  error: internalError,
  'too-large': () => gatewayAnswer(413, 'Request Entity Too Large'),
  throttled: unavailable,
};

function failed(facts: Facts, reason: string, answer: Answer): Answer {
  facts['integrationErrorMessage'] = reason;
  return answer;
}
