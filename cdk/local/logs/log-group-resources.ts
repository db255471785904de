/** Makes log groups. Their lines come from functions and the access log of the HTTP API. */
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
import type { LogGroups } from './log-groups.ts';

const LogGroupProperties = z.strictObject({
  LogGroupName: z.string().optional(),
  // A group keeps its newest lines, whatever their age.
  RetentionInDays: ignored,
  KmsKeyId: ignored,
  LogGroupClass: ignored,
  Tags: ignored,
});

export function logGroupResources({ region, accountId }: CloudContext, groups: LogGroups): ResourceFamily {
  const logGroup = (resource: DeclaredResource): Provisioned => {
    const { LogGroupName: name = physicalName('logGroup', resource) } = propertiesOf(resource, LogGroupProperties);
    groups.create(name);
    return { ref: name, attributes: { Arn: `arn:aws:logs:${region}:${accountId}:log-group:${name}:*` } };
  };
  return { types: { 'AWS::Logs::LogGroup': logGroup } };
}
