import { Random } from '../../../bench/records/generated-businesses.ts';
import { type DistortionName, distortionOf, READABLE } from './distortions.ts';
import { type FileKind, ofTwoPages, type PictureFile, stored } from './files.ts';
import { cafe } from './layouts/cafe.ts';
import { fuel } from './layouts/fuel.ts';
import { grocery } from './layouts/grocery.ts';
import { hardware } from './layouts/hardware.ts';
import type { Layout } from './layouts/layout.ts';
import { minimart } from './layouts/minimart.ts';
import { pharmacy } from './layouts/pharmacy.ts';
import { restaurant } from './layouts/restaurant.ts';
import { supermarket } from './layouts/supermarket.ts';
import { taxInvoice } from './layouts/tax-invoice.ts';
import { type Purchase, purchaseAt } from './purchase.ts';
import type { Sheet } from './sheet.ts';
import { EUROPEAN_STORES, STORES, type Store } from './stores.ts';
import { type Look, lookOf, typeset } from './typeset.ts';

export const LAYOUTS = {
  grocery,
  cafe,
  pharmacy,
  fuel,
  hardware,
  minimart,
  restaurant,
  supermarket,
  'tax invoice': taxInvoice,
};

export type LayoutName = keyof typeof LAYOUTS;

export interface ReceiptOptions {
  readonly country?: Store['country'] | undefined;
  readonly layout?: LayoutName | undefined;
  readonly distortion?: DistortionName | undefined;
  readonly file?: FileKind | undefined;
  /** As `2026-03-05`. */
  readonly date?: string | undefined;
  /** The name of one of the stores. */
  readonly store?: string | undefined;
}

export interface GeneratedReceipt {
  readonly seed: number;
  readonly layout: LayoutName;
  readonly distortion: DistortionName;
  readonly file: FileKind;
  readonly look: Look;
  readonly sheet: Sheet;
  readonly truth: Purchase;
  readonly render: () => Promise<PictureFile>;
}

/** What people send most comes up most. */
const USUAL_FILES: readonly FileKind[] = [
  ...Array<FileKind>(9).fill('jpeg'),
  ...(['jpeg cmyk', 'png', 'png', 'tiff', 'tiff pages', 'gif', 'gif moving', 'pdf', 'pdf', 'pdf pages'] as const),
];

/**
 * A receipt made up from a seed, and what it says. Without options it is one that a person can read; seeds that follow each
 * other go through all ways of being distorted.
 */
export function receiptOfSeed(seed: number, options: ReceiptOptions = {}): GeneratedReceipt {
  const random = new Random(seed);
  const store = random.pick([...STORES, ...EUROPEAN_STORES].filter((one) => suits(one, options)));
  const layout = options.layout ?? layoutOf(store, random);
  const truth = purchaseAt(store, { random, date: options.date });
  const sheet = (LAYOUTS[layout] satisfies Layout)({ purchase: truth, store, random });
  const look = lookOf(random);
  const readable = Object.keys(READABLE) as DistortionName[];
  const distortion = options.distortion ?? readable[seed % readable.length]!;
  const { jpegQuality, exifTurns = 0 } = distortionOf(distortion);
  const onlyJpeg = jpegQuality !== undefined || exifTurns > 0;
  const file = options.file ?? (onlyJpeg ? 'jpeg' : random.pick(USUAL_FILES));
  const render = async () => {
    const chance = new Random(-seed);
    const tint = chance.chance(0.5) ? chance.pick(['#fff4e0', '#eef4ff', '#ffe8d0']) : undefined;
    const pages = await pagesOf({ sheet, look, distortion, random: chance, split: ofTwoPages(file) });
    return stored(pages, file, { quality: jpegQuality ?? 75 + chance.below(20), exifTurns, tint });
  };
  return { seed, layout, distortion, file, look, sheet, truth, render };
}

function suits(store: Store, { country, layout, store: name }: ReceiptOptions): boolean {
  if (name !== undefined) return store.name === name;
  const isUsual = layout === 'supermarket' || STORES.includes(store);
  if (country === undefined ? !isUsual : store.country !== country) return false;
  return layout === undefined || layoutsOf(store).includes(layout);
}

function layoutsOf({ country, trade }: Store): readonly LayoutName[] {
  if (trade === 'restaurant') return ['restaurant'];
  if (country !== 'US' && country !== 'MY') return ['supermarket'];
  if (country === 'MY') return ['tax invoice', 'minimart'];
  return trade === 'minimart' ? ['grocery'] : [trade];
}

const layoutOf = (store: Store, random: Random): LayoutName => random.pick(layoutsOf(store));

interface Printing {
  readonly sheet: Sheet;
  readonly look: Look;
  readonly distortion: DistortionName;
  readonly random: Random;
  readonly split: boolean;
}

async function pagesOf({ sheet, look, distortion, random, split }: Printing) {
  const half = Math.ceil(sheet.lines.length / 2);
  const sheets = split
    ? [
        { ...sheet, lines: sheet.lines.slice(0, half) },
        { ...sheet, lines: sheet.lines.slice(half) },
      ]
    : [sheet];
  const { damage } = distortionOf(distortion);
  const pages = [];
  for (const one of sheets) {
    const { page } = await typeset(one, look);
    pages.push(damage ? await damage(page, random) : page);
  }
  return pages;
}
