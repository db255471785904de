import { Duration, Stack, Validations } from 'aws-cdk-lib';
import {
  AuthorizerPayloadVersion,
  HttpApi,
  HttpAuthorizer,
  HttpAuthorizerType,
  HttpMethod,
  HttpNoneAuthorizer,
  HttpRoute,
  HttpRouteKey,
  type IHttpApi,
  type IHttpRouteAuthorizer,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { RoutedHandlerName } from '../handlers.ts';
import { settingsOf, stageOf } from '../settings.ts';
import { DomainInFront } from './domain-in-front.ts';
import { routesOf, withHead } from './functions/handler-routes.ts';
import { ServiceFunction, type ServiceFunctionProps } from './functions/service-function.ts';
import { serviceLogs } from './service-logs.ts';

export interface PublicApiProps {
  /** Identifies the callers of management routes. */
  readonly managers: ServiceFunction<'edge/authorize-managers'>;
}

/** The HTTP API. Its stage is in a separate stack (`stacks/gateway-stack.ts`). Public routes check their own credentials; an authoriser identifies the callers of management routes. */
export class PublicApi extends Construct {
  /** The address for callers. */
  readonly url: string;
  /** The address of the gateway itself, which callers use only where the stage has no domain. */
  readonly originUrl: string;
  readonly apiId: string;
  readonly authorizerId: string;
  readonly api: IHttpApi;
  /** Outlives the stage. */
  readonly accessLogs: ILogGroup;
  private readonly domain: DomainInFront | undefined;

  constructor(scope: Construct, id: string, { managers }: PublicApiProps) {
    super(scope, id);
    this.api = new HttpApi(this, 'Api', { createDefaultStage: false });
    this.apiId = this.api.apiId;
    this.authorizerId = this.authorizeWith(managers);
    this.accessLogs = accessLogs(this);
    const host = `${this.apiId}.execute-api.${Stack.of(this).region}.amazonaws.com`;
    this.originUrl = `https://${host}`;
    const { publicDomain } = settingsOf(this);
    this.domain = publicDomain && new DomainInFront(this, 'Domain', { ...publicDomain, originHost: host });
    this.url = publicDomain ? `https://${publicDomain.name}` : this.originUrl;
  }

  /**
   * Makes the function of a handler and serves all its routes. The routes are made in the function's stack:
   * `api.addRoutes` would put them into the stack of the API, which would then depend on every domain.
   */
  serve<Name extends RoutedHandlerName>(
    scope: Construct,
    handler: Name,
    props: ServiceFunctionProps<Name>,
  ): ServiceFunction<Name> {
    const served = new ServiceFunction(scope, handler, props);
    this.domain?.isCheckedBy(served);
    const integration = new HttpLambdaIntegration('Integration', served.entry);
    for (const { method, path } of routesOf(handler).flatMap(withHead)) {
      const isManagement = path.startsWith('/manage/') && !path.endsWith('/openapi.json');
      const route = new HttpRoute(served, `${method}${path.replaceAll(/[^A-Za-z0-9]+/g, '-')}`, {
        httpApi: this.api,
        routeKey: HttpRouteKey.with(path, HttpMethod[method]),
        integration,
        authorizer: isManagement ? this.managers() : new HttpNoneAuthorizer(),
      });
      if (isManagement) continue;
      Validations.of(route).acknowledge({
        id: 'AwsSolutions::AwsSolutions-APIG4',
        reason:
          'The handler checks the credential itself; an authoriser would double the invocations. Documents are public.',
      });
    }
    return served;
  }

  /**
   * The authoriser is asked about every call: a gateway that caches its answers would answer a call without the header
   * itself, in a shape of its own, and would accept a revoked key for as long as it caches.
   */
  private authorizeWith(managers: ServiceFunction): string {
    const { region, partition } = Stack.of(this);
    const { authorizerId } = new HttpAuthorizer(this, 'Managers', {
      httpApi: this.api,
      type: HttpAuthorizerType.LAMBDA,
      identitySource: [],
      authorizerName: 'Managers',
      authorizerUri: `arn:${partition}:apigateway:${region}:lambda:path/2015-03-31/functions/${managers.functionArn}/invocations`,
      payloadFormatVersion: AuthorizerPayloadVersion.VERSION_2_0,
      enableSimpleResponses: true,
      resultsCacheTtl: Duration.seconds(0),
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

function accessLogs(scope: Construct): LogGroup {
  // Under another prefix every such group adds to one policy of the region, which is limited to 5,120 characters.
  return serviceLogs(scope, 'AccessLogs', `/aws/vendedlogs/five-services-${stageOf(scope)}/api-access`);
}
