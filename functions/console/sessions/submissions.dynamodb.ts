import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { getItem, marshalled, putNewItem, type Table } from '#shared/table/table.dynamodb';
import { FORM } from '../table-keys.ts';
import { sessionKeyOf } from './session.ts';
import type { Submission, Submissions } from './submissions.ts';

/** The retention of submissions: longer than a session. */
const RETENTION_SECONDS = 86_400;

const keyOf = ({ sessionId, nonce }: Submission) => ({ pk: `${FORM}${sessionKeyOf(sessionId)}`, sk: nonce });

/** @param newClaim returns a unique text */
export const submissionStore = (table: Table, newClaim: () => string): Submissions => ({
  async claim(submission, now) {
    // Claims must differ, because an identical item would count as put.
    const claimed = { claim: newClaim(), ttl: Math.ceil(now / 1_000) + RETENTION_SECONDS };
    return putNewItem(table, { ...keyOf(submission), ...claimed });
  },

  async led(submission, location) {
    await table.client.send(
      new UpdateItemCommand({
        TableName: table.name,
        Key: marshalled(keyOf(submission)),
        UpdateExpression: 'SET #location = :location',
        ExpressionAttributeNames: { '#location': 'location' },
        ExpressionAttributeValues: marshalled({ ':location': location }),
      }),
    );
  },

  async locationOf(submission) {
    const item = await getItem(table, keyOf(submission));
    return typeof item?.['location'] === 'string' ? item['location'] : undefined;
  },
});
