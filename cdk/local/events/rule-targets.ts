/** Reads where rules deliver, and checks that they may. */
import { z } from 'zod';
import type { CloudContext } from '../cloud-context.ts';
import { numeric } from '../cloudformation/property.ts';
import { RETRY_DEFAULT } from './deliveries.ts';
import type { RuleTarget } from './event-buses.ts';

const RetryPolicy = z
  .strictObject({ MaximumRetryAttempts: numeric.optional(), MaximumEventAgeInSeconds: numeric.optional() })
  .optional();
const DeadLetterConfig = z.strictObject({ Arn: z.string().optional() }).optional();

export const RuleTargetProperties = z.strictObject({
  Id: z.string(),
  Arn: z.string(),
  RetryPolicy,
  DeadLetterConfig,
});

/** A target to check when all resources are there. */
export interface TargetCheck {
  readonly path: string;
  readonly target: RuleTarget;
  readonly sourceArn: string;
}

export function targetOf({ Arn, RetryPolicy, DeadLetterConfig }: z.output<typeof RuleTargetProperties>): RuleTarget {
  return {
    targetArn: Arn,
    deadLetterArn: DeadLetterConfig?.Arn,
    retry: {
      maxAttempts: RetryPolicy?.MaximumRetryAttempts ?? RETRY_DEFAULT.maxAttempts,
      maxAgeSeconds: RetryPolicy?.MaximumEventAgeInSeconds ?? RETRY_DEFAULT.maxAgeSeconds,
    },
  };
}

/** Refuses at the start what would be refused at every delivery. */
export function requireDelivery({ targets, permissions }: CloudContext, { path, target, sourceArn }: TargetCheck) {
  const { targetArn } = target;
  targets.require(targetArn);
  const service = targetArn.split(':')[2] ?? '';
  const from = 'events.amazonaws.com';
  if (service === 'lambda' && !permissions.mayInvoke(from, targetArn, sourceArn)) {
    throw new Error(`${path}: no AWS::Lambda::Permission lets ${from} invoke ${targetArn} for this rule.`);
  }
  const call = { service: from, action: 'sqs:SendMessage', resource: targetArn, sourceArn };
  if (service === 'sqs' && !permissions.serviceMay(call)) {
    throw new Error(`${path}: the policy of ${targetArn} does not let ${from} send to it for this rule.`);
  }
}
