/** Event buses, rules and schedules. */
import { z } from 'zod';
import { physicalName } from '../assembly/physical-names.ts';
import type { CloudContext } from '../cloud-context.ts';
import { type Deliveries, RETRY_DEFAULT } from '../events/deliveries.ts';
import type { EventBuses, RuleTarget } from '../events/event-buses.ts';
import type { TargetInput } from '../events/input.ts';
import { parsePattern } from '../events/pattern.ts';
import { parseSchedule } from '../events/schedule-expression.ts';
import type { Schedules } from '../events/schedules.ts';
import { type DeclaredResource, type Provisioned, propertiesOf, type ResourceFamily } from './family.ts';
import { ignored, numeric } from './property.ts';

const RetryPolicy = z.strictObject({
  MaximumRetryAttempts: numeric.optional(),
  MaximumEventAgeInSeconds: numeric.optional(),
});
const DeadLetterConfig = z.strictObject({ Arn: z.string().optional() });

const RuleTargetProperties = z.strictObject({
  Id: z.string(),
  Arn: z.string(),
  RoleArn: z.string().optional(),
  Input: z.string().optional(),
  InputPath: z.string().optional(),
  InputTransformer: z
    .strictObject({ InputPathsMap: z.record(z.string(), z.string()).default({}), InputTemplate: z.string() })
    .optional(),
  RetryPolicy: RetryPolicy.optional(),
  DeadLetterConfig: DeadLetterConfig.optional(),
  SqsParameters: z.strictObject({ MessageGroupId: z.string() }).optional(),
});

const RuleProperties = z.strictObject({
  Name: z.string().optional(),
  EventBusName: z.string().default('default'),
  EventPattern: z.unknown().optional(),
  ScheduleExpression: z.string().optional(),
  State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
  Targets: z.array(RuleTargetProperties).default([]),
  Description: ignored,
  Tags: ignored,
});

const BusProperties = z.strictObject({
  Name: z.string(),
  Description: ignored,
  KmsKeyIdentifier: ignored,
  LogConfig: ignored,
  Policy: ignored,
  DeadLetterConfig: ignored,
  Tags: ignored,
});

const ScheduleProperties = z.strictObject({
  Name: z.string().optional(),
  GroupName: z.string().default('default'),
  ScheduleExpression: z.string(),
  ScheduleExpressionTimezone: z.string().default('UTC'),
  State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
  StartDate: z.coerce.date().optional(),
  EndDate: z.coerce.date().optional(),
  // Any moment of the window is right, so also its first.
  FlexibleTimeWindow: ignored,
  Target: z.strictObject({
    Arn: z.string(),
    RoleArn: z.string(),
    Input: z.string().optional(),
    RetryPolicy: RetryPolicy.optional(),
    DeadLetterConfig: DeadLetterConfig.optional(),
    SqsParameters: z.strictObject({ MessageGroupId: z.string() }).optional(),
  }),
  Description: ignored,
  KmsKeyArn: ignored,
});

export interface EventParts {
  readonly buses: EventBuses;
  readonly deliveries: Deliveries;
  readonly schedules: Schedules;
}

interface Check {
  readonly path: string;
  readonly target: RuleTarget;
  readonly sourceArn: string;
}

