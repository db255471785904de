/** Buckets, their policies and rules, and which of them announce their objects. */
import {
  CreateBucketCommand,
  HeadBucketCommand,
  NotFound,
  PutBucketVersioningCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { z } from 'zod';
import { physicalName } from '../assembly/physical-names.ts';
import type { CloudContext } from '../cloud-context.ts';
import { ignored, policyDocument } from '../cloudformation/property.ts';
import {
  type DeclaredResource,
  type Provisioned,
  propertiesOf,
  type ResourceFamily,
} from '../cloudformation/resource-family.ts';
import type { ObjectAnnouncements } from '../events/object-announcements.ts';
import { CorsRule } from './cors.ts';
import { LifecycleRule } from './lifecycle.ts';

const BucketProperties = z.strictObject({
  BucketName: z.string().optional(),
  LifecycleConfiguration: z.strictObject({ Rules: z.array(LifecycleRule) }).optional(),
  CorsConfiguration: z.strictObject({ CorsRules: z.array(CorsRule) }).optional(),
  VersioningConfiguration: z.strictObject({ Status: z.enum(['Enabled', 'Suspended']) }).optional(),
  NotificationConfiguration: z.strictObject({ EventBridgeConfiguration: ignored }).optional(),
  BucketEncryption: ignored,
  PublicAccessBlockConfiguration: ignored,
  OwnershipControls: ignored,
  LoggingConfiguration: ignored,
  MetricsConfigurations: ignored,
  Tags: ignored,
});

const PolicyProperties = z.strictObject({ Bucket: z.string(), PolicyDocument: policyDocument });

export function s3Resources(cloud: CloudContext, announcements: ObjectAnnouncements): ResourceFamily {
  const { clients, endpoint, region, permissions } = cloud;

  const bucket = async (resource: DeclaredResource): Promise<Provisioned> => {
    const properties = propertiesOf(resource, BucketProperties);
    const name = properties.BucketName ?? physicalName('bucket', resource);
    await ensureBucket(clients.s3, name);
    const { VersioningConfiguration } = properties;
    if (VersioningConfiguration)
      await clients.s3.send(new PutBucketVersioningCommand({ Bucket: name, VersioningConfiguration }));
    endpoint.setBucketRules(name, {
      lifecycle: properties.LifecycleConfiguration?.Rules ?? [],
      cors: properties.CorsConfiguration?.CorsRules ?? [],
    });
    if (announces(properties.NotificationConfiguration)) announcements.enable(name);
    return {
      ref: name,
      attributes: {
        Arn: `arn:aws:s3:::${name}`,
        DomainName: `${name}.s3.amazonaws.com`,
        RegionalDomainName: `${name}.s3.${region}.amazonaws.com`,
      },
    };
  };

  const policy = (resource: DeclaredResource): Provisioned => {
    const { Bucket, PolicyDocument } = propertiesOf(resource, PolicyProperties);
    permissions.setResourcePolicy(`arn:aws:s3:::${Bucket}`, PolicyDocument);
    return { ref: physicalName('other', resource), attributes: {} };
  };

  return {
    types: {
      'AWS::S3::Bucket': bucket,
      'AWS::S3::BucketPolicy': policy,
    },
  };
}

const announces = (configuration: { EventBridgeConfiguration?: unknown } | undefined) =>
  configuration?.EventBridgeConfiguration !== undefined;

async function ensureBucket(s3: S3Client, name: string) {
  try {
    await s3.send(new HeadBucketCommand({ Bucket: name }));
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    await s3.send(new CreateBucketCommand({ Bucket: name }));
  }
}
