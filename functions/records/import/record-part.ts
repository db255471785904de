import type { JobStep } from '#shared/import/import-job';
import type { ImportedKind } from '#shared/import/imported-kind';
import type { PartContent } from '#shared/import/part';
import { entriesOf, entryEnds } from '#shared/import/rows/entries';
import { type IndexWriter, WrittenObjects } from '../index/index-writer.ts';
import { type DataRecord, isRecordType, type RecordType } from '../schemas/schema.ts';
import { SCHEMAS } from '../schemas/schemas.ts';
import { SegmentBuilder } from '../segments/build/segment-builder.ts';
import { recordReader } from './rows/record-reader.ts';

/** The size at which a part is full. All of it is held in memory until it is in the index. */
export interface PartLimits {
  readonly records: number;
  /** Bytes of JSON text. */
  readonly bytes: number;
  readonly rejections: number;
  /** A file of fewer bytes is imported by one worker. */
  readonly smallFile: number;
}

export const PART_LIMITS: PartLimits = {
  records: 250_000,
  bytes: 256 * 1024 * 1024,
  rejections: 100_000,
  smallFile: 32 * 1024 * 1024,
};

/** A part of a file ends before its records are too many bytes, since import maps and ids make records longer. */
const TEXT_SHARE = 0.75;

/** Records read from files, and parts that become segments of the index. */
export const importedRecords = (writer: IndexWriter<JobStep>, limits: PartLimits): ImportedKind<DataRecord> => ({
  entriesOf: (chunks, { job, map }) =>
    entriesOf(chunks, {
      file: { ...job, name: job.object.key },
      reader: recordReader(SCHEMAS[typeOf(job)], map),
    }),
  newPart: (job) => recordPart(writer, typeOf(job), limits),
  maxRejections: limits.rejections,
  division: {
    size: { entries: limits.records, bytes: limits.bytes * TEXT_SHARE },
    smallFileBytes: limits.smallFile,
    entryEnds: (chunks, job) => entryEnds(chunks, { ...job, name: job.object.key }),
    commitStored: (content, step, now) =>
      writer.addWritten(WrittenObjects.parse(content), { type: typeOf(step.before), step, now }),
  },
});

function typeOf({ type }: { readonly type: string }): RecordType {
  if (!isRecordType(type)) throw new Error(`An import of records cannot be of the type ${type}.`);
  return type;
}

/** One segment. It is added to the index in one transaction with the step, and so exactly once. */
function recordPart(writer: IndexWriter<JobStep>, type: RecordType, limits: PartLimits): PartContent<DataRecord> {
  const builder = new SegmentBuilder(SCHEMAS[type]);
  let added = 0;
  return {
    add(record) {
      builder.add(record);
      added += 1;
    },
    addDeletion(id) {
      builder.addDeletion(id);
      added += 1;
    },
    isFull: () => added >= limits.records || builder.estimatedBytes >= limits.bytes,
    commit: (step, now) => writer.add(builder, { type, step, now }),
    store: () => writer.write(builder),
  };
}
