import { RemovalPolicy } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { settingsOf } from '../settings.ts';

/** A log group with the stage's retention, encrypted with the stage's own key if it has one. */
export function serviceLogs(scope: Construct, id: string, logGroupName?: string): LogGroup {
  const { logRetention: retention, logKey } = settingsOf(scope);
  return new LogGroup(scope, id, {
    retention,
    removalPolicy: RemovalPolicy.DESTROY,
    ...(logGroupName !== undefined && { logGroupName }),
    ...(logKey !== '' && { encryptionKey: Key.fromKeyArn(scope, `${id}Key`, logKey) }),
  });
}
