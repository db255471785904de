import {
  QueryCommand,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import { getItem, type Key, marshalled, type Table } from '#shared/table.dynamodb';
import { jobUpdate } from '../import/import-store.dynamodb.ts';
import type { RecordType } from '../schemas/schema.ts';
import type { Manifest } from '../segments/format/segment-ref.ts';
import type { IndexChange, IndexStore } from './manifest.ts';

const ManifestItem = z.object({
  version: z.number().int(),
  segments: z.array(
    z.object({
      id: z.string(),
      records: z.number().int(),
      bytes: z.number().int(),
      metaBytes: z.number().int(),
      tombstones: z.object({ id: z.string(), deleted: z.number().int() }).optional(),
    }),
  ),
});

/**
 * Segments of one manifest at the most: an item holds 400 KB. Merging keeps even a billion records below 300, so more
 * than this means that merging has stopped.
 */
const MAX_SEGMENTS = 2_000;

/** Past manifests are found by version for this long after they were replaced; a pinned reader needs them. */
const KEPT_DAYS = 9;

const partition = (type: RecordType) => `INDEX#${type}`;
const headKey = (type: RecordType): Key => ({ pk: partition(type), sk: 'MANIFEST' });
const versionKey = (type: RecordType, version: number): Key => ({
  pk: partition(type),
  sk: `VERSION#${String(version).padStart(12, '0')}`,
});

/** The manifests of each record type: the current one, and the past ones while somebody may read by them. */
export const indexStore = (table: Table): IndexStore => ({
  async current(type) {
    const item = await getItem(table, headKey(type));
    return item ? ManifestItem.parse(item) : { version: 0, segments: [] };
  },

  async pinned(type, version) {
    if (version === 0) return { version, segments: [] };
    const item = await getItem(table, versionKey(type, version));
    return item && ManifestItem.parse(item);
  },

  async commit(change) {
    if (change.segments.length > MAX_SEGMENTS) {
      throw new Error(`The index of ${change.type} has more than ${MAX_SEGMENTS} segments: merging does not keep up.`);
    }
    try {
      await table.client.send(new TransactWriteItemsCommand({ TransactItems: writesOf(table.name, change) }));
      return 'committed';
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const [head, ...others] = error.CancellationReasons?.map(({ Code }) => Code) ?? [];
      if (change.job && others.at(-1) === 'ConditionalCheckFailed') return 'job-moved';
      if (head === 'ConditionalCheckFailed' || head === 'TransactionConflict') return 'index-moved';
      throw error;
    }
  },

  async readableSince(type, since) {
    const manifests: Manifest[] = [];
    let start: Record<string, unknown> | undefined;
    do {
      const page = await table.client.send(
        new QueryCommand({
          TableName: table.name,
          ConsistentRead: true,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :version)',
          ExpressionAttributeValues: marshalled({ ':pk': partition(type), ':version': 'VERSION#' }),
          ...(start && { ExclusiveStartKey: marshalled(start) }),
        }),
      );
      for (const item of page.Items ?? []) {
        const { supersededAt, ...manifest } = unmarshall(item);
        if (supersededAt === undefined || supersededAt >= since.toISOString())
          manifests.push(ManifestItem.parse(manifest));
      }
      start = page.LastEvaluatedKey && unmarshall(page.LastEvaluatedKey);
    } while (start);
    return manifests;
  },
});

function writesOf(table: string, { type, base, segments, now, job }: IndexChange): TransactWriteItem[] {
  const manifest: Manifest = { version: base.version + 1, segments };
  const ttl = Math.floor(now.getTime() / 1000) + KEPT_DAYS * 86_400;
  return [
    {
      Put: {
        TableName: table,
        Item: marshalled({ ...headKey(type), ...manifest }),
        ConditionExpression: base.version === 0 ? 'attribute_not_exists(pk)' : 'version = :base',
        ...(base.version > 0 && { ExpressionAttributeValues: marshalled({ ':base': base.version }) }),
      },
    },
    { Put: { TableName: table, Item: marshalled({ ...versionKey(type, manifest.version), ...manifest }) } },
    ...(base.version === 0
      ? []
      : [
          {
            Update: {
              TableName: table,
              Key: marshalled(versionKey(type, base.version)),
              UpdateExpression: 'SET supersededAt = :now, #ttl = :ttl',
              ExpressionAttributeNames: { '#ttl': 'ttl' },
              ExpressionAttributeValues: marshalled({ ':now': now.toISOString(), ':ttl': ttl }),
            },
          },
        ]),
    ...(job ? [{ Update: jobUpdate(table, job) }] : []),
  ];
}
