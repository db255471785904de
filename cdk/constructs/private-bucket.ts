import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  CfnBucket,
  type CorsRule,
  HttpMethods,
  type LifecycleRule,
} from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { settingsOf } from '../settings.ts';
import { dataKey } from './data-key.ts';
import { VERSION_RETENTION_DAYS } from './version-retention.ts';

export interface PrivateBucketProps {
  /** Announces objects on the default event bus. @default false */
  readonly announcesObjects?: boolean;
  /** Replaced and deleted objects can be restored for 90 days. @default false */
  readonly keepsVersions?: boolean;
  /** Pages of the console may put files, or parts of them, to presigned links. @default false */
  readonly takesUploads?: boolean;
  /** Rules for what expires. Abandoned uploads always do, after a day. */
  readonly lifecycleRules?: readonly LifecycleRule[];
}

const VERSION_EXPIRY: LifecycleRule = {
  noncurrentVersionExpiration: Duration.days(VERSION_RETENTION_DAYS),
  expiredObjectDeleteMarker: true,
};

/** A private bucket: encrypted, TLS only, no public access, no abandoned uploads. */
export class PrivateBucket extends Bucket {
  constructor(
    scope: Construct,
    id: string,
    {
      announcesObjects = false,
      keepsVersions = false,
      takesUploads = false,
      lifecycleRules = [],
    }: PrivateBucketProps = {},
  ) {
    const { retainData, bucketLogs } = settingsOf(scope);
    const encryptionKey = dataKey(scope, id);
    super(scope, id, {
      ...(encryptionKey
        ? // Objects share a key of the bucket, which saves nearly all calls of KMS.
          { encryption: BucketEncryption.KMS, encryptionKey, bucketKeyEnabled: true }
        : { encryption: BucketEncryption.S3_MANAGED }),
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      versioned: keepsVersions,
      lifecycleRules: [
        { abortIncompleteMultipartUploadAfter: Duration.days(1) },
        ...(keepsVersions ? [VERSION_EXPIRY] : []),
        ...lifecycleRules,
      ],
      ...(takesUploads && { cors: [uploadsFrom(consoleOrigins(scope))] }),
      autoDeleteObjects: !retainData,
      removalPolicy: retainData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    });
    if (announcesObjects) announceObjects(resourceOf(this));
    if (bucketLogs !== '') {
      resourceOf(this).loggingConfiguration = {
        destinationBucketName: bucketLogs,
        logFilePrefix: `${this.node.path}/`,
      };
    }
    Validations.of(this).acknowledge({
      id: 'AwsSolutions::AwsSolutions-S1',
      reason: 'Access is by roles and presigned links only; --context bucketLogs=BUCKET logs it where that is wanted.',
    });
  }
}

/**
 * The API has the console, and stands in a stack above the one of the buckets, so its address is not known here unless it
 * has a domain. A link is secret, and whoever has one needs no browser: the rule only keeps scripts of other sites from using it.
 */
function consoleOrigins(scope: Construct): string {
  const { publicDomain } = settingsOf(scope);
  return publicDomain
    ? `https://${publicDomain.name}`
    : `https://*.execute-api.${Stack.of(scope).region}.amazonaws.com`;
}

const uploadsFrom = (origin: string): CorsRule => ({
  allowedOrigins: [origin],
  allowedMethods: [HttpMethods.PUT],
  allowedHeaders: ['content-type'],
  maxAge: 3_600,
});

/** Set on the resource itself: `eventBridgeEnabled` would add a function of the CDK's own with a wide role. */
function announceObjects(resource: CfnBucket) {
  resource.notificationConfiguration = { eventBridgeConfiguration: { eventBridgeEnabled: true } };
}

function resourceOf({ node: { defaultChild } }: Bucket): CfnBucket {
  if (defaultChild instanceof CfnBucket) return defaultChild;
  throw new Error('The bucket has no CloudFormation resource.');
}
