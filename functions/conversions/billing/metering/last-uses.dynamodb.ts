import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { type Table, whenAllowed } from '#shared/table/table.dynamodb';
import type { WriteLastUse } from './last-uses.ts';
import { credentialKey } from './meter-store.dynamodb.ts';
import { within } from './timed-store.ts';

/** Stores the last use of credentials of this table. @param millis the longest wait for a write */
export const lastUseWriter =
  ({ client, name }: Table, millis: number): WriteLastUse =>
  async (credentialId, { at, hour }) => {
    const update = new UpdateItemCommand({
      TableName: name,
      Key: marshall(credentialKey(credentialId)),
      UpdateExpression: 'SET lastUsedAt = :at',
      // Another function may have been first, and an erased credential must not come back.
      ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(lastUsedAt) OR lastUsedAt < :hour)',
      ExpressionAttributeValues: marshall({ ':at': at, ':hour': hour }),
    });
    await within(AbortSignal.timeout(millis), (abortSignal) => whenAllowed(client.send(update, { abortSignal })));
  };
