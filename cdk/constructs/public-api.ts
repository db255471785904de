import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  CfnStage,
  HttpApi,
  HttpMethod,
  HttpNoneAuthorizer,
  HttpStage,
  type IHttpRouteAuthorizer,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { settingsOf } from '../settings.ts';

export interface PublicApiProps {
  /** Who signs the tokens of the management routes, and for which client. */
  readonly managers: { readonly issuer: string; readonly audience: string };
}

type Method = keyof typeof HttpMethod;

/** The one HTTP API. Public routes check their own credentials; management routes have theirs checked by the gateway. */
export class PublicApi extends Construct {
  readonly url: string;
  private readonly api: HttpApi;
  private readonly managers: IHttpRouteAuthorizer;

  constructor(scope: Construct, id: string, { managers }: PublicApiProps) {
    super(scope, id);
    const { logRetention, apiRatePerSecond, apiBurst } = settingsOf(scope);
    this.api = new HttpApi(this, 'Api', { createDefaultStage: false });
    this.managers = new HttpJwtAuthorizer('Managers', managers.issuer, { jwtAudience: [managers.audience] });
    const logs = new LogGroup(this, 'AccessLogs', {
      retention: logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // The default stage has no path prefix: `Location: /v3/…` must work as it is.
    const stage = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      autoDeploy: true,
      throttle: { rateLimit: apiRatePerSecond, burstLimit: apiBurst },
    });
    logAccess(stage, logs);
    this.url = `https://${this.api.apiId}.execute-api.${Stack.of(this).region}.amazonaws.com`;
  }

  /** A route whose handler checks who calls. `ANY` stands for every method. */
  route(method: Method, path: string, to: LambdaFunction): void {
    for (const route of this.add(method, path, to, new HttpNoneAuthorizer())) {
      Validations.of(route).acknowledge({
        id: 'AwsSolutions::AwsSolutions-APIG4',
        reason: 'The handler checks the credential itself; an authoriser would double the invocations.',
      });
    }
  }

  /** A route below `/manage/v1` that needs a token of the user pool. */
  managementRoute(method: Method, path: string, to: LambdaFunction): void {
    this.add(method, path, to, this.managers);
  }

  private add(method: Method, path: string, to: LambdaFunction, authorizer: IHttpRouteAuthorizer) {
    return this.api.addRoutes({
      path,
      methods: [HttpMethod[method]],
      integration: new HttpLambdaIntegration(`${to.node.id}Integration`, to),
      authorizer,
    });
  }
}

/** Route keys, not paths: `/v3/users/{token}` must not leave a token in a log. */
function logAccess(stage: HttpStage, logs: LogGroup) {
  const { defaultChild } = stage.node;
  if (!(defaultChild instanceof CfnStage)) throw new Error('The stage has no CloudFormation resource.');
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
