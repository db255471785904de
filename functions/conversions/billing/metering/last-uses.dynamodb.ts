import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { type Table, whenAllowed } from '#shared/table/table.dynamodb';
import { updateWrite } from '#shared/table/writes.dynamodb';
import type { WriteLastUse } from './last-uses.ts';
import { credentialKey } from './meter-store.dynamodb.ts';
import { within } from './timed-store.ts';

/** Stores the last use of credentials of this table. @param millis the longest wait for a write */
export const lastUseWriter =
  ({ client, name }: Table, millis: number): WriteLastUse =>
  async (credentialId, { at, hour }) => {
    const { Update: update } = updateWrite(name, credentialKey(credentialId), {
      change: 'SET lastUsedAt = :at',
      // Another function may have been first, and an erased credential must not come back.
      condition: 'attribute_exists(pk) AND (attribute_not_exists(lastUsedAt) OR lastUsedAt < :hour)',
      values: { at, hour },
    });
    await within(AbortSignal.timeout(millis), (abortSignal) =>
      whenAllowed(client.send(new UpdateItemCommand(update), { abortSignal })),
    );
  };
