import { Duration, Validations } from 'aws-cdk-lib';
import { Effect, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  ApplicationLogLevel,
  Architecture,
  type FunctionProps,
  type IFunction,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { scopeVariables } from '#shared/telemetry/metric-scope';
import type { EnvironmentOf, HandlerName } from '../../handlers.ts';
import { settingsOf } from '../../settings.ts';
import { metricScopeOf } from '../alarms/service-metric.ts';
import type { FixedEgress } from '../fixed-egress.ts';
import { serviceLogs } from '../service-logs.ts';
import type { Binding, Bindings } from './bindings.ts';
import { handlerCode } from './handler-code.ts';
import { hasRoutes } from './handler-routes.ts';

export interface ServiceFunctionProps<Name extends HandlerName> {
  /** @default the last part of the handler's name: `rules/rules` is `Rules`, `import-records` is `ImportRecords` */
  readonly id?: string;
  readonly bindings: Bindings<EnvironmentOf<Name>>;
  /** The people affected if the function fails, as a full sentence; it is part of the function's description. */
  readonly ifItFails: string;
  /** More memory is also more processor: 1,769 MiB is one. @default 512 */
  readonly memoryMiB?: number;
  /** @default 15 */
  readonly timeoutSeconds?: number;
  /**
   * The function sends messages to its own queue. Lambda takes that for an endless loop and stops it after some sixteen
   * rounds, unless this allows it: the worker must then guarantee that it terminates. @default false
   */
  readonly sendsToItself?: boolean;
  /**
   * A schedule calls it every minute: X-Ray would record each of these calls, and charge more for it than Lambda does.
   * @default false
   */
  readonly isCalledEveryMinute?: boolean;
  /**
   * Called so often that what Lambda and X-Ray record of each call would cost nearly as much as the table does: calls
   * are not traced, and Lambda logs only those that fail. @default false
   */
  readonly isHot?: boolean;
  /**
   * A worker that is called so often that now and then a call fails though nothing is wrong: an alarm looks at the share of
   * failed calls. @default false: the alarm goes off at each
   */
  readonly isBusy?: boolean;
  /** The addresses from which it calls the outside. @default any of AWS */
  readonly egress?: FixedEgress | undefined;
  /** True if a new version gets only a share of the calls at first, in a stage with a canary. @default for hot and busy functions */
  readonly hasCanary?: boolean;
}

/**
 * A Lambda function as all domains use it: Node 24 on ARM, JSON logs that expire, tracing, the permissions of its
 * bindings.
 */
export class ServiceFunction<Name extends HandlerName = HandlerName> extends LambdaFunction {
  readonly handlerName: Name;
  /** The domain of its handler, named in its log lines and metrics. */
  readonly service: string;
  /** It answers no HTTP requests: queues, streams and schedules call it, so no caller notices when it fails. */
  readonly isWorker: boolean;
  readonly isBusy: boolean;
  /** The alias that moves calls to a new version, where there is one. */
  readonly live: Alias | undefined;

  constructor(scope: Construct, handler: Name, props: ServiceFunctionProps<Name>) {
    const { id = idOf(handler), bindings, ifItFails, memoryMiB = 512, timeoutSeconds = 15, sendsToItself } = props;
    const { isHot = false, isBusy = false } = props;
    const { hasCanary = isHot || isBusy, egress } = props;
    const { logLevel, reservedConcurrency, canary } = settingsOf(scope);
    const reserved = reservedConcurrency[handler];
    const [service = ''] = handler.split('/');
    const logs = serviceLogs(scope, `${id}Logs`);
    const bound = Object.entries<Binding>(bindings);
    super(scope, id, {
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      ...handlerCode(scope, handler),
      description: `${handler}. If it fails: ${ifItFails}`,
      role: roleWritingTo(scope, id, logs),
      environment: {
        ...scopeVariables(metricScopeOf(scope, service)),
        POWERTOOLS_LOG_LEVEL: logLevel,
        ...Object.fromEntries(bound.map(([name, { value }]) => [name, value])),
      },
      ...egress?.placement,
      memorySize: memoryMiB,
      timeout: Duration.seconds(timeoutSeconds),
      ...(reserved !== undefined && { reservedConcurrentExecutions: reserved }),
      ...(sendsToItself && { recursiveLoop: RecursiveLoop.ALLOW }),
      logGroup: logs,
      loggingFormat: LoggingFormat.JSON,
      // Lambda itself drops lines below this level, and the logger prefers it to its own variable.
      applicationLogLevelV2: ApplicationLogLevel[logLevel],
      ...recordOf(props),
    } satisfies FunctionProps);
    this.handlerName = handler;
    this.isWorker = !hasRoutes(handler);
    this.service = service;
    this.isBusy = isBusy;
    for (const [, { grantTo }] of bound) grantTo?.(this);
    egress?.admits(this);
    this.live =
      canary && hasCanary ? new Alias(this, 'Live', { aliasName: 'live', version: this.currentVersion }) : undefined;
    Validations.of(this.role ?? this).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
      reason:
        'X-Ray takes traces from any function, and network interfaces are made for any: there is nothing to name.',
    });
  }

  /** The function or alias that routes, queues and streams call. */
  get entry(): IFunction {
    return this.live ?? this;
  }
}

/** Returns the properties that say what Lambda and X-Ray record of each call. */
const recordOf = ({
  isHot,
  isCalledEveryMinute,
}: Pick<ServiceFunctionProps<HandlerName>, 'isHot' | 'isCalledEveryMinute'>) => ({
  ...(isHot && { systemLogLevelV2: SystemLogLevel.WARN }),
  tracing: isCalledEveryMinute || isHot ? Tracing.DISABLED : Tracing.ACTIVE,
});

/** `records/import/import-records` is `ImportRecords`. */
function idOf(handler: HandlerName): string {
  const name = handler.slice(handler.lastIndexOf('/') + 1);
  return name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
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
