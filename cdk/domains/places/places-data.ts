import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { AttributeType, ProjectionType } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { REPORTS } from '#shared/import/import-source';
import type { IndexedPlace } from '../../../functions/places/nearby/place-index.dynamodb.ts';
import type { PlacesIndexes, PlacesKey, PlacesList } from '../../../functions/places/table-keys.ts';
import { DomainTable } from '../../constructs/domain-table.ts';
import { PrivateBucket } from '../../constructs/private-bucket.ts';

const INDEXED_FIELDS = {
  id: true,
  venueId: true,
  name: true,
  icon: true,
  address: true,
  city: true,
  state: true,
  latitude: true,
  longitude: true,
  brand: true,
  points: true,
  acceptedDistanceMeters: true,
  closed: true,
} as const satisfies Readonly<Record<keyof IndexedPlace, true>>;

/** The retained resources: places, ad units, what customers did, and the imported files. */
export class PlacesData extends Construct {
  readonly table = new DomainTable<PlacesKey, PlacesList, PlacesIndexes>(this, 'Table', {
    hasStream: true,
    indexes: [
      {
        indexName: 'Cells',
        partitionKey: { name: 'cell', type: AttributeType.STRING },
        sortKey: { name: 'leaf', type: AttributeType.STRING },
        projectionType: ProjectionType.INCLUDE,
        nonKeyAttributes: Object.keys(INDEXED_FIELDS),
      },
    ],
  });
  /** The imported files, and the reports of rejected lines. */
  readonly imports = new PrivateBucket(this, 'Imports', {
    announcesObjects: true,
    keepsVersions: true,
    takesUploads: true,
    lifecycleRules: [{ prefix: REPORTS, expiration: Duration.days(90) }],
  });

  constructor(scope: Construct, id: string) {
    super(scope, id);
    new CfnOutput(Stack.of(this), 'PlacesImportsBucket', { value: this.imports.bucketName });
  }
}
