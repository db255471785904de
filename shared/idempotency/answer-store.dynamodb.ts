import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { DeleteItemCommand, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { type Key, type Table, whenAllowed } from '#shared/table/table.dynamodb';
import { deleteWrite, putWrite, updateWrite } from '#shared/table/writes.dynamodb';
import { ANSWER, type Answers, claimedBy } from './answer.ts';

const RETENTION_SECONDS = 86_400;

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);
/**
 * Responses repeat parts of their requests. A window as large as the longest body compresses even those well below the
 * 400 KB of an item.
 */
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 22 } };

const keyOf = (name: string): Key => ({ pk: `${ANSWER}${name}`, sk: 'ANSWER' });

const AnswerItem = z.object({
  fp: z.string(),
  code: z.optional(z.int()),
  type: z.optional(z.string()),
  body: z.optional(z.instanceof(Uint8Array)),
});

const IS_CLAIMED = 'o = :owner AND s = :pending';

/** @param callMillis timeout of one call to the table; after it, the request is served without idempotency */
export function answerStore({ client, name: tableName }: Table, callMillis: number): Answers {
  const limit = () => ({ abortSignal: AbortSignal.timeout(callMillis) });
  return {
    async claim({ name, fingerprint, owner, until }, now) {
      const seconds = Math.floor(now / 1_000);
      const item = { ...keyOf(name), fp: fingerprint, o: owner, s: 'P', lx: until, ttl: seconds + RETENTION_SECONDS };
      const { Put: put } = putWrite(tableName, item, {
        // An expired item may stay in the table for days, so the condition contains its time.
        condition: 'attribute_not_exists(pk) OR #ttl < :seconds OR (s = :pending AND lx < :millis)',
        values: { seconds, pending: 'P', millis: now },
        returnsOld: true,
      });
      const claimed = await whenAllowed(client.send(new PutItemCommand(put), limit()));
      if (claimed.done) return { kind: 'first' };
      return claimedBy(await storedIn(claimed.item), { fingerprint });
    },
    async complete({ name, owner }, { status, contentType, body }) {
      const { Update: update } = updateWrite(tableName, keyOf(name), {
        change: 'SET s = :complete, code = :code, #type = :type, body = :body REMOVE lx',
        condition: IS_CLAIMED,
        values: {
          complete: 'C',
          pending: 'P',
          owner,
          code: status,
          type: contentType,
          body: await compress(body, COMPRESSION),
        },
      });
      await whenAllowed(client.send(new UpdateItemCommand(update), limit()));
    },
    async release({ name, owner }) {
      const isClaimed = { condition: IS_CLAIMED, values: { owner, pending: 'P' } };
      const { Delete: remove } = deleteWrite(tableName, keyOf(name), isClaimed);
      await whenAllowed(client.send(new DeleteItemCommand(remove), limit()));
    },
  };
}

async function storedIn(item: unknown) {
  const { fp, code, type = '', body = Buffer.alloc(0) } = AnswerItem.parse(item);
  if (code === undefined) return { fingerprint: fp };
  return {
    fingerprint: fp,
    answer: { status: code, contentType: type, body: (await decompress(body)).toString('utf8') },
  };
}
