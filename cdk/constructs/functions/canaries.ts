import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IAlarm, MathExpression, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import {
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
  TrafficRouting,
} from 'aws-cdk-lib/aws-codedeploy';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type Alias, CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { settingsOf } from '../../settings.ts';
import { ERROR_SHARE } from '../alarms/alarms.ts';
import { ServiceFunction } from './service-function.ts';

interface Shifted {
  readonly called: ServiceFunction;
  readonly live: Alias;
  /** Goes off if the new version fails. */
  readonly errors: Alarm;
}

/**
 * Moves the calls of hot functions to a new version in two steps. CodeDeploy moves them back, and the deployment of the
 * stack fails, if calls of the new version fail or if the domain has faults, which Lambda does not count as errors.
 */
export function addCanaries(stack: Stack, faults: IAlarm): void {
  const { canary } = settingsOf(stack);
  const shifted = stack.node
    .findAll()
    .filter((one) => one instanceof ServiceFunction)
    .flatMap((called): Shifted[] => {
      const { live } = called;
      return live ? [{ called, live, errors: errorsAlarm(called, live) }] : [];
    });
  if (!canary || shifted.length === 0) return;
  const application = new LambdaApplication(stack, 'Canaries');
  const deploymentConfig = new LambdaDeploymentConfig(stack, 'Canary', {
    trafficRouting: TrafficRouting.timeBasedCanary({
      percentage: canary.percent,
      interval: Duration.minutes(canary.minutes),
    }),
  });
  const role = shiftingRole(stack, shifted, faults);
  for (const { called, live, errors } of shifted) {
    new LambdaDeploymentGroup(called, 'Shift', {
      application,
      alias: live,
      deploymentConfig,
      // The construct would add AWS's policy, which allows to change the aliases of all functions.
      role: role.withoutPolicyUpdates(),
      alarms: [errors, faults],
    }).node.addDependency(role);
  }
}

/**
 * The calls of the new version that failed, if they are more than one of a thousand: a busy function fails now and then. The
 * metrics begin with the version, so that nothing of the old one stops a deployment.
 */
function errorsAlarm(called: ServiceFunction, live: Alias): Alarm {
  const ofVersion = {
    period: Duration.minutes(1),
    statistic: 'Sum',
    dimensionsMap: {
      FunctionName: called.functionName,
      Resource: `${called.functionName}:${live.aliasName}`,
      ExecutedVersion: live.version.version,
    },
  };
  return new Alarm(called, 'NewVersionErrors', {
    alarmDescription: `The new version of ${called.handlerName} fails: its deployment is rolled back.`,
    metric: new MathExpression({
      expression: `IF(errors > ${ERROR_SHARE} * calls, errors, 0)`,
      usingMetrics: { errors: called.metric('Errors', ofVersion), calls: called.metric('Invocations', ofVersion) },
      period: Duration.minutes(1),
    }),
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    threshold: 0,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
}

/** Lets CodeDeploy move these aliases, and look at these alarms. */
function shiftingRole(stack: Stack, shifted: readonly Shifted[], faults: IAlarm): Role {
  const role = new Role(stack, 'CanariesRole', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
  role.addToPolicy(
    new PolicyStatement({
      actions: ['lambda:GetAlias', 'lambda:GetProvisionedConcurrencyConfig', 'lambda:UpdateAlias'],
      // Aliases and versions have the ARN of their function with a name at its end.
      resources: shifted.flatMap(({ called }) => [called.functionArn, `${called.functionArn}:*`]),
    }),
  );
  role.addToPolicy(
    new PolicyStatement({
      actions: ['cloudwatch:DescribeAlarms'],
      resources: [faults, ...shifted.map(({ errors }) => errors)].map(({ alarmArn }) => alarmArn),
    }),
  );
  for (const { called } of shifted) {
    Validations.of(role).acknowledge({
      id: `AwsSolutions::AwsSolutions-IAM5[Resource::<${Stack.of(called).getLogicalId(cfnOf(called))}.Arn>:*]`,
      reason: 'The numbers of versions are not known before.',
    });
  }
  return role;
}

function cfnOf({ node }: ServiceFunction): CfnFunction {
  if (node.defaultChild instanceof CfnFunction) return node.defaultChild;
  throw new Error(`${node.path} has no CloudFormation resource.`);
}
