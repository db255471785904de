import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { OnnxOcr } from '../../../functions/images/ocr/ocr.onnx.ts';
import { type DistortionName, UNREADABLE } from '../../support/images/receipts/distortions.ts';
import { receiptOfSeed } from '../../support/images/receipts/generated-receipt.ts';
import { samePrices } from '../../support/images/receipts/purchase.ts';
import { TUNING_SEEDS } from '../../support/images/receipts/seeds.ts';
import { sizeOf } from '../size.ts';
import { examinedReceipt, PAGE_MILLIS } from './examined-receipt.ts';

const COUNT = 40;
/** Countries that no seed draws unless they are asked for. */
const COUNTRIES = ['FR', 'IT', 'ES'] as const;

interface Outcome {
  readonly seed: number;
  readonly layout: string;
  readonly distortion: string;
  readonly file: string;
  readonly face: string;
  readonly date: boolean;
  readonly total: boolean;
  /** The price of every item, in their order. */
  readonly prices: boolean;
  readonly decided: boolean;
  readonly doubts: readonly string[];
  readonly verdict: string;
  readonly cpuMs: number;
}

/**
 * Reads generated receipts and compares them with their truth. RECEIPTS_FIRST is the first seed and RECEIPTS_COUNT how many
 * follow; RECEIPTS_COUNTRY takes them from France, Italy or Spain; RECEIPTS_UNREADABLE=1 takes pictures that must not be decided from. RECEIPTS_OUTCOMES names a file that
 * keeps outcomes: seeds that it holds are not read again, so that a long run can be made in parts.
 */
export async function benchGeneratedReceipts(): Promise<void> {
  const first = Number(process.env['RECEIPTS_FIRST'] ?? TUNING_SEEDS.first);
  const count = sizeOf('RECEIPTS_COUNT', COUNT);
  const file = process.env['RECEIPTS_OUTCOMES'];
  const outcomes = keptOutcomes(file).filter(({ seed }) => seed >= first && seed < first + count);
  const ocr = new OnnxOcr({ timeLimitMs: PAGE_MILLIS });
  for (let seed = first; seed < first + count; seed += 1) {
    if (outcomes.some((one) => one.seed === seed)) continue;
    const outcome = await outcomeOf(seed, ocr);
    outcomes.push(outcome);
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(outcome)}\n`);
  }
  await ocr.close();
  console.log(`\nGenerated receipts: seeds ${first} to ${first + count - 1}`);
  report(outcomes);
}

function keptOutcomes(file: string | undefined): Outcome[] {
  if (file === undefined || !existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Outcome);
}

async function outcomeOf(seed: number, ocr: OnnxOcr): Promise<Outcome> {
  const unreadable = Object.keys(UNREADABLE) as DistortionName[];
  const distortion = process.env['RECEIPTS_UNREADABLE'] === '1' ? unreadable[seed % unreadable.length] : undefined;
  const country = COUNTRIES.find((one) => one === process.env['RECEIPTS_COUNTRY']);
  const generated = receiptOfSeed(seed, { distortion, country });
  const { truth, layout, file, look } = generated;
  const { bytes } = await generated.render();
  const { receipt, verdict, cpuMs } = await examinedReceipt(bytes, {
    country: truth.country,
    stores: [truth.store],
    ocr,
  });
  const { items = [], doubts = ['unread'] } = receipt;
  return {
    seed,
    layout,
    distortion: generated.distortion,
    file,
    face: look.face.family,
    date: receipt.date === truth.date,
    total: receipt.total === truth.total,
    prices: samePrices(
      items.map(({ price }) => price),
      truth,
    ),
    decided: doubts.length === 0,
    doubts,
    verdict,
    cpuMs,
  };
}

function report(outcomes: readonly Outcome[]): void {
  console.table({ all: rowOf(outcomes) });
  for (const by of ['distortion', 'layout', 'face', 'file'] as const) {
    const groups = [...Map.groupBy(outcomes, (one) => one[by])];
    console.table(Object.fromEntries(groups.map(([name, group]) => [name, rowOf(group)])));
  }
  const doubts = Map.groupBy(
    outcomes.flatMap((one) => one.doubts),
    (doubt) => doubt,
  );
  console.table(Object.fromEntries([...doubts].map(([doubt, all]) => [`doubt: ${doubt}`, all.length])));
  const verdicts = [...Map.groupBy(outcomes, ({ verdict }) => verdict)].sort(([a], [b]) => a.localeCompare(b));
  console.table(Object.fromEntries(verdicts.map(([verdict, all]) => [`verdict: ${verdict}`, all.length])));
  list('decided and wrong', outcomes, (one) => one.decided && !right(one));
  list('date wrong', outcomes, ({ date }) => !date);
  list('total wrong', outcomes, ({ total }) => !total);
  list('prices wrong', outcomes, ({ prices }) => !prices);
  list('invalid', outcomes, ({ verdict }) => verdict.startsWith('invalid'));
}

const right = ({ date, total, prices }: Outcome) => date && total && prices;

function list(name: string, outcomes: readonly Outcome[], holds: (one: Outcome) => boolean): void {
  const matches = outcomes.filter(holds).map(({ seed, layout, distortion }) => `${seed} (${layout}, ${distortion})`);
  console.log(`${name}: ${matches.join(', ') || 'none'}`);
}

function rowOf(outcomes: readonly Outcome[]) {
  const count = (holds: (one: Outcome) => boolean) => outcomes.filter(holds).length;
  const times = outcomes.map(({ cpuMs }) => cpuMs).sort((a, b) => a - b);
  const seconds = (share: number) => ((times[Math.floor(share * (times.length - 1))] ?? 0) / 1000).toFixed(1);
  return {
    read: outcomes.length,
    date: count(({ date }) => date),
    total: count(({ total }) => total),
    'all prices': count(({ prices }) => prices),
    decided: count(({ decided }) => decided),
    'decided and right': count((one) => one.decided && right(one)),
    'CPU s p50': seconds(0.5),
    'CPU s p99': seconds(0.99),
  };
}
