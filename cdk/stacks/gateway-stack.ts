import { Stack, type StackProps } from 'aws-cdk-lib';
import { CfnRoute, CfnStage, HttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Construct } from 'constructs';
import { throttleOf } from '../constructs/route-throttles.ts';
import { settingsOf } from '../settings.ts';
import type { EdgeStack } from './edge-stack.ts';

export interface GatewayStackProps extends StackProps {
  readonly edge: EdgeStack;
  /** The stacks that have routes, besides the edge. */
  readonly domains: readonly Stack[];
}

/**
 * The stage of the HTTP API. API Gateway refuses a stage with settings of a route that does not exist, so this stack comes
 * after all that have routes.
 */
export class GatewayStack extends Stack {
  constructor(scope: Construct, id: string, { edge, domains, ...props }: GatewayStackProps) {
    super(scope, id, props);
    const settings = settingsOf(this);
    for (const domain of domains) this.addStackDependency(domain);
    const { api, accessLogs } = edge.api;
    // The default stage has no path prefix: `Location: /v3/…` must work as it is.
    const stage = new HttpStage(this, 'Stage', {
      httpApi: api,
      autoDeploy: true,
      throttle: { rateLimit: settings.apiRatePerSecond, burstLimit: settings.apiBurst },
    });
    const { defaultChild } = stage.node;
    if (!(defaultChild instanceof CfnStage)) throw new Error('The stage has no CloudFormation resource.');
    defaultChild.accessLogSettings = { destinationArn: accessLogs.logGroupArn, format: ACCESS_LOG_FORMAT };
    defaultChild.routeSettings = Object.fromEntries(
      routeKeysIn([edge, ...domains]).flatMap((key) => {
        const throttle = throttleOf(key, settings);
        if (!throttle) return [];
        return [[key, { ThrottlingRateLimit: throttle.ratePerSecond, ThrottlingBurstLimit: throttle.burst }]];
      }),
    );
  }
}

const routeKeysIn = (stacks: readonly Stack[]): string[] =>
  stacks
    .flatMap(({ node }) => node.findAll())
    .filter((one) => one instanceof CfnRoute)
    .map(({ routeKey }) => routeKey)
    .sort();

/** Route keys, not paths: `/v3/users/{token}` must not leave a token in a log. */
const ACCESS_LOG_FORMAT = JSON.stringify({
  time: '$context.requestTime',
  requestId: '$context.requestId',
  route: '$context.routeKey',
  status: '$context.status',
  latencyMs: '$context.responseLatency',
  integrationError: '$context.integrationErrorMessage',
  authorizerError: '$context.authorizer.error',
  sourceIp: '$context.identity.sourceIp',
  responseBytes: '$context.responseLength',
});
