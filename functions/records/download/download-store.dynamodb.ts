import { type TransactWriteItem, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { returningDownloads, takingDownloads } from '#shared/auth/data-accounts.dynamodb';
import { marshalled, type Table, type Transacted, transact, whenAllowed } from '#shared/table.dynamodb';
import { RUNNING_DOWNLOADS } from '../table-keys.ts';
import { fileKey, planKey, requestKey, requestUpdate } from './download-items.dynamodb.ts';
import { type DownloadRequest, filesOf } from './download-request.ts';
import { downloadStates } from './download-states.dynamodb.ts';
import { type DownloadKey, type Downloads, RESULT_SECONDS, type Reserved } from './downloads.ts';

/** @param accounts the table that holds how many records each token may still download. */
export const downloadStore = (table: Table, accounts: Table): Downloads => {
  const update = (key: DownloadKey, change: string, values: object, condition?: string) => ({
    Update: requestUpdate(table.name, key, { change, values, ...(condition && { condition }) }),
  });

  /** A plan without a place in the list of what runs. */
  const unlisted = (key: DownloadKey): TransactWriteItem => ({
    Update: {
      TableName: table.name,
      Key: marshalled(planKey(key)),
      UpdateExpression: 'REMOVE #list, #position',
      ExpressionAttributeNames: { '#list': 'list', '#position': 'position' },
    },
  });

  const states = downloadStates(table);

  return {
    ...states,

    async start(request, plan) {
      const outcome = await transact(table, [
        {
          Put: {
            TableName: table.name,
            Item: marshalled({ ...planKey(request), ...plan, tokenId: request.tokenId, ...listing(request) }),
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
        { Put: { TableName: table.name, Item: marshalled({ ...requestKey(request), ...request }) } },
        { Update: takingDownloads(accounts, request.tokenId, request.numRequested) },
      ]);
      if (!outcome.done && outcome.refused[0]) return 'id-taken';
      return reserved(outcome, 2);
    },

    async planned(request, { counts }) {
      const { numFound, numRequested } = request;
      const outcome = await transact(table, [
        update(request, 'SET numFound = :found, numRequested = :requested', {
          ':found': numFound,
          ':requested': numRequested,
        }),
        {
          Update: {
            TableName: table.name,
            Key: marshalled(planKey(request)),
            UpdateExpression: 'SET #counts = :counts',
            ConditionExpression: 'attribute_not_exists(#counts)',
            ExpressionAttributeNames: { '#counts': 'counts' },
            ExpressionAttributeValues: marshalled({ ':counts': counts }),
          },
        },
        { Update: takingDownloads(accounts, request.tokenId, numRequested) },
      ]);
      if (!outcome.done && (outcome.refused[0] || outcome.refused[1])) return 'ended';
      return reserved(outcome, 2);
    },

    async addFile(request, file) {
      const isOnly = filesOf(request) === 1;
      const done = isOnly ? ', #status = :completed, completedAt = :now' : '';
      const outcome = await transact(table, [
        {
          Put: {
            TableName: table.name,
            Item: marshalled({ ...fileKey(request, file.file), ...file, ttl: expiry(file.createdAt) }),
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
        update(
          request,
          `SET progressedAt = :now${done} ADD numDownloaded :records, filesDone :one REMOVE troubles, wakings, wokenAt`,
          {
            ':now': file.createdAt,
            ':records': file.records,
            ':one': 1,
            ...(isOnly && { ':completed': 'COMPLETED' }),
          },
        ),
        ...(isOnly ? [unlisted(request)] : []),
      ]);
      if (outcome.done) return 'added';
      return outcome.refused[0] ? 'there' : 'ended';
    },

    async complete(key, now) {
      const request = await states.request(key);
      if (request?.status !== 'STARTED' || request.filesDone < filesOf(request)) return;
      const change = 'SET #status = :completed, completedAt = :now';
      await transact(table, [
        update(key, change, { ':completed': 'COMPLETED', ':now': now.toISOString() }),
        unlisted(key),
      ]);
    },

    async fail(key, error, now) {
      for (;;) {
        const request = await states.request(key);
        if (request?.status !== 'STARTED') return;
        const { numRequested, numDownloaded } = request;
        const outcome = await transact(table, [
          update(
            key,
            'SET #status = :completed, completedAt = :now, #error = :error',
            {
              ':completed': 'COMPLETED',
              ':now': now.toISOString(),
              ':error': error,
              ':requested': numRequested,
              ':downloaded': numDownloaded,
            },
            ' AND numRequested = :requested AND numDownloaded = :downloaded',
          ),
          unlisted(key),
          { Update: returningDownloads(accounts, key.tokenId, numRequested - numDownloaded) },
        ]);
        // Another file came in between: what is given back must be what is missing.
        if (outcome.done) return;
      }
    },

    async noteTrouble(key) {
      const write = await whenAllowed(
        table.client.send(
          new UpdateItemCommand({
            ...update(key, 'ADD troubles :one', { ':one': 1 }).Update,
            ReturnValues: 'UPDATED_NEW',
          }),
        ),
      );
      return write.done && write.result.Attributes ? Number(unmarshall(write.result.Attributes)['troubles']) : 0;
    },
  };
};

/** Started downloads are found in order of time. */
const listing = ({ id, startedAt }: DownloadRequest) => ({
  id,
  list: RUNNING_DOWNLOADS,
  position: `${startedAt}#${id}`,
});

const expiry = (createdAt: string) => Math.floor(Date.parse(createdAt) / 1000) + RESULT_SECONDS;

/** @param taking which of the writes takes the records. */
function reserved(outcome: Transacted, taking: number): Reserved {
  if (outcome.done) return 'reserved';
  return outcome.refused[taking]?.item?.['revokedAt'] === undefined ? 'too-few-credits' : 'token-revoked';
}
