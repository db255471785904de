/** Keys. */
import { join } from 'node:path';
import { z } from 'zod';
import { stableUuid } from '../assembly/physical-names.ts';
import type { CloudContext } from '../cloud-context.ts';
import { flag, ignored, numeric, policyDocument } from '../cloudformation/property.ts';
import {
  type DeclaredResource,
  type Provisioned,
  propertiesOf,
  type ResourceFamily,
} from '../cloudformation/resource-family.ts';
import type { PolicyDocument } from '../iam/policy-document.ts';
import { Key } from './key.ts';
import { Keys } from './keys.ts';
import { KmsService } from './kms-service.ts';

const KeyProperties = z.strictObject({
  KeyPolicy: policyDocument.optional(),
  Description: ignored,
  Enabled: flag.default(true),
  EnableKeyRotation: flag.default(false),
  RotationPeriodInDays: numeric.default(365),
  KeySpec: z.literal('SYMMETRIC_DEFAULT', { error: 'the local cloud has symmetric keys only' }).optional(),
  KeyUsage: z.literal('ENCRYPT_DECRYPT', { error: 'the local cloud has keys for encryption only' }).optional(),
  Origin: z.literal('AWS_KMS', { error: 'the local cloud makes the material of keys itself' }).optional(),
  MultiRegion: z.literal(false, { error: 'the local cloud has one region' }).optional(),
  PendingWindowInDays: ignored,
  BypassPolicyLockoutSafetyCheck: ignored,
  Tags: ignored,
});

export function kmsResources({ region, accountId, dataDir, endpoint, now, permissions }: CloudContext): ResourceFamily {
  const keys = new Keys(region, accountId);
  endpoint.add(new KmsService({ keys, accountId, now }));

  const key = (resource: DeclaredResource): Provisioned => {
    const properties = propertiesOf(resource, KeyProperties);
    const id = stableUuid(`key:${resource.stack}/${resource.logicalId}`);
    const arn = keys.keyArn(id);
    const policy = properties.KeyPolicy ?? everythingFor(accountId);
    const settings = {
      id,
      arn,
      enabled: properties.Enabled,
      rotationDays: properties.EnableKeyRotation ? properties.RotationPeriodInDays : null,
    };
    keys.add(new Key(settings, dataDir === null ? null : join(dataDir, 'kms', `${id}.json`), now()));
    permissions.setResourcePolicy(arn, policy);
    return { ref: id, attributes: { Arn: arn, KeyId: id } };
  };

  return { types: { 'AWS::KMS::Key': key } };
}

/** Returns the policy that AWS gives a key without one: the policies of the account decide. */
function everythingFor(accountId: string): PolicyDocument {
  const owner = { AWS: `arn:aws:iam::${accountId}:root` };
  return {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: owner, Action: 'kms:*', Resource: '*' }],
  };
}
