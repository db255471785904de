/** Buckets, their policies and lifecycle, and which of them announce their objects. */
import {
  CreateBucketCommand,
  DeleteBucketCorsCommand,
  DeleteBucketLifecycleCommand,
  HeadBucketCommand,
  type LifecycleRule,
  NotFound,
  PutBucketCorsCommand,
  PutBucketLifecycleConfigurationCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { z } from 'zod';
import { physicalName } from '../assembly/physical-names.ts';
import type { CloudContext } from '../cloud-context.ts';
import { ignored, numeric, policyDocument } from '../cloudformation/property.ts';
import {
  type DeclaredResource,
  type Provisioned,
  propertiesOf,
  type ResourceFamily,
} from '../cloudformation/resource-family.ts';
import type { ObjectAnnouncements } from '../events/object-announcements.ts';

const Rule = z.strictObject({
  Id: z.string().optional(),
  Status: z.enum(['Enabled', 'Disabled']),
  Prefix: z.string().default(''),
  ExpirationInDays: numeric.optional(),
  // These properties change the price of an object and nothing that a caller sees.
  Transitions: ignored,
  AbortIncompleteMultipartUpload: z.strictObject({ DaysAfterInitiation: numeric }).optional(),
});

const CrossOriginRule = z.strictObject({
  AllowedOrigins: z.array(z.string()),
  AllowedMethods: z.array(z.enum(['GET', 'PUT', 'POST', 'DELETE', 'HEAD'])),
  AllowedHeaders: z.array(z.string()).optional(),
  ExposedHeaders: z.array(z.string()).optional(),
  MaxAge: numeric.optional(),
});

const BucketProperties = z.strictObject({
  BucketName: z.string().optional(),
  LifecycleConfiguration: z.strictObject({ Rules: z.array(Rule) }).optional(),
  CorsConfiguration: z.strictObject({ CorsRules: z.array(CrossOriginRule) }).optional(),
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
  const { clients, region, permissions } = cloud;

  const bucket = async (resource: DeclaredResource): Promise<Provisioned> => {
    const properties = propertiesOf(resource, BucketProperties);
    const name = properties.BucketName ?? physicalName('bucket', resource);
    await ensureBucket(clients.s3, name);
    await setLifecycle(clients.s3, name, properties.LifecycleConfiguration?.Rules ?? []);
    await setCors(clients.s3, name, properties.CorsConfiguration?.CorsRules ?? []);
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

async function setLifecycle(s3: S3Client, bucket: string, rules: readonly z.output<typeof Rule>[]) {
  if (rules.length === 0) {
    await s3.send(new DeleteBucketLifecycleCommand({ Bucket: bucket }));
    return;
  }
  await s3.send(
    new PutBucketLifecycleConfigurationCommand({
      Bucket: bucket,
      LifecycleConfiguration: { Rules: rules.map(lifecycleRule) },
    }),
  );
}

async function setCors(s3: S3Client, bucket: string, rules: readonly z.output<typeof CrossOriginRule>[]) {
  if (rules.length === 0) {
    await s3.send(new DeleteBucketCorsCommand({ Bucket: bucket }));
    return;
  }
  await s3.send(
    new PutBucketCorsCommand({
      Bucket: bucket,
      CORSConfiguration: {
        CORSRules: rules.map(({ AllowedOrigins, AllowedMethods, AllowedHeaders, ExposedHeaders, MaxAge }) => ({
          AllowedOrigins,
          AllowedMethods,
          ...(AllowedHeaders && { AllowedHeaders }),
          ...(ExposedHeaders && { ExposeHeaders: ExposedHeaders }),
          ...(MaxAge !== undefined && { MaxAgeSeconds: MaxAge }),
        })),
      },
    }),
  );
}

function lifecycleRule(rule: z.output<typeof Rule>, index: number): LifecycleRule {
  const { Id, Status, Prefix, ExpirationInDays, AbortIncompleteMultipartUpload } = rule;
  return {
    ID: Id ?? `rule-${index + 1}`,
    Status,
    Filter: { Prefix },
    ...(ExpirationInDays !== undefined && { Expiration: { Days: ExpirationInDays } }),
    ...(AbortIncompleteMultipartUpload && { AbortIncompleteMultipartUpload }),
  };
}
