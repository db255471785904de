import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OnnxOcr } from '../../../functions/images/ocr/ocr.onnx.ts';
import { levenshteinDistance } from '../../../functions/images/receipts/labels.ts';
import { matchStore } from '../../../functions/images/receipts/matching.ts';
import { type ExaminedReceipt, examinedReceipt, PAGE_MILLIS } from './examined-receipt.ts';
import { type ExpectedReceipt, expectedReceipts } from './receipt-truth.ts';

/** One, so that the time of the processor that passes while a receipt is read is that of the receipt. */
const READERS = 1;
/** Share of the letters of a store's name that may be misread for it to be found among the stores of a campaign. */
const STORE_ERROR = 0.2;

interface Outcome {
  readonly image: string;
  readonly date: boolean;
  readonly total: boolean;
  readonly store: boolean;
  /** Found by its head among the names of all companies. */
  readonly matched: boolean;
  /** Taken for another company. */
  readonly mistaken: boolean;
  /** True also if nobody wrote the prices down. */
  readonly prices: boolean;
  readonly decided: boolean;
  /** Total and date are trusted, whatever the items. */
  readonly sumDecided: boolean;
  readonly verdict: string;
  readonly cpuMs: number;
  readonly doubts: readonly string[];
}

/**
 * Examines and judges the receipts in the folder that RECEIPTS_DIR names and compares them with its truth: truth.ndjson
 * has lines with `image`, `company`, `date` and `total`, and prices.ndjson, if there is one, lines with `image` and
 * `prices` in cents. RECEIPTS_COUNTRY is MY unless it is set. RECEIPTS_OF restricts them to `tune` or `report`: those with
 * an even or an odd number in their name, of which only the first may be looked at.
 */
export async function benchReceipts(): Promise<void> {
  const folder = process.env['RECEIPTS_DIR'];
  if (folder === undefined) {
    console.log('\nReceipts: RECEIPTS_DIR names no folder of pictures, so none are read.');
    return;
  }
  const all = expectedReceipts(folder);
  const waiting = all.filter(({ image }) => isWanted(image, process.env['RECEIPTS_OF']));
  const companies = all.map(({ company }) => company);
  const outcomes: Outcome[] = [];
  const reader = async () => {
    const ocr = new OnnxOcr({ timeLimitMs: PAGE_MILLIS });
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const bytes = readFileSync(join(folder, next.image));
      const country = process.env['RECEIPTS_COUNTRY'] ?? 'MY';
      const examined = await examinedReceipt(bytes, { country, stores: companies, ocr });
      outcomes.push(outcomeOf(next, examined, companies));
    }
    await ocr.close();
  };
  await Promise.all(Array.from({ length: READERS }, reader));
  report(outcomes);
}

function isWanted(image: string, half: string | undefined): boolean {
  if (half === undefined) return true;
  const even = Number(/\d+/.exec(image)?.[0] ?? 0) % 2 === 0;
  return half === (even ? 'tune' : 'report');
}

function outcomeOf(
  expected: ExpectedReceipt,
  { receipt, verdict, cpuMs }: ExaminedReceipt,
  companies: readonly string[],
): Outcome {
  const { doubts = ['unread'] } = receipt;
  const name = letters(receipt.store ?? '');
  const match = letters(matchStore({ head: [], ...receipt }, companies) ?? '');
  const prices = receipt.items?.map(({ price }) => price) ?? [];
  const wrong = Math.floor(STORE_ERROR * letters(expected.company).length);
  return {
    image: expected.image,
    date: receipt.date === expected.date,
    total: expected.total === undefined || receipt.total === expected.total,
    matched: match === letters(expected.company),
    mistaken: match !== '' && match !== letters(expected.company),
    prices: expected.prices === undefined || prices.join() === expected.prices.join(),
    store: levenshteinDistance(name, letters(expected.company), wrong) <= wrong,
    decided: doubts.length === 0,
    sumDecided: doubts.every((doubt) => doubt === 'items-unproven'),
    verdict,
    cpuMs,
    doubts,
  };
}

const letters = (name: string) => name.toUpperCase().replace(/[^A-Z0-9]/g, '');

function report(outcomes: readonly Outcome[]): void {
  const count = (holds: (one: Outcome) => boolean) => outcomes.filter(holds).length;
  const right = (one: Outcome) => one.date && one.total && !one.mistaken;
  console.log(`\nReceipts: ${outcomes.length} examined`);
  console.table({
    'date right': count(({ date }) => date),
    'total right': count(({ total }) => total),
    'store right': count(({ store }) => store),
    'store matched': count(({ matched }) => matched),
    'decided without a person': count(({ decided }) => decided),
    'of those right, with the price of every line': count((one) => one.decided && right(one) && one.prices),
    'total and date trusted': count(({ sumDecided }) => sumDecided),
    'of these right': count((one) => one.sumDecided && right(one)),
  });
  const doubts = Map.groupBy(
    outcomes.flatMap((one) => one.doubts),
    (doubt) => doubt,
  );
  console.table(Object.fromEntries([...doubts].map(([doubt, all]) => [`doubt: ${doubt}`, all.length])));
  const verdicts = [...Map.groupBy(outcomes, ({ verdict }) => verdict)].sort(([a], [b]) => a.localeCompare(b));
  console.table(Object.fromEntries(verdicts.map(([verdict, all]) => [`verdict: ${verdict}`, all.length])));
  const list = (name: string, holds: (one: Outcome) => boolean) =>
    console.log(
      `${name}: ${
        outcomes
          .filter(holds)
          .map(({ image }) => image)
          .sort()
          .join(' ') || 'none'
      }`,
    );
  list('decided and wrong', (one) => one.decided && !(right(one) && one.prices));
  list('taken for another store', ({ mistaken }) => mistaken);
  list('date wrong', ({ date }) => !date);
  list('total wrong', ({ total }) => !total);
  list('store wrong', ({ store }) => !store);
  list('invalid', ({ verdict }) => verdict.startsWith('invalid'));
  const times = outcomes.map(({ cpuMs }) => cpuMs).sort((a, b) => a - b);
  const seconds = (share: number) => ((times[Math.floor(share * (times.length - 1))] ?? 0) / 1000).toFixed(1);
  console.log(
    `${seconds(0.5)} s of the processor median, ${seconds(0.99)} s p99, ${seconds(1)} s most; ${Math.round(process.resourceUsage().maxRSS / 1024)} MB at most`,
  );
}
