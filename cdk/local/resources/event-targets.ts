/** Reads where rules deliver, and checks that they may. */
import { z } from 'zod';
import type { CloudContext } from '../cloud-context.ts';
import { RETRY_DEFAULT } from '../events/deliveries.ts';
import type { RuleTarget } from '../events/event-buses.ts';
import type { TargetInput } from '../events/input.ts';
import { numeric } from './property.ts';

const RetryPolicy = z
  .strictObject({ MaximumRetryAttempts: numeric.optional(), MaximumEventAgeInSeconds: numeric.optional() })
  .optional();
const DeadLetterConfig = z.strictObject({ Arn: z.string().optional() }).optional();
const SqsParameters = z.strictObject({ MessageGroupId: z.string() }).optional();

export const RuleTargetProperties = z.strictObject({
  Id: z.string(),
  Arn: z.string(),
  RoleArn: z.string().optional(),
  Input: z.string().optional(),
  InputPath: z.string().optional(),
  InputTransformer: z
    .strictObject({ InputPathsMap: z.record(z.string(), z.string()).default({}), InputTemplate: z.string() })
    .optional(),
  RetryPolicy,
  DeadLetterConfig,
  SqsParameters,
});

/** A target to check when all resources are there. */
export interface TargetCheck {
  readonly path: string;
  readonly target: RuleTarget;
  readonly sourceArn: string;
}

export function targetOf(declared: z.output<typeof RuleTargetProperties>): RuleTarget {
  const { Arn, RoleArn, RetryPolicy, DeadLetterConfig, SqsParameters } = declared;
  return {
    targetArn: Arn,
    roleArn: RoleArn,
    input: inputOf(declared),
    messageGroupId: SqsParameters?.MessageGroupId,
    deadLetterArn: DeadLetterConfig?.Arn,
    retry: {
      maxAttempts: RetryPolicy?.MaximumRetryAttempts ?? RETRY_DEFAULT.maxAttempts,
      maxAgeSeconds: RetryPolicy?.MaximumEventAgeInSeconds ?? RETRY_DEFAULT.maxAgeSeconds,
    },
  };
}

function inputOf({ Input, InputPath, InputTransformer }: z.output<typeof RuleTargetProperties>): TargetInput {
  if (Input !== undefined) return { kind: 'constant', text: Input };
  if (InputPath !== undefined) return { kind: 'path', path: InputPath };
  if (!InputTransformer) return { kind: 'event' };
  return { kind: 'template', paths: InputTransformer.InputPathsMap, template: InputTransformer.InputTemplate };
}

const ACTIONS: Readonly<Record<string, string>> = {
  sqs: 'sqs:SendMessage',
  lambda: 'lambda:InvokeFunction',
  events: 'events:PutEvents',
  states: 'states:StartExecution',
};

/** What would be refused at every delivery is refused at the start. */
export function requireDelivery(
  { targets, roles, permissions }: CloudContext,
  { path, target, sourceArn }: TargetCheck,
) {
  const { targetArn, roleArn } = target;
  targets.require(targetArn);
  const service = targetArn.split(':')[2] ?? '';
  const action = ACTIONS[service] ?? '';
  if (roleArn !== undefined) {
    if (roles.allows(roleArn, action, targetArn)) return;
    throw new Error(`${path}: the role ${roleArn} is not allowed ${action} on ${targetArn}.`);
  }
  const from = 'events.amazonaws.com';
  if (service === 'lambda' && !permissions.mayInvoke(from, targetArn, sourceArn)) {
    throw new Error(`${path}: no AWS::Lambda::Permission lets ${from} invoke ${targetArn} for this rule.`);
  }
  if (service === 'sqs' && !permissions.serviceMay({ service: from, action, resource: targetArn, sourceArn })) {
    throw new Error(`${path}: the policy of ${targetArn} does not let ${from} send to it for this rule.`);
  }
}
