import { CfnOutput, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  type GlobalSecondaryIndexPropsV2,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { type DomainName, settingsOf } from '../settings.ts';
import { allows, type Binding, type ItemGrants } from './functions/bindings.ts';

export interface DomainTableProps {
  /**
   * True if the table has a stream. Its records have both images, which a replica in another region would need: a later
   * change of the view replaces the stream, whose ARN is exported.
   * @default false
   */
  readonly hasStream?: boolean;
  /** Indexes besides `Listing`. @default none */
  readonly indexes?: readonly GlobalSecondaryIndexPropsV2[];
}

/**
 * The one table of a domain: `pk` and `sk`, items that expire at `ttl` (epoch seconds), and the index `Listing` for
 * ordered lists: items with `list` and `position`. The type parameters are the prefixes of its keys: of items, of
 * lists, and of other indexes by name.
 */
export class DomainTable<
  Key extends string = string,
  List extends string = string,
  Indexes extends object = object,
> extends TableV2 {
  readonly hasStream: boolean;

  constructor(scope: Construct, id: string, { hasStream = false, indexes = [] }: DomainTableProps = {}) {
    const { retainData, warmThroughput } = settingsOf(scope);
    const units = warmThroughput[scope.node.id.toLowerCase() as DomainName];
    const warm = units && { warmThroughput: units };
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
          ...warm,
        },
        ...indexes.map((index) => ({ ...index, ...warm })),
      ],
      ...warm,
      ...(hasStream && { dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES }),
    });
    this.hasStream = hasStream;
    // The output is `RecordsTable`; `domain-tables.ts` lists them.
    new CfnOutput(Stack.of(this), `${scope.node.id}Table`, { value: this.tableName });
  }

  /** Just these actions on items with these prefixes of partition keys, and reading these lists and indexes. */
  allows(
    items: ItemGrants<Key>,
    {
      lists,
      indexes = {},
      scans = false,
    }: {
      lists?: readonly List[];
      indexes?: { readonly [Name in keyof Indexes]?: Indexes[Name] };
      /** Reading the whole table, for what must find every item of a tenant. */
      scans?: boolean;
    } = {},
  ): Binding {
    const named = Object.entries<string>(indexes as Record<string, string>).map(([name, key]) => [name, [key]]);
    return allows(this, { items, indexes: { ...(lists && { Listing: lists }), ...Object.fromEntries(named) }, scans });
  }
}
