import { DeleteItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { ROLES } from '#shared/auth/role';
import { getItem, marshalled, putNewItem, type Table, whenAllowed } from '#shared/table/table.dynamodb';
import { SESSION } from '../table-keys.ts';
import { opened, sealed } from './sealed-tokens.ts';
import { endOf, type Session, sessionKeyOf } from './session.ts';
import type { Sessions } from './sessions.ts';

const Item = z.object({
  person: z.object({
    name: z.string(),
    subject: z.optional(z.string()),
    tenant: z.string(),
    isOperator: z.boolean(),
    role: z.optional(z.enum(ROLES)),
  }),
  sealed: z.instanceof(Uint8Array),
  signedInAt: z.number(),
  lastRequestAt: z.number(),
  hasEnteredCode: z.optional(z.boolean()),
});

const keyOf = (sessionId: string) => ({ pk: `${SESSION}${sessionKeyOf(sessionId)}`, sk: 'SESSION' });
const ttlOf = (session: Pick<Session, 'signedInAt' | 'lastRequestAt'>) => Math.ceil(endOf(session) / 1_000);

export const sessionStore = (table: Table): Sessions => ({
  async add(sessionId, { tokens, ...session }) {
    const item = { ...keyOf(sessionId), ...session, sealed: sealed(tokens, sessionId), ttl: ttlOf(session) };
    if (!(await putNewItem(table, item))) throw new Error('The id of a new session is in use.');
  },

  async byId(sessionId) {
    const item = await getItem(table, keyOf(sessionId));
    if (!item) return undefined;
    const { sealed: bytes, ...session } = Item.parse(item);
    return { ...session, tokens: opened(bytes, sessionId) };
  },

  async note(sessionId, session) {
    await whenAllowed(
      table.client.send(
        new UpdateItemCommand({
          TableName: table.name,
          Key: marshalled(keyOf(sessionId)),
          ConditionExpression: 'attribute_exists(pk)',
          // Another request may have recorded the code since this one read the session.
          UpdateExpression: `SET person = :person, lastRequestAt = :lastRequestAt, sealed = :sealed, #ttl = :ttl${session.hasEnteredCode ? ', hasEnteredCode = :true' : ''}`,
          ExpressionAttributeNames: { '#ttl': 'ttl' },
          ExpressionAttributeValues: marshalled({
            ':person': session.person,
            ':lastRequestAt': session.lastRequestAt,
            ...(session.hasEnteredCode && { ':true': true }),
            ':sealed': sealed(session.tokens, sessionId),
            ':ttl': ttlOf(session),
          }),
        }),
      ),
    );
  },

  async end(sessionId) {
    await table.client.send(new DeleteItemCommand({ TableName: table.name, Key: marshalled(keyOf(sessionId)) }));
  },
});
