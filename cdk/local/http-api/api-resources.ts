/** HTTP APIs of API Gateway. */
import { join } from 'node:path';
import { z } from 'zod';
import { physicalName, shortId } from '../assembly/physical-names.ts';
import type { CloudContext } from '../cloud-context.ts';
import { ignored, numeric } from '../cloudformation/property.ts';
import {
  type DeclaredResource,
  type Provisioned,
  propertiesOf,
  type ResourceFamily,
} from '../cloudformation/resource-family.ts';
import { ApiMetrics } from '../cloudwatch/api-metrics.ts';
import type { FunctionLogs } from '../lambda/function-log.ts';
import { LogFile } from '../log-file.ts';
import { AuthorizerProperties, authorizerOf, functionArnOf } from './authorizer-properties.ts';
import { Gateway, type Route, type Stage } from './gateway.ts';
import type { HttpServer } from './http-server.ts';
import type { LambdaAuthorizer } from './lambda-authorizer.ts';

const ApiProperties = z.strictObject({
  Name: ignored,
  Description: ignored,
  ProtocolType: z.literal('HTTP', { error: 'the local cloud runs HTTP APIs' }),
  DisableExecuteApiEndpoint: ignored,
  IpAddressType: ignored,
  Tags: ignored,
});

const Throttle = z.strictObject({
  ThrottlingRateLimit: numeric.optional(),
  ThrottlingBurstLimit: numeric.optional(),
  DetailedMetricsEnabled: ignored,
});

const StageProperties = z.strictObject({
  ApiId: z.string(),
  StageName: z.literal('$default', {
    error: 'the local cloud serves the stage $default, which has no prefix in its paths',
  }),
  AutoDeploy: ignored,
  Description: ignored,
  AccessLogSettings: z.strictObject({ DestinationArn: z.string(), Format: z.string().optional() }).optional(),
  DefaultRouteSettings: Throttle.optional(),
  RouteSettings: z.record(z.string(), Throttle).default({}),
  DeploymentId: ignored,
  Tags: ignored,
});

const RouteProperties = z.strictObject({
  ApiId: z.string(),
  RouteKey: z.string(),
  Target: z.string(),
  AuthorizationType: z
    .enum(['NONE', 'CUSTOM'], { error: 'the local cloud has routes that are open or have a Lambda authoriser' })
    .default('NONE'),
  AuthorizerId: z.string().optional(),
  OperationName: ignored,
});

const IntegrationProperties = z.strictObject({
  ApiId: z.string(),
  IntegrationType: z.literal('AWS_PROXY'),
  IntegrationUri: z.string(),
  PayloadFormatVersion: z.literal('2.0'),
  TimeoutInMillis: numeric.default(30_000),
  Description: ignored,
  IntegrationMethod: ignored,
});

interface Api {
  readonly apiId: string;
  stage?: DeclaredStage;
  readonly routes: z.output<typeof RouteProperties>[];
  readonly integrations: Map<string, z.output<typeof IntegrationProperties>>;
  readonly authorizers: Map<string, LambdaAuthorizer>;
}

export function httpApiResources(cloud: CloudContext, server: HttpServer, logs: FunctionLogs): ResourceFamily {
  const { region } = cloud;
  let only: Api | undefined;
  const apiOf = (apiId: string): Api => {
    if (only?.apiId !== apiId) throw new Error(`There is no API ${apiId}.`);
    return only;
  };

  const api = (resource: DeclaredResource): Provisioned => {
    if (only) throw new Error('The local cloud serves one HTTP API, and this is the second.');
    propertiesOf(resource, ApiProperties);
    const apiId = apiIdOf(resource);
    only = { apiId, routes: [], integrations: new Map(), authorizers: new Map() };
    return { ref: apiId, attributes: { ApiId: apiId, ApiEndpoint: executeApiUrl(apiId, region) } };
  };

  const stage = (resource: DeclaredResource): Provisioned => {
    const properties = propertiesOf(resource, StageProperties);
    apiOf(properties.ApiId).stage = stageOf(properties);
    return { ref: properties.StageName, attributes: {} };
  };

  const integration = (resource: DeclaredResource): Provisioned => {
    const properties = propertiesOf(resource, IntegrationProperties);
    const id = shortId(resource.path, 7);
    apiOf(properties.ApiId).integrations.set(id, properties);
    return { ref: id, attributes: { IntegrationId: id } };
  };

  const authorizer = (resource: DeclaredResource): Provisioned => {
    const properties = propertiesOf(resource, AuthorizerProperties);
    const id = shortId(resource.path, 6);
    apiOf(properties.ApiId).authorizers.set(id, authorizerOf(id, properties));
    return { ref: id, attributes: { AuthorizerId: id } };
  };

  const route = (resource: DeclaredResource): Provisioned => {
    const properties = propertiesOf(resource, RouteProperties);
    apiOf(properties.ApiId).routes.push(properties);
    return { ref: physicalName('other', resource), attributes: { RouteId: shortId(resource.path, 7) } };
  };

  return {
    types: {
      'AWS::ApiGatewayV2::Api': api,
      'AWS::ApiGatewayV2::Stage': stage,
      'AWS::ApiGatewayV2::Integration': integration,
      'AWS::ApiGatewayV2::Authorizer': authorizer,
      'AWS::ApiGatewayV2::Route': route,
    },
    start() {
      if (only?.stage) server.use(gatewayOf(only, only.stage, { cloud, logs }));
    },
  };
}

