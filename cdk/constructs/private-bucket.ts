import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption, type LifecycleRule } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { settingsOf } from '../settings.ts';

export interface PrivateBucketProps {
  /** Announces objects on the default event bus. @default false */
  readonly announcesObjects?: boolean;
  /** What expires. Abandoned uploads always do, after a day. */
  readonly lifecycleRules?: readonly LifecycleRule[];
}

/** A bucket that nobody outside reads: encrypted, TLS only, no public access, no forgotten uploads. */
export class PrivateBucket extends Bucket {
  constructor(
    scope: Construct,
    id: string,
    { announcesObjects = false, lifecycleRules = [] }: PrivateBucketProps = {},
  ) {
    const { retainData } = settingsOf(scope);
    super(scope, id, {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      eventBridgeEnabled: announcesObjects,
      lifecycleRules: [{ abortIncompleteMultipartUploadAfter: Duration.days(1) }, ...lifecycleRules],
      removalPolicy: retainData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }
}
