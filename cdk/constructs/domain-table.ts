import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, ProjectionType, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { settingsOf } from '../settings.ts';
import { allows, andLists } from './bindings.ts';

type Actions = Parameters<typeof allows> extends [unknown, ...infer Rest] ? Rest : never;

/**
 * The one table of a domain: `pk` and `sk`, items that expire at `ttl` (epoch seconds), and the index `Listing` for
 * lists in order: items with `list` and `position`.
 */
export class DomainTable extends TableV2 {
  constructor(scope: Construct, id: string) {
    const { retainData } = settingsOf(scope);
    super(scope, id, {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      timeToLiveAttribute: 'ttl',
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.dynamoOwnedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: retainData,
      removalPolicy: retainData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      globalSecondaryIndexes: [
        {
          indexName: 'Listing',
          partitionKey: { name: 'list', type: AttributeType.STRING },
          sortKey: { name: 'position', type: AttributeType.STRING },
          projectionType: ProjectionType.ALL,
        },
      ],
    });
  }

  /** Just these actions on the table. */
  allows(...actions: Actions) {
    return allows(this, ...actions);
  }

  /** These actions, and reading its lists. */
  allowsListsAnd(...actions: Actions) {
    return andLists(allows(this, ...actions), this, 'Listing');
  }
}
