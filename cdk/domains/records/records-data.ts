import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { REPORTS } from '#shared/import/import-source';
import type { RecordsKey, RecordsList } from '../../../functions/records/table-keys.ts';
import { DomainTable } from '../../constructs/domain-table.ts';
import { PrivateBucket } from '../../constructs/private-bucket.ts';

/** The retained resources: the imported files, the index made from them, and the state of both. */
export class RecordsData extends Construct {
  readonly table = new DomainTable<RecordsKey, RecordsList>(this, 'Table', { hasStream: true });
  /** The imported files, the source of truth, and the reports of rejected lines. */
  readonly imports = new PrivateBucket(this, 'Imports', {
    announcesObjects: true,
    keepsVersions: true,
    takesUploads: true,
    lifecycleRules: [{ prefix: REPORTS, expiration: Duration.days(90) }],
  });
  /** Immutable segments; a function removes those that no manifest has named for days. */
  readonly index = new PrivateBucket(this, 'Index');
  /** Files of finished downloads. No link is given to an older file; the rule only collects garbage. */
  readonly results = new PrivateBucket(this, 'Results', { lifecycleRules: [{ expiration: Duration.days(7) }] });

  constructor(scope: Construct, id: string) {
    super(scope, id);
    new CfnOutput(Stack.of(this), 'ImportsBucket', { value: this.imports.bucketName });
    new CfnOutput(Stack.of(this), 'ResultsBucket', { value: this.results.bucketName });
  }
}