function gatewayOf(
  api: Api,
  stage: DeclaredStage,
  { cloud, logs }: { cloud: CloudContext; logs: FunctionLogs },
): Gateway {
  const { region, accountId, functions, permissions, dataDir, metrics, clock } = cloud;
  const { apiId } = api;
  return new Gateway({
    apiId,
    region,
    accountId,
    routes: api.routes.map((declared) => routeOf(declared, api)),
    stage,
    functions,
    permissions,
    logAccess: accessLog(dataDir, (line) => logs.receive(stage.accessLogGroup, line)),
    metrics: new ApiMetrics(metrics, { apiId, stage: stage.name }),
    nowMillis: clock.millis,
  });
}

/** The id that the API of a place always has. */
function apiIdOf({ stack, logicalId }: DeclaredResource): string {
  return shortId(`api:${stack}/${logicalId}`, 10);
}

/** Returns the address at which AWS would serve the API. A local run replaces this text by the local address. */
function executeApiUrl(apiId: string, region: string): string {
  return `https://${apiId}.execute-api.${region}.amazonaws.com`;
}

type DeclaredStage = Stage & { readonly accessLogGroup: string };

function stageOf(declared: z.output<typeof StageProperties>): DeclaredStage {
  const throttles = Object.entries(declared.RouteSettings).map(([key, settings]) => [key, throttleOf(settings)]);
  return {
    name: declared.StageName,
    accessLogFormat: declared.AccessLogSettings?.Format,
    // The name in its ARN, `arn:aws:logs:REGION:ACCOUNT:log-group:NAME:*`.
    accessLogGroup: declared.AccessLogSettings?.DestinationArn.split(':')[6] ?? '',
    throttle: throttleOf(declared.DefaultRouteSettings),
    routeThrottles: Object.fromEntries(throttles.filter(([, throttle]) => throttle !== undefined)),
  };
}

function throttleOf({ ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst }: z.output<typeof Throttle> = {}) {
  return rate === undefined ? undefined : { ratePerSecond: rate, burst: burst ?? rate };
}

function routeOf(declared: z.output<typeof RouteProperties>, { integrations, authorizers }: Api): Route {
  const { RouteKey, Target, AuthorizationType, AuthorizerId = '' } = declared;
  const authorizer = authorizers.get(AuthorizerId);
  if (AuthorizationType === 'CUSTOM' && !authorizer) {
    throw new Error(`The route ${RouteKey} has no authoriser ${AuthorizerId}.`);
  }
  const integration = integrations.get(Target.replace('integrations/', ''));
  if (!integration) throw new Error(`The route ${RouteKey} has no integration ${Target}.`);
  return {
    key: RouteKey,
    functionArn: functionArnOf(integration.IntegrationUri),
    timeoutMillis: integration.TimeoutInMillis,
    authorizer: AuthorizationType === 'CUSTOM' ? authorizer : undefined,
  };
}

function accessLog(dataDir: string | null, receive: (line: string) => void): (line: string) => void {
  const file = dataDir === null ? undefined : new LogFile(join(dataDir, 'logs', 'access.log'));
  return (line) => {
    file?.append(`${line}\n`);
    receive(line);
  };
}
