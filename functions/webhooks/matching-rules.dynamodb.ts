import { paginateQuery } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { marshalled, type Table } from '#shared/table.dynamodb';
import { matchPartition, rulesById } from './rule-items.dynamodb.ts';
import type { RulesOf } from './rules/rule.ts';

export const matchingRules = (table: Table): RulesOf => ({
  async matching(tenant, module, trigger) {
    const pages = paginateQuery(
      { client: table.client },
      {
        TableName: table.name,
        KeyConditionExpression: 'pk = :partition',
        ExpressionAttributeValues: marshalled({ ':partition': matchPartition(tenant, module, trigger) }),
        ProjectionExpression: 'sk',
        ConsistentRead: true,
      },
    );
    const ids: string[] = [];
    for await (const { Items: items = [] } of pages) ids.push(...items.map((item) => String(unmarshall(item)['sk'])));
    const rules = await rulesById(table, tenant, ids);
    // One may have been moved between the two reads.
    return [...rules.values()].filter((rule) => rule.enabled && rule.module === module && rule.trigger === trigger);
  },
});
