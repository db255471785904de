import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Effect, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  type FunctionProps,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { scopeVariables } from '#shared/metric-scope';
import { settingsOf } from '../settings.ts';
import { alarm } from './alarms.ts';
import type { Binding, Bindings } from './bindings.ts';
import { handlerCode } from './bundle.ts';
import { metricScopeOf } from './service-metric.ts';

export interface ServiceFunctionProps<Env> {
  /** `downloads/search-data` stands for `functions/downloads/search-data.handler.ts`. */
  readonly handlerOf: string;
  readonly bindings: Bindings<Env>;
  /** Who is hurt when it fails, as a full sentence; it stands in the alarms. */
  readonly ifItFails: string;
  /** More memory is also more processor: 1,769 MiB is one. @default 512 */
  readonly memoryMiB?: number;
  /** @default 15 */
  readonly timeoutSeconds?: number;
  /** Most instances at the same time, kept free for it. @default what the account has left */
  readonly concurrency?: number;
  /**
   * Its queue gets messages from itself. Lambda would take that for an endless loop and stop it after some sixteen rounds;
   * whoever says this sees to the end himself. @default false
   */
  readonly sendsToItself?: boolean;
}

/** A Lambda function of the house: Node 24 on ARM, JSON logs that expire, traced, alarmed, allowed what its bindings say. */
export class ServiceFunction<Env> extends LambdaFunction {
  /** The domain of its handler: what its log lines and metrics name. */
  readonly service: string;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps<Env>) {
    const { handlerOf, bindings, ifItFails, memoryMiB = 512, timeoutSeconds = 15, concurrency, sendsToItself } = props;
    const { logRetention, logLevel } = settingsOf(scope);
    const [service = ''] = handlerOf.split('/');
    const logs = new LogGroup(scope, `${id}Logs`, {
      retention: logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const bound = Object.entries<Binding>(bindings);
    super(scope, id, {
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: handlerCode(handlerOf),
      handler: 'index.handler',
      description: handlerOf,
      role: roleWritingTo(scope, id, logs),
      environment: {
        ...scopeVariables(metricScopeOf(scope, service)),
        POWERTOOLS_LOG_LEVEL: logLevel,
        NODE_OPTIONS: '--enable-source-maps',
        ...Object.fromEntries(bound.map(([name, { value }]) => [name, value])),
      },
      memorySize: memoryMiB,
      timeout: Duration.seconds(timeoutSeconds),
      ...(concurrency !== undefined && { reservedConcurrentExecutions: concurrency }),
      ...(sendsToItself && { recursiveLoop: RecursiveLoop.ALLOW }),
      logGroup: logs,
      loggingFormat: LoggingFormat.JSON,
      // Lambda itself drops lines below this level, and the logger prefers it to its own variable.
      applicationLogLevelV2: ApplicationLogLevel[logLevel],
      tracing: Tracing.ACTIVE,
    } satisfies FunctionProps);
    this.service = service;
    for (const [, { grantTo }] of bound) grantTo?.(this);
    Validations.of(this.role ?? this).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray takes traces from any function and has no resources to name.',
    });

    const period = Duration.minutes(5);
    this.alarmOn('Errors', this.metricErrors({ period }), ifItFails);
    this.alarmOn('Throttles', this.metricThrottles({ period }), ifItFails);
  }

  private alarmOn(what: string, metric: Metric, ifItFails: string) {
    alarm(this, `${what}Alarm`, { metric, meaning: `${this.node.id}: ${what.toLowerCase()}. ${ifItFails}` });
  }
}

/** A role of its own, allowed to write its own log group; AWS's managed policy would allow every log group. */
function roleWritingTo(scope: Construct, id: string, logs: LogGroup): Role {
  const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  role.addToPolicy(
    new PolicyStatement({
      effect: Effect.ALLOW,
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [logs.logGroupArn],
    }),
  );
  return role;
}