export function eventResources(cloud: CloudContext, { buses, deliveries, schedules }: EventParts): ResourceFamily {
  const { region, accountId } = cloud;
  const checks: Check[] = [];

  const bus = (resource: DeclaredResource): Provisioned => {
    const { Name } = propertiesOf(resource, BusProperties);
    buses.addBus(Name);
    return { ref: Name, attributes: { Arn: buses.arnOf(Name), Name } };
  };

  const rule = (resource: DeclaredResource): Provisioned => {
    const properties = propertiesOf(resource, RuleProperties);
    const name = properties.Name ?? physicalName('rule', resource);
    const busName = properties.EventBusName.split('/').at(-1) ?? 'default';
    const onBus = busName === 'default' ? '' : `${busName}/`;
    const arn = `arn:aws:events:${region}:${accountId}:rule/${onBus}${name}`;
    const made = { ref: busName === 'default' ? name : `${busName}|${name}`, attributes: { Arn: arn } };
    if (properties.State === 'DISABLED') return made;
    const pattern = properties.EventPattern === undefined ? undefined : parsePattern(properties.EventPattern);
    const declared = { name, arn, busName, pattern, targets: properties.Targets.map(targetOf) };
    buses.addRule(declared);
    checks.push(...declared.targets.map((target) => ({ path: resource.path, target, sourceArn: arn })));
    if (properties.ScheduleExpression !== undefined) {
      const next = parseSchedule(properties.ScheduleExpression);
      const run = (at: Date) => buses.trigger(declared, scheduledEvent({ region, accountId, arn, at }));
      schedules.add({ name, path: resource.path, next, run });
    }
    return made;
  };

  const schedule = (resource: DeclaredResource): Provisioned => {
    const properties = propertiesOf(resource, ScheduleProperties);
    const { Target, GroupName, ScheduleExpression, ScheduleExpressionTimezone: zone, StartDate, EndDate } = properties;
    const name = properties.Name ?? physicalName('schedule', resource);
    const arn = `arn:aws:scheduler:${region}:${accountId}:schedule/${GroupName}/${name}`;
    const made = { ref: name, attributes: { Arn: arn } };
    if (properties.State === 'DISABLED') return made;
    cloud.roles.requireTrust(Target.RoleArn, 'scheduler.amazonaws.com');
    const { input, ...target } = targetOf(Target);
    checks.push({ path: resource.path, target: { input, ...target }, sourceArn: arn });
    const run = (at: Date) =>
      deliveries.accept({
        ...target,
        payload: input.kind === 'constant' ? withContext(input.text, { arn, at }) : '{}',
        from: { service: 'scheduler.amazonaws.com', sourceArn: arn },
      });
    const next = parseSchedule(ScheduleExpression, zone);
    schedules.add({ name, path: resource.path, next, startAt: StartDate, endAt: EndDate, run });
    return made;
  };

  const group = (resource: DeclaredResource): Provisioned => {
    const name = z.string().optional().parse(resource.properties['Name']) ?? physicalName('other', resource);
    return { ref: name, attributes: { Arn: `arn:aws:scheduler:${region}:${accountId}:schedule-group/${name}` } };
  };

  return {
    types: {
      'AWS::Events::EventBus': bus,
      'AWS::Events::Rule': rule,
      'AWS::Scheduler::Schedule': schedule,
      'AWS::Scheduler::ScheduleGroup': group,
    },
    start() {
      for (const check of checks) requireDelivery(cloud, check);
      deliveries.start();
      schedules.start();
    },
    async stop() {
      schedules.stop();
      await deliveries.close();
    },
  };
}

function targetOf(
  declared: z.output<typeof RuleTargetProperties> | z.output<typeof ScheduleProperties>['Target'],
): RuleTarget {
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

interface InputProperties {
  readonly Input?: string | undefined;
  readonly InputPath?: string | undefined;
  readonly InputTransformer?: z.output<typeof RuleTargetProperties>['InputTransformer'];
}

function inputOf({ Input, InputPath, InputTransformer }: InputProperties): TargetInput {
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
function requireDelivery({ targets, roles, permissions }: CloudContext, { path, target, sourceArn }: Check) {
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

function scheduledEvent({ region, accountId, arn, at }: { region: string; accountId: string; arn: string; at: Date }) {
  return {
    version: '0',
    id: crypto.randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: accountId,
    time: `${at.toISOString().slice(0, 19)}Z`,
    region,
    resources: [arn],
    detail: {},
  };
}

/** Keywords of EventBridge Scheduler inside a target's input. */
function withContext(input: string, { arn, at }: { arn: string; at: Date }): string {
  return input
    .replaceAll('<aws.scheduler.schedule-arn>', arn)
    .replaceAll('<aws.scheduler.scheduled-time>', `${at.toISOString().slice(0, 19)}Z`)
    .replaceAll('<aws.scheduler.execution-id>', crypto.randomUUID())
    .replaceAll('<aws.scheduler.attempt-number>', '1');
}
