import {
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { isoTime } from '#shared/formats/timestamp';
import { queryItems } from '#shared/table/queries.dynamodb';
import { type Item, type Key, readItem, type Table } from '#shared/table/table.dynamodb';
import { assignment, IS_NEW, putWrite, updateWrite } from '#shared/table/writes.dynamodb';
import type { RecordType } from '../schemas/schema.ts';
import { INDEX } from '../table-keys.ts';
import { MANIFEST_RETENTION_DAYS, type Manifest, type ManifestChange, type Manifests } from './manifest.ts';

const ManifestItem = z.object({
  version: z.int(),
  segments: z.array(
    z.object({
      id: z.string(),
      records: z.int(),
      bytes: z.int(),
      metaBytes: z.int(),
      tombstones: z.optional(z.object({ id: z.string(), deleted: z.int() })),
    }),
  ),
  written: z.optional(z.object({ byImports: z.int(), byMerges: z.int() })),
});
const manifestIn = (item: Item): Manifest => ManifestItem.parse(item);

/**
 * The most segments of one manifest: an item holds 400 KB. Merging keeps even a billion records below 200, so more than
 * this means that merging has stopped.
 */
const MAX_SEGMENTS = 2_000;

const partition = (type: RecordType) => `${INDEX}${type}`;
const headKey = (type: RecordType): Key => ({ pk: partition(type), sk: 'MANIFEST' });
const versionKey = (type: RecordType, version: number): Key => ({
  pk: partition(type),
  sk: `VERSION#${String(version).padStart(12, '0')}`,
});

/** The write of a step that comes with a change: one update in the same transaction. */
export type StepUpdate<Step> = (table: string, step: Step) => TransactWriteItem;

/** The manifests of each record type: the current one, and past ones as long as they may be read. */
export const manifestStore = <Step = never>(table: Table, stepUpdate?: StepUpdate<Step>): Manifests<Step> => ({
  async current(type) {
    return (await readItem(table, headKey(type), manifestIn)) ?? { version: 0, segments: [] };
  },

  async pinned(type, version) {
    return version === 0 ? { version, segments: [] } : readItem(table, versionKey(type, version), manifestIn);
  },

  async commit(change) {
    if (change.segments.length > MAX_SEGMENTS) {
      throw new Error(`The index of ${change.type} has more than ${MAX_SEGMENTS} segments: merging does not keep up.`);
    }
    try {
      await table.client.send(
        new TransactWriteItemsCommand({ TransactItems: writesOf(table.name, change, stepUpdate) }),
      );
      return 'committed';
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const reasons = error.CancellationReasons?.map(({ Code }) => Code) ?? [];
      if (change.step && reasons.length > 1 && reasons.at(-1) === 'ConditionalCheckFailed') return 'step-moved';
      // Another worker may win any of the items, and then not all of them.
      if (reasons[0] === 'ConditionalCheckFailed' || reasons.includes('TransactionConflict')) return 'index-moved';
      throw error;
    }
  },

  async readableSince(type, since) {
    const manifests: Manifest[] = [];
    const values = { pk: partition(type), version: 'VERSION#' };
    for await (const item of queryItems(table, { where: 'pk = :pk AND begins_with(sk, :version)', values })) {
      const { supersededAt, ...manifest } = item;
      if (supersededAt === undefined || supersededAt >= isoTime(since)) manifests.push(manifestIn(manifest));
    }
    return manifests;
  },
});

function writesOf<Step>(
  table: string,
  { type, base, segments, written, now, step }: ManifestChange<Step>,
  stepUpdate: StepUpdate<Step> | undefined,
): TransactWriteItem[] {
  if (step && !stepUpdate) throw new Error('This store of manifests cannot write steps.');
  const manifest: Manifest = { version: base.version + 1, segments, written };
  const ttl = Math.floor(now / 1000) + MANIFEST_RETENTION_DAYS * 86_400;
  const isFirst = base.version === 0;
  const isBase = { condition: 'version = :base', values: { base: base.version } };
  const superseded = assignment({ supersededAt: isoTime(now), ttl });
  return [
    putWrite(table, { ...headKey(type), ...manifest }, isFirst ? IS_NEW : isBase),
    putWrite(table, { ...versionKey(type, manifest.version), ...manifest }),
    ...(isFirst ? [] : [updateWrite(table, versionKey(type, base.version), superseded)]),
    ...(step && stepUpdate ? [stepUpdate(table, step)] : []),
  ];
}
