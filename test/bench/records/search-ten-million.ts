import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataRecord } from '../../../functions/records/schemas/schema.ts';
import { SegmentCache } from '../../../functions/records/segments/query/segment-cache.ts';
import { segmentSearch } from '../../../functions/records/segments/query/segment-search.ts';
import { sizeOf } from '../size.ts';
import { type ClassFigures, classFigures } from './class-figures.ts';
import { generatedBetween } from './generated-businesses.ts';
import { LineSum } from './line-sum.ts';
import { QUERY_CLASSES, type QueryClass } from './search-queries.ts';
import { StepwiseIndex } from './stepwise-index.ts';
import { printFigures } from './ten-million-figures.ts';

/** The number of parts of ten million records. A smaller index has as many. */
const PARTS = 40;
const TENTH = 10;

/** The step that was done, and its figures. */
export interface Notes {
  readonly records: number;
  /** The figures of an index of a tenth of the records, which is removed again. */
  readonly small?: Cost;
  readonly built: number;
  readonly isMerged: boolean;
  readonly build: Cost;
  readonly shape?: Shape;
  readonly before: Readonly<Partial<Record<QueryClass, ClassFigures>>>;
  readonly replaced: number;
  readonly isMergedAgain: boolean;
  readonly replacing: Cost;
  readonly shapeAfter?: Shape;
  readonly after: Readonly<Partial<Record<QueryClass, ClassFigures>>>;
  readonly downloaded: number;
  readonly download: Cost;
  readonly sums: { readonly download: Sum; readonly expected: Sum };
}

interface Cost {
  readonly processorSeconds: number;
  readonly seconds: number;
  /** The most resident megabytes of the processes. */
  readonly peak: number;
}

export interface Shape {
  readonly segments: number;
  readonly megabytes: number;
  readonly amplification: number;
}

type Sum = Pick<LineSum, 'lines' | 'words'>;

const NO_COST: Cost = { processorSeconds: 0, seconds: 0, peak: 0 };
const NO_SUM: Sum = { lines: 0, words: [0, 0] };

/** One step of the bench, between which it can be interrupted. */
interface Step {
  readonly name: string;
  readonly run: () => Promise<Partial<Notes>>;
}

/**
 * Builds an index the way that imports do, part by part with the merges that follow; queries it warm, and cold with 20
 * ms for each read; replaces a tenth of its records; and reads all of them as a download does. Every step is noted in
 * the folder: with `INDEX_DIR`, a process continues where the last one ended, which may be after `MINUTES`.
 */
export async function benchTenMillion(): Promise<void> {
  const records = sizeOf('RECORDS', 10_000_000);
  const until = performance.now() + Number(process.env['MINUTES'] ?? Number.POSITIVE_INFINITY) * 60_000;
  const folder = process.env['INDEX_DIR'] ?? join(tmpdir(), `ten-million-${process.pid}`);
  const index = await openIndex(folder, records);
  try {
    if (index.notes.records !== records) throw new Error(`${folder} has ${index.notes.records} records.`);
    for (let step = nextStep(index, folder); step; step = nextStep(index, folder)) {
      if (performance.now() >= until) return console.log('Time is up. Run it again with the same INDEX_DIR.');
      const notes = await step.run();
      await index.endStep(notes);
      console.log(`${new Date().toISOString().slice(11, 19)} ${step.name}: ${index.manifest.segments.length} segments`);
    }
    printFigures(index.notes);
  } finally {
    await index.close();
    if (process.env['INDEX_DIR'] === undefined) await rm(folder, { recursive: true });
  }
}

const openIndex = (folder: string, records: number): Promise<StepwiseIndex<Notes>> =>
  StepwiseIndex.open<Notes>(folder, {
    maxMergedRecords: Math.ceil(records * 1.25),
    notes: {
      records,
      built: 0,
      isMerged: false,
      build: NO_COST,
      before: {},
      replaced: 0,
      isMergedAgain: false,
      replacing: NO_COST,
      after: {},
      downloaded: 0,
      download: NO_COST,
      sums: { download: NO_SUM, expected: NO_SUM },
    },
  });

/** The step that comes next; undefined when all are done. */
function nextStep(index: StepwiseIndex<Notes>, folder: string): Step | undefined {
  const { notes } = index;
  const { records, built, replaced, downloaded } = notes;
  if (!notes.small) return { name: 'a tenth built for comparison', run: () => buildSmall(`${folder}-tenth`, records) };
  if (built < PARTS) return { name: `built ${built + 1} of ${PARTS}`, run: () => buildPart(index) };
  if (!notes.isMerged) return { name: 'merged when quiet', run: () => mergeWhenQuiet(index) };
  const before = QUERY_CLASSES.find((name) => !notes.before[name]);
  if (before) return { name: `queried: ${before}`, run: () => query(index, 'before', before) };
  if (replaced < PARTS / TENTH)
    return { name: `replaced ${replaced + 1} of ${PARTS / TENTH}`, run: () => replacePart(index) };
  if (!notes.isMergedAgain) return { name: 'merged when quiet', run: () => mergeAgain(index) };
  const after = QUERY_CLASSES.find((name) => !notes.after[name]);
  if (after) return { name: `queried again: ${after}`, run: () => query(index, 'after', after) };
  if (downloaded < PARTS) return { name: `downloaded ${downloaded + 1} of ${PARTS}`, run: () => download(index) };
  return undefined;
}

