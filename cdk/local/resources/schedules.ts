/** Schedules of EventBridge Scheduler, and their groups. */
import { z } from 'zod';
import { physicalName } from '../assembly/physical-names.ts';
import type { CloudContext } from '../cloud-context.ts';
import type { Deliveries } from '../events/deliveries.ts';
import { parseSchedule } from '../events/schedule-expression.ts';
import type { Schedules } from '../events/schedules.ts';
import { ScheduleTargetProperties, type TargetCheck, targetOf } from './event-targets.ts';
import { type DeclaredResource, type Provisioned, propertiesOf, type ResourceFamily } from './family.ts';
import { ignored } from './property.ts';

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
  Target: ScheduleTargetProperties,
  Description: ignored,
  KmsKeyArn: ignored,
});

export interface ScheduleParts {
  readonly deliveries: Deliveries;
  readonly schedules: Schedules;
  /** Takes the targets, which can be checked when all resources are there. */
  readonly checks: TargetCheck[];
}

/** The types of resources, for the family that starts and stops the schedules. */
export function scheduleTypes(
  cloud: CloudContext,
  { deliveries, schedules, checks }: ScheduleParts,
): ResourceFamily['types'] {
  const { region, accountId } = cloud;

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

  return { 'AWS::Scheduler::Schedule': schedule, 'AWS::Scheduler::ScheduleGroup': group };
}

/** Keywords of EventBridge Scheduler inside a target's input. */
function withContext(input: string, { arn, at }: { arn: string; at: Date }): string {
  return input
    .replaceAll('<aws.scheduler.schedule-arn>', arn)
    .replaceAll('<aws.scheduler.scheduled-time>', `${at.toISOString().slice(0, 19)}Z`)
    .replaceAll('<aws.scheduler.execution-id>', crypto.randomUUID())
    .replaceAll('<aws.scheduler.attempt-number>', '1');
}
