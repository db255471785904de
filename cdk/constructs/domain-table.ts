import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  type GlobalSecondaryIndexPropsV2,
  ProjectionType,
  type StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { settingsOf } from '../settings.ts';
import { allows, allowsIndex, type TableAction } from './bindings.ts';

export interface DomainTableProps {
  /** What the table tells of its changes. @default none */
  readonly stream?: StreamViewType;
  /** Beside `Listing`. @default none */
  readonly indexes?: readonly GlobalSecondaryIndexPropsV2[];
}

/**
 * The one table of a domain: `pk` and `sk`, items that expire at `ttl` (epoch seconds), and the index `Listing` for
 * lists in order: items with `list` and `position`.
 */
export class DomainTable extends TableV2 {
  constructor(scope: Construct, id: string, { stream, indexes = [] }: DomainTableProps = {}) {
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
        ...indexes,
      ],
      ...(stream && { dynamoStream: stream }),
    });
  }

  /** Just these actions on the table. */
  allows(...actions: readonly [TableAction, ...TableAction[]]) {
    return allows(this, ...actions);
  }

  /** Reading its lists, and just these actions on the table. */
  lists(...actions: readonly TableAction[]) {
    return allowsIndex(this, 'Listing', ...actions);
  }
}
