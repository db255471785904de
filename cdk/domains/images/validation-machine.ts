import { Stack, Validations } from 'aws-cdk-lib';
import { Grant, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import {
  DefinitionBody,
  LogLevel,
  type LogOptions,
  StateMachine,
  StateMachineType,
} from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { workerErrors } from '../../constructs/alarms/alarms.ts';
import { grantDataKey, KEY_ACTIONS } from '../../constructs/data-key.ts';
import { serviceLogs } from '../../constructs/service-logs.ts';
import { stageOf } from '../../settings.ts';
import { type ValidationFunctions, validationDefinition } from './validation-definition.ts';

interface ValidationMachineProps {
  readonly functions: { readonly [Name in keyof ValidationFunctions]: IFunction };
  readonly reviewDays: number;
  /** The queue holds the images that wait to be examined. */
  readonly images: IQueue;
}

/**
 * The machine that decides records, one execution each. Its definition is written out: the tasks of the CDK would allow
 * it to call every version of the functions.
 */
export class ValidationMachine extends Construct {
  readonly machine: StateMachine;

  constructor(scope: Construct, id: string, { functions, reviewDays, images }: ValidationMachineProps) {
    super(scope, id);
    const { prepare, decide, review, apply } = functions;
    const arns = {
      prepare: prepare.functionArn,
      decide: decide.functionArn,
      review: review.functionArn,
      apply: apply.functionArn,
    };
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('states.amazonaws.com') });
    Grant.addToPrincipal({
      grantee: role,
      actions: ['lambda:InvokeFunction'],
      resourceArns: Object.values(arns),
    });
    Grant.addToPrincipal({ grantee: role, actions: ['sqs:SendMessage'], resourceArns: [images.queueArn] });
    grantDataKey(this, role, 'sqs', KEY_ACTIONS.sends);
    const definition = validationDefinition(arns, { reviewDays, imagesQueueUrl: images.queueUrl });
    this.machine = new StateMachine(this, 'Machine', {
      stateMachineType: StateMachineType.STANDARD,
      definitionBody: DefinitionBody.fromString(Stack.of(this).toJsonString(definition)),
      role,
      logs: executionLogs(this, role),
    });
    Validations.of(this.machine).acknowledge({
      id: 'AwsSolutions::AwsSolutions-SF1',
      reason:
        'Errors are logged. Standard ones keep their history for 90 days: logs of all of it would cost as much as they do.',
    });
    Validations.of(this.machine).acknowledge({
      id: 'AwsSolutions::AwsSolutions-SF2',
      reason: 'The functions are traced; the history of an execution tells what its states did and when.',
    });
  }
}

/** Logs the errors of executions, without input and output, which hold what customers submitted. An alarm counts those that fail. */
function executionLogs(scope: Construct, role: Role): LogOptions {
  Validations.of(role).acknowledge({
    id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
    reason: 'The delivery of logs of a state machine cannot be limited to a log group.',
  });
  const name = `/aws/vendedlogs/five-services-${stageOf(scope)}/validations`;
  const destination = serviceLogs(scope, 'Logs', name);
  const { metricNamespace, metricName } = workerErrors(scope, 'images');
  new MetricFilter(scope, 'Failures', {
    logGroup: destination,
    filterPattern: FilterPattern.stringValue('$.type', '=', 'ExecutionFailed'),
    metricNamespace,
    metricName,
  });
  return { destination, level: LogLevel.ERROR, includeExecutionData: false };
}
