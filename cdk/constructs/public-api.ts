import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
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
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { RoutedHandlerName } from '../handlers.ts';
import { settingsOf, stageOf } from '../settings.ts';
import { routesOf } from './handler-routes.ts';
import type { ServiceFunction } from './service-function.ts';

export interface PublicApiProps {
  /** The issuer of the management routes' tokens, and the client that they must name. */
  readonly managers: { readonly issuer: string; readonly audience: string };
}

/** The one HTTP API. Public routes check their own credentials; management routes have theirs checked by the gateway. */
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
    this.authorizerId = new HttpAuthorizer(this, 'Managers', {
      httpApi: this.api,
      type: HttpAuthorizerType.JWT,
      identitySource: ['$request.header.Authorization'],
      authorizerName: 'Managers',
      jwtAudience: [managers.audience],
      jwtIssuer: managers.issuer,
    }).authorizerId;
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
    for (const { method, path } of routesOf(served.handlerName)) {
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

  private managers(): IHttpRouteAuthorizer {
    return { bind: () => ({ authorizationType: 'JWT', authorizerId: this.authorizerId }) };
  }
}

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
