import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { DomainTable } from './domain-table.ts';

interface TableBackupsProps {
  readonly tables: readonly DomainTable[];
  /** The ARN of another vault, which may be in another account and region. It gets a copy of each backup. */
  readonly copyTo: string;
}

/** The retention of backups: the same as that of point-in-time recovery. */
const RETENTION = Duration.days(35);

/** Backs up tables every night, and copies each backup to where no deletion in this account reaches it. */
export class TableBackups extends Construct {
  constructor(scope: Construct, id: string, { tables, copyTo }: TableBackupsProps) {
    super(scope, id);
    const backupVault = new BackupVault(this, 'Vault', { removalPolicy: RemovalPolicy.RETAIN });
    const plan = new BackupPlan(this, 'Plan', { backupVault });
    plan.addRule(
      new BackupPlanRule({
        ruleName: 'EveryNight',
        scheduleExpression: Schedule.cron({ hour: '3', minute: '0' }),
        deleteAfter: RETENTION,
        copyActions: [
          { destinationBackupVault: BackupVault.fromBackupVaultArn(this, 'CopyTo', copyTo), deleteAfter: RETENTION },
        ],
      }),
    );
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('backup.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSBackupServiceRolePolicyForBackup')],
    });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]',
      reason: 'AWS Backup needs permissions that AWS extends with the service, and documents as this policy only.',
    });
    plan.addSelection('Tables', { role, resources: tables.map(({ tableArn }) => BackupResource.fromArn(tableArn)) });
  }
}
