import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  AuthorizerPayloadVersion,
  CfnStage,
  HttpApi,
  HttpAuthorizer,
  HttpAuthorizerType,
  HttpMethod,
  HttpNoneAuthorizer,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  type IHttpRouteAuthorizer,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { RoutedHandlerName } from '../handlers.ts';
import { settingsOf, stageOf } from '../settings.ts';
import { type HandlerRoute, routesOf } from './functions/handler-routes.ts';
import type { ServiceFunction } from './functions/service-function.ts';

export interface PublicApiProps {
  /** Identifies the callers of management routes. */
  readonly managers: ServiceFunction<'edge/authorize-managers'>;
}

/** The one HTTP API. Public routes check their own credentials; an authoriser identifies the callers of management routes. */
export class PublicApi extends Construct {
  readonly url: string;
  readonly apiId: string;
  readonly authorizerId: string;
  private readonly api: HttpApi;

  constructor(scope: Construct, id: string, { managers }: PublicApiProps) {
    super(scope, id);
    const { apiRatePerSecond, apiBurst } = settingsOf(scope);
    this.api = new HttpApi(this, 'Api', { createDefaultStage: false });
    this.apiId = this.api.apiId;
    this.authorizerId = this.authorizeWith(managers);
    // The default stage has no path prefix: `Location: /v3/…` must work as it is.
    const stage = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      autoDeploy: true,
      throttle: { rateLimit: apiRatePerSecond, burstLimit: apiBurst },
    });
    logAccess(stage);
    this.url = `https://${this.apiId}.execute-api.${Stack.of(this).region}.amazonaws.com`;
  }

  /**
   * Serves all routes of a function's handler. The routes are made in the function's stack: `api.addRoutes` would put
   * them into the stack of the API, which would then depend on every domain.
   */
  serve(served: ServiceFunction<RoutedHandlerName>): void {
    const integration = new HttpLambdaIntegration('Integration', served);
    for (const { method, path } of withHeads(routesOf(served.handlerName))) {
      const isManagement = path.startsWith('/manage/');
      const route = new HttpRoute(served, `${method}${path.replaceAll(/[^A-Za-z0-9]+/g, '-')}`, {
        httpApi: this.api,
        routeKey: HttpRouteKey.with(path, HttpMethod[method]),
        integration,
        authorizer: isManagement ? this.managers() : new HttpNoneAuthorizer(),
      });
      if (isManagement) continue;
      Validations.of(route).acknowledge({
        id: 'AwsSolutions::AwsSolutions-APIG4',
        reason: 'The handler checks the credential itself; an authoriser would double the invocations.',
      });
    }
  }

  /**
   * The gateway repeats an answer of the authoriser for the same header, on all routes, for a minute: for so long a
   * revoked key is accepted. It answers a call without the header itself.
   */
  private authorizeWith(managers: ServiceFunction): string {
    const { region, partition } = Stack.of(this);
    const { authorizerId } = new HttpAuthorizer(this, 'Managers', {
      httpApi: this.api,
      type: HttpAuthorizerType.LAMBDA,
      identitySource: ['$request.header.Authorization'],
      authorizerName: 'Managers',
      authorizerUri: `arn:${partition}:apigateway:${region}:lambda:path/2015-03-31/functions/${managers.functionArn}/invocations`,
      payloadFormatVersion: AuthorizerPayloadVersion.VERSION_2_0,
      enableSimpleResponses: true,
      resultsCacheTtl: Duration.seconds(60),
    });
    managers.addPermission('Authorizer', {
      principal: new ServicePrincipal('apigateway.amazonaws.com'),
      sourceArn: Stack.of(this).formatArn({
        service: 'execute-api',
        resource: this.apiId,
        resourceName: `authorizers/${authorizerId}`,
      }),
    });
    return authorizerId;
  }

  private managers(): IHttpRouteAuthorizer {
    return { bind: () => ({ authorizationType: 'CUSTOM', authorizerId: this.authorizerId }) };
  }
}

/** HEAD is answered by the function that answers GET. */
const withHeads = (routes: readonly HandlerRoute[]) =>
  routes.flatMap((route) =>
    route.method === 'GET' ? [route, { method: 'HEAD' as const, path: route.path }] : [route],
  );

/** Route keys, not paths: `/v3/users/{token}` must not leave a token in a log. */
function logAccess(stage: HttpStage) {
  const { defaultChild } = stage.node;
  if (!(defaultChild instanceof CfnStage)) throw new Error('The stage has no CloudFormation resource.');
  const logs = new LogGroup(stage, 'AccessLogs', {
    // Under another prefix every such group adds to one policy of the region, which is limited to 5,120 characters.
    logGroupName: `/aws/vendedlogs/five-services-${stageOf(stage)}/api-access`,
    retention: settingsOf(stage).logRetention,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  defaultChild.accessLogSettings = {
    destinationArn: logs.logGroupArn,
    format: JSON.stringify({
      time: '$context.requestTime',
      requestId: '$context.requestId',
      route: '$context.routeKey',
      status: '$context.status',
      latencyMs: '$context.responseLatency',
      integrationError: '$context.integrationErrorMessage',
      authorizerError: '$context.authorizer.error',
      sourceIp: '$context.identity.sourceIp',
      responseBytes: '$context.responseLength',
    }),
  };
}
