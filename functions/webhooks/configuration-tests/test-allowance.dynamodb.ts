import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshalled, type Table, whenAllowed } from '#shared/table.dynamodb';
import { CONFIGURATION_TESTS } from '../table-keys.ts';
import type { TestAllowance } from './test-configuration.ts';

const MINUTE_MILLIS = 60_000;

/** One write a test: an item for each tenant and minute, which expires. */
export const testAllowance = (table: Table, testsPerMinute: number): TestAllowance => ({
  async take(tenant, now) {
    const minute = Math.floor(now / MINUTE_MILLIS);
    const counted = await whenAllowed(
      table.client.send(
        new UpdateItemCommand({
          TableName: table.name,
          Key: marshalled({ pk: `${CONFIGURATION_TESTS}${tenant}`, sk: `MINUTE#${minute}` }),
          UpdateExpression: 'SET #ttl = :ttl ADD made :one',
          ConditionExpression: 'attribute_not_exists(made) OR made < :most',
          ExpressionAttributeNames: { '#ttl': 'ttl' },
          ExpressionAttributeValues: marshalled({ ':ttl': (minute + 2) * 60, ':one': 1, ':most': testsPerMinute }),
        }),
      ),
    );
    return counted.done;
  },
});
