import { PRICES } from '../../../cdk/cost/prices.ts';
import { pointersOf } from '../../../functions/images/duplicates/pointer.ts';
import { POINTER } from '../../../functions/images/table-keys.ts';
import { atOnce } from '../../../shared/at-once.ts';
import { putNewItem } from '../../../shared/table/table.dynamodb.ts';
import { examination, hashOfSeed, readItem, readReceipt } from '../../support/images/examinations.ts';
import { imageBytes } from '../../support/images/image-bytes.ts';
import { newValidation, store } from '../../support/images/validations.ts';
import { capturedOutput } from '../captured-output.ts';
import { type Charge, dollars, perMillion, printCalls, printCharges } from '../costs/charges.ts';
import { sizeOf } from '../size.ts';
import { type Counted, storageCharges, validationCharges } from './images-charges.ts';
import { type ImagesCostDesk, INDEX_NAMES, type Life, type Lived, openImagesCostDesk } from './images-cost-desk.ts';

/** For a record of one image, in dollars. */
export const TARGET = 0.0015;

/** Seconds of a whole processor that a receipt takes on average: the bench `examination`. */
const EXAMINE_SECONDS = 3.3;
const RECORDS = 20;
const WARM_UP = 5;
/** Each is put among 800 others. */
const CROWDED_RECORDS = 3;
const MEGABYTE = 1_000_000;
/** Pictures of which one part is as another's: as many as are read of a part. */
const ALIKE_IN_A_PART = 50;

export interface Scenario {
  readonly name: string;
  readonly images: number;
  readonly imageBytes: number;
  readonly isUploaded?: boolean;
  /** A person must look. */
  readonly isUncertain?: boolean;
  /** The same file has been awarded before. */
  readonly isDuplicate?: boolean;
  /** Each part of its perceptual hash is found as often as is read. */
  readonly isCrowded?: boolean;
}

export const SCENARIOS = {
  inline: { name: 'a receipt of 2 MB inline, decided by the machine', images: 1, imageBytes: 2 * MEGABYTE },
  upload: { name: 'the same, uploaded', images: 1, imageBytes: 2 * MEGABYTE, isUploaded: true },
  review: { name: 'the same inline, decided by a person', images: 1, imageBytes: 2 * MEGABYTE, isUncertain: true },
  duplicate: { name: 'a file that was awarded before', images: 1, imageBytes: 2 * MEGABYTE, isDuplicate: true },
  crowded: { name: 'inline, among pictures that are alike', images: 1, imageBytes: 2 * MEGABYTE, isCrowded: true },
  ten: { name: 'ten images of 0.4 MB inline', images: 10, imageBytes: 0.4 * MEGABYTE },
} as const satisfies Record<string, Scenario>;

/**
 * What AWS charges for an image validation, from the request to the event: the calls of the real code are counted where
 * they are made, the transitions by the machine itself. `RECORDS` sets how many are measured.
 */
export async function benchImagesCost(): Promise<void> {
  const { date, region, architecture } = PRICES;
  console.log(`\nCost of image validations: list prices ${region}, ${architecture}, ${date}`);
  const records = sizeOf('RECORDS', RECORDS);
  const desk = await openImagesCostDesk(EXAMINE_SECONDS);
  try {
    await measured(desk, SCENARIOS.upload, { records: WARM_UP });
    for (const scenario of Object.values<Scenario>(SCENARIOS)) {
      const some = scenario.isCrowded ? Math.min(records, CROWDED_RECORDS) : records;
      print(scenario, await measured(desk, scenario, { records: some }));
    }
  } finally {
    await desk.close();
  }
  printStorage();
  console.log(
    [
      `Time: examining takes ${EXAMINE_SECONDS} s of a whole processor, as the bench \`examination\` measures; otherwise processor time`,
      'of this process by the share of a processor that the memory gives; and waits, of which those at the same time are one:',
      '8 ms for a read or write, 20 ms for a transaction, 60 ms to get and 100 ms to put a picture, 30 ms for the bus, 50 ms for',
      'Step Functions. Each function starts with nothing in its caches. Not in it: cold starts, transfer to reviewers, what rules',
      `on the events do. Amazon Textract would add ${dollars(PRICES.perUnit.textractExpensePage)} for every page that it is asked about.`,
    ].join('\n'),
  );
}

export const inDollars = (charges: readonly Charge[]) => perMillion(charges) / 1e6;

function print({ name }: Scenario, counted: Counted): void {
  console.log(`\n${name}`);
  printCalls(counted.entries, counted.records, INDEX_NAMES);
  const charges = validationCharges(counted);
  printCharges(charges, [['total', charges]]);
  console.log(`${dollars(perMillion(charges))} per million; target for one image: ${dollars(TARGET * 1e6)}.`);
}

