import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { AttributeType, ProjectionType } from 'aws-cdk-lib/aws-dynamodb';
import { StorageClass } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { ImagesIndexes, ImagesKey, ImagesList } from '../../../functions/images/table-keys.ts';
import type { PICTURE_RETENTION_DAYS, STORED, UPLOADS } from '../../../functions/images/validations/picture-keys.ts';
import { DomainTable } from '../../constructs/domain-table.ts';
import { PrivateBucket } from '../../constructs/private-bucket.ts';

const sparseIndex = (indexName: string, partitionKey: string, sortKey = 'position') => ({
  indexName,
  partitionKey: { name: partitionKey, type: AttributeType.STRING },
  sortKey: { name: sortKey, type: AttributeType.STRING },
  projectionType: ProjectionType.ALL,
});

const uploads: typeof UPLOADS = 'uploads/';
const stored: typeof STORED = 'validations/';
const pictureDays: typeof PICTURE_RETENTION_DAYS = 400;

/** The retained resources: campaigns, records and their pictures. */
export class ImagesData extends Construct {
  readonly table = new DomainTable<ImagesKey, ImagesList, ImagesIndexes>(this, 'Table', {
    hasStream: true,
    indexes: [
      sparseIndex('Customers', 'customerList'),
      // Of a campaign there may be very many, which are counted by day: an entry has only what that needs.
      {
        ...sparseIndex('Campaigns', 'campaignList'),
        projectionType: ProjectionType.INCLUDE,
        nonKeyAttributes: ['status'],
      },
      sparseIndex('Statuses', 'statusList'),
      sparseIndex('Reviews', 'reviewList'),
      sparseIndex('Undecided', 'undecided', 'due'),
    ],
  });
  /** Submitted pictures, and what was read in them. */
  readonly pictures = new PrivateBucket(this, 'Pictures', {
    announcesObjects: true,
    takesUploads: true,
    lifecycleRules: [
      { prefix: uploads, expiration: Duration.days(1) },
      {
        prefix: stored,
        expiration: Duration.days(pictureDays),
        // Most are looked at while they are reviewed, and seldom again: half the price, and a cent per gigabyte that is read.
        transitions: [{ storageClass: StorageClass.INFREQUENT_ACCESS, transitionAfter: Duration.days(30) }],
      },
    ],
  });

  constructor(scope: Construct, id: string) {
    super(scope, id);
    new CfnOutput(Stack.of(this), 'ImagesPicturesBucket', { value: this.pictures.bucketName });
  }
}