/** The nth of 40 parts. */
const partOf = (records: number, n: number) => ({
  from: Math.floor((records * n) / PARTS),
  to: Math.floor((records * (n + 1)) / PARTS),
});

async function buildSmall(folder: string, records: number): Promise<Partial<Notes>> {
  await rm(folder, { recursive: true, force: true });
  const index = await openIndex(folder, records);
  try {
    const small = await costOf(NO_COST, async () => {
      for (let n = 0; n < PARTS / TENTH; n += 1) {
        const { from, to } = partOf(records, n);
        await index.import(generatedBetween(from, to));
      }
      while (await index.merge('quiet')) await index.endStep({});
    });
    return { small };
  } finally {
    await index.close();
    await rm(folder, { recursive: true });
  }
}

async function buildPart(index: StepwiseIndex<Notes>): Promise<Partial<Notes>> {
  const { records, built, build } = index.notes;
  const { from, to } = partOf(records, built);
  const cost = await costOf(build, async () => {
    await index.import(generatedBetween(from, to));
    while (await index.merge('busy'));
  });
  return { built: built + 1, build: cost };
}

async function mergeWhenQuiet(index: StepwiseIndex<Notes>): Promise<Partial<Notes>> {
  const { isMore, cost } = await mergeOnceQuiet(index, index.notes.build);
  return { isMerged: !isMore, build: cost, ...(!isMore && { shape: shapeOf(index) }) };
}

async function mergeAgain(index: StepwiseIndex<Notes>): Promise<Partial<Notes>> {
  const { isMore, cost } = await mergeOnceQuiet(index, index.notes.replacing);
  return { isMergedAgain: !isMore, replacing: cost, ...(!isMore && { shapeAfter: shapeOf(index) }) };
}

async function mergeOnceQuiet(index: StepwiseIndex<Notes>, before: Cost): Promise<{ isMore: boolean; cost: Cost }> {
  let isMore = false;
  const cost = await costOf(before, async () => {
    isMore = await index.merge('quiet');
  });
  return { isMore, cost };
}

const shapeOf = ({ manifest, megabytes, amplification }: StepwiseIndex<Notes>): Shape => ({
  segments: manifest.segments.length,
  megabytes,
  amplification,
});

async function query(
  index: StepwiseIndex<Notes>,
  when: 'before' | 'after',
  queryClass: QueryClass,
): Promise<Partial<Notes>> {
  const { storage, manifest, notes } = index;
  const figures = await classFigures(queryClass, { storage, segments: manifest.segments });
  return { [when]: { ...notes[when], [queryClass]: figures } };
}

/** Every tenth business of ten parts, with another telephone number. */
async function replacePart(index: StepwiseIndex<Notes>): Promise<Partial<Notes>> {
  const { records, replaced, replacing } = index.notes;
  const { from } = partOf(records, replaced * TENTH);
  const { to } = partOf(records, replaced * TENTH + TENTH - 1);
  const cost = await costOf(replacing, async () => {
    await index.import(replacements(from, to));
    while (await index.merge('busy'));
  });
  return { replaced: replaced + 1, replacing: cost };
}

function* replacements(from: number, to: number): Generator<DataRecord> {
  for (const [business, isReplaced] of lastBusinesses(from, to)) if (isReplaced) yield business;
}

/** The businesses after a tenth was replaced. */
function* lastBusinesses(from: number, to: number): Generator<readonly [DataRecord, isReplaced: boolean]> {
  let n = from;
  for (const business of generatedBetween(from, to)) {
    const isReplaced = n++ % TENTH === 0;
    yield [isReplaced ? { ...business, phones: ['555'] } : business, isReplaced];
  }
}

/** A part of all records, as the workers of a download read them; and a part of what all of them must be. */
async function download({ storage, manifest: { segments }, notes }: StepwiseIndex<Notes>): Promise<Partial<Notes>> {
  const { records, downloaded, sums } = notes;
  const part = partOf(records, downloaded);
  const read = new LineSum(sums.download.lines, sums.download.words);
  const expected = new LineSum(sums.expected.lines, sums.expected.words);
  const engine = segmentSearch(storage, new SegmentCache(64 << 20));
  const counts = (await engine.counts({ kind: 'all' }, segments)) ?? [];
  const cost = await costOf(notes.download, async () => {
    for await (const { bytes } of engine.lines({ kind: 'all' }, segments, counts, part)) read.addLines(bytes);
  });
  for (const [business] of lastBusinesses(part.from, part.to)) expected.add(JSON.stringify(business));
  return { downloaded: downloaded + 1, download: cost, sums: { download: read, expected } };
}

async function costOf(before: Cost, work: () => Promise<void>): Promise<Cost> {
  const start = performance.now();
  const used = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(used);
  return {
    processorSeconds: before.processorSeconds + (user + system) / 1e6,
    seconds: before.seconds + (performance.now() - start) / 1000,
    peak: Math.max(before.peak, process.resourceUsage().maxRSS / 1024),
  };
}