/** Sixteen parts of a perceptual hash and a hash, of some 250 bytes each; DynamoDB adds a hundred to every item. */
const POINTER_BYTES = 17 * 350;

/** Half a megabyte is usual. */
function printStorage(): void {
  const charges = storageCharges(MEGABYTE / 2, POINTER_BYTES);
  console.log('\nA picture of 0.5 MB, kept for 400 days');
  printCharges(charges, [['total', charges]]);
}

/** First for the times, then once more for the calls. @param areTimed whether times matter @default true */
export async function measured(
  desk: ImagesCostDesk,
  scenario: Scenario,
  { records, areTimed = true }: { records: number; areTimed?: boolean },
): Promise<Counted> {
  const { ledger } = desk;
  const output = capturedOutput();
  try {
    const timed = areTimed ? await lives(desk, scenario, { records, isTimed: true }) : undefined;
    const begun = ledger.entries.length;
    const counted = await lives(desk, scenario, { records, isTimed: false });
    const sum = (figure: (one: Lived) => number) => counted.reduce((total, one) => total + figure(one), 0);
    return {
      records,
      calls: (timed ?? counted).flatMap(({ calls }) => calls),
      entries: ledger.entries.slice(begun),
      transitions: sum(({ transitions }) => transitions),
      bodyBytes: sum(({ bodyBytes }) => bodyBytes) / records,
      uploads: sum(({ uploads }) => uploads),
    };
  } finally {
    output.end();
  }
}

interface Lives {
  readonly records: number;
  readonly isTimed: boolean;
}

async function lives(desk: ImagesCostDesk, scenario: Scenario, { records, isTimed }: Lives): Promise<Lived[]> {
  const { ledger } = desk;
  const lived: Lived[] = [];
  for (let n = 0; n < records; n += 1) {
    const life = newLife(scenario);
    ledger.isPaused = true;
    if (scenario.isDuplicate) await desk.live(life);
    if (scenario.isCrowded) await crowd(desk, life);
    ledger.isPaused = isTimed;
    const one = await desk.live(life);
    const { status, wasReviewed } = one;
    if (status !== (scenario.isDuplicate ? 'invalid' : 'valid')) throw new Error(`The record is ${status}.`);
    if (wasReviewed !== (scenario.isUncertain ?? false)) throw new Error('A person decides, or does not.');
    lived.push(one);
  }
  return lived;
}

let lifes = 0;
const ITEMS = 12;

/** A receipt of twelve items, of which two count, like no other. */
function newLife({ images, imageBytes: bytes, isUploaded = false, isUncertain = false }: Scenario): Life {
  lifes += 1;
  const two = (value: number) => String(value).padStart(2, '0');
  const corners = [
    [0.10416, 0.30208],
    [0.88541, 0.30208],
    [0.88541, 0.32552],
    [0.10416, 0.32552],
  ] as const;
  const place = { page: 0, corners };
  const names = ['WHOLE MILK', 'OAT DRINK', ...Array.from({ length: ITEMS - 2 }, (_, at) => `ARTICLE ${at} OF MANY`)];
  const receipt = readReceipt({
    time: `${two(Math.floor(lifes / 60) % 24)}:${two(lifes % 60)}`,
    number: `T-${lifes}`,
    items: names.map((name) => readItem(name, 146, { place })),
    places: { store: place, date: place, total: place, subtotal: place, tax: place },
    doubts: isUncertain ? ['items-unproven'] : [],
  });
  return {
    images: Array.from({ length: images }, (_, at) => imageBytes(`${lifes}-${at}`, { bytes })),
    isUploaded,
    examination: examination(receipt, { perceptualHash: hashOfSeed(lifes) }),
  };
}

/** Ids that no record of the bench has. */
const FIRST_OTHER = 1_000_000_000_000;
let others = 0;

/** Others share a part each with the picture, so that all of them are read and none of them is its twin. */
async function crowd({ tables: { images }, tenant }: ImagesCostDesk, { examination }: Life): Promise<void> {
  const parts = pointersOf({ perceptualHash: examination.perceptualHash });
  const pointers = parts.flatMap((part) => Array.from({ length: ALIKE_IN_A_PART }, () => part));
  await atOnce(pointers, 16, async (part) => {
    others += 1;
    const id = String(FIRST_OTHER + others);
    const other = await store(images, newValidation({ tenant, id, status: 'valid' }));
    const key = { pk: `${POINTER}${tenant}#${part}`, sk: `${id.padStart(16, '0')}#slot` };
    await putNewItem(images, {
      ...key,
      validation: other.id,
      perceptualHash: '0'.repeat(64),
      content: '2026-03-05 1870',
    });
  });
}
