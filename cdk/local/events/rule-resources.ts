/** Event buses and their rules; it also starts what schedules and rules deliver. */
import { z } from 'zod';
import { physicalName } from '../assembly/physical-names.ts';
import type { CloudContext } from '../cloud-context.ts';
import { ignored } from '../cloudformation/property.ts';
import {
  type DeclaredResource,
  type Provisioned,
  propertiesOf,
  type ResourceFamily,
} from '../cloudformation/resource-family.ts';
import type { Deliveries } from './deliveries.ts';
import type { EventBuses } from './event-buses.ts';
import { parsePattern } from './pattern.ts';
import { RuleTargetProperties, requireDelivery, type TargetCheck, targetOf } from './rule-targets.ts';
import { parseSchedule } from './schedule-expression.ts';
import type { Schedules } from './schedules.ts';

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

export interface EventParts {
  readonly buses: EventBuses;
  readonly deliveries: Deliveries;
  readonly schedules: Schedules;
}

export function eventResources(cloud: CloudContext, { buses, deliveries, schedules }: EventParts): ResourceFamily {
  const { region, accountId } = cloud;
  const checks: TargetCheck[] = [];

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

  return {
    types: { 'AWS::Events::EventBus': bus, 'AWS::Events::Rule': rule },
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
