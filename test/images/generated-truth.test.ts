import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { openPicture } from '../../functions/images/pictures/open-picture.sharp.ts';
import { alteredReceiptOfSeed } from '../support/images/receipts/altered-receipt.ts';
import { type DistortionName, READABLE, UNREADABLE } from '../support/images/receipts/distortions.ts';
import { FILE_KINDS } from '../support/images/receipts/files.ts';
import { LAYOUTS, type LayoutName, receiptOfSeed } from '../support/images/receipts/generated-receipt.ts';
import { OTHER_PICTURES, otherPictureOfSeed } from '../support/images/receipts/other-pictures.ts';
import { productsOf } from '../support/images/receipts/products.ts';
import { REPORTING_SEEDS, TUNING_SEEDS } from '../support/images/receipts/seeds.ts';
import { STORES } from '../support/images/receipts/stores.ts';
import { euros, money } from '../support/images/receipts/wording.ts';
import { few, isThorough } from '../support/runner/thoroughness.ts';

const seeds = (count: number, first: number = TUNING_SEEDS.first) =>
  Array.from({ length: count }, (_, at) => first + at);

/** Each kind of damage. Turns by EXIF have a test of their own, and the receipt that is made twice is a photograph. */
const EACH_DAMAGE: readonly DistortionName[] = [
  'clean',
  'leaning 3',
  'turned 90',
  'jpeg 12',
  'half resolution',
  'faded',
  'cropped left',
  'cropped bottom',
];
const DISTORTIONS = isThorough ? (Object.keys({ ...READABLE, ...UNREADABLE }) as DistortionName[]) : EACH_DAMAGE;

const EUROPEAN = (['FR', 'IT', 'ES'] as const).flatMap((country) =>
  seeds(isThorough ? 30 : 10).map((seed) => receiptOfSeed(seed, { country })),
);
const RECEIPTS = [...seeds(isThorough ? 600 : 200).map((seed) => receiptOfSeed(seed)), ...EUROPEAN];

async function opened(bytes: Uint8Array) {
  const picture = await openPicture(bytes);
  if (typeof picture === 'string') throw new Error(`not opened: ${picture}`);
  return picture;
}

describe('seeds', () => {
  it('for tuning are never those for reporting', () => {
    expect(TUNING_SEEDS.first).toBeLessThan(TUNING_SEEDS.last);
    expect(TUNING_SEEDS.last).toBeLessThan(REPORTING_SEEDS.first);
    expect(REPORTING_SEEDS.first).toBeLessThan(REPORTING_SEEDS.last);
  });

  it('make the same receipt and the same picture every time', async () => {
    for (const seed of few([18], [7])) {
      const [one, two] = [receiptOfSeed(seed), receiptOfSeed(seed)];
      expect(one.truth).toEqual(two.truth);
      expect((await one.render()).bytes.equals((await two.render()).bytes)).toBe(true);
    }
    expect(receiptOfSeed(7).truth).not.toEqual(receiptOfSeed(8).truth);
  });
});

describe('the truth of a generated receipt', () => {
  it('adds up, from its items to its change', () => {
    for (const { truth } of RECEIPTS) {
      const sum = truth.items.reduce((cents, { price, discount }) => cents + price - discount, 0);
      expect(truth.subtotal).toBe(sum);
      expect(truth.items.every(({ quantity, unitPrice, price }) => quantity * unitPrice === price)).toBe(true);
      const charged = truth.taxIncluded ? 0 : truth.tax;
      expect(truth.total).toBe(sum + charged + truth.service + truth.rounding);
      expect(truth.tender.paid - truth.tender.change).toBe(truth.total);
      expect(Math.abs(truth.rounding)).toBeLessThan(truth.country === 'MY' ? 3 : 1);
      expect(truth.date < '2026').toBe(true);
    }
  });

  it('is printed: store, items, prices, subtotal, tax and total stand on the sheet', () => {
    for (const { truth, sheet, layout } of RECEIPTS) {
      const texts = sheet.lines.flatMap(({ cells }) => cells.map(({ text }) => text));
      const shows = (part: string) => texts.some((text) => text.includes(part));
      const amounts = [truth.total, truth.subtotal, truth.tax, ...truth.items.map(({ price }) => price)];
      expect(
        amounts.filter((cents) => cents > 0 && !shows((truth.currency === 'EUR' ? euros : money)(cents))),
        `${layout} ${truth.transaction}`,
      ).toEqual([]);
      expect(truth.items.filter(({ name }) => !shows(name.slice(0, 12)))).toEqual([]);
      expect(shows(truth.store) && shows(truth.transaction.slice(0, 6))).toBe(true);
    }
  });

  it('varies: all layouts, most stores, and more than 150 products', () => {
    const receipts = RECEIPTS;
    expect(new Set(receipts.map(({ layout }) => layout)).size).toBe(Object.keys(LAYOUTS).length);
    expect(new Set(receipts.map(({ truth }) => truth.store)).size).toBeGreaterThan(30);
    expect(new Set(STORES.flatMap(productsOf)).size).toBeGreaterThan(150);
    expect(new Set(receipts.map(({ look }) => look.face.family)).size).toBeGreaterThan(5);
    expect(new Set(receipts.map(({ file }) => file)).size).toBe(FILE_KINDS.length);
  });

  it('obeys what was asked for', () => {
    const options = { store: 'VALLEY PANTRY', date: '2026-03-05', layout: 'grocery', distortion: 'photo' } as const;
    for (const seed of seeds(5)) {
      const { truth, layout, distortion } = receiptOfSeed(seed, options);
      expect({ store: truth.store, date: truth.date, layout, distortion }).toEqual(options);
    }
    for (const layout of Object.keys(LAYOUTS) as LayoutName[]) expect(receiptOfSeed(3, { layout }).layout).toBe(layout);
    for (const { truth, layout } of EUROPEAN) expect([truth.currency, layout]).toEqual(['EUR', 'supermarket']);
    expect(seeds(50).every((seed) => receiptOfSeed(seed, { country: 'MY' }).truth.country === 'MY')).toBe(true);
  });
});

describe('the picture of a generated receipt', () => {
  it.each(FILE_KINDS)('is a %s that opens, with all its pages', async (file) => {
    const { render } = receiptOfSeed(11, { file, distortion: 'clean', layout: 'fuel' });
    const picture = await opened((await render()).bytes);
    expect(picture.format).toBe(file.split(' ')[0]);
    expect(picture.pageCount).toBe(file.endsWith('pages') ? 2 : 1);
  });

  it('is upright after EXIF has turned it, and lies on its side where it has none', async () => {
    const upright = await opened((await receiptOfSeed(2, { distortion: 'clean', file: 'jpeg' }).render()).bytes);
    const { width, height } = upright.pages[0]!;
    for (const distortion of few<DistortionName>(['exif 90'], ['exif 180', 'exif 270'])) {
      const { bytes } = await receiptOfSeed(2, { distortion }).render();
      expect((await sharp(bytes).metadata()).orientation).not.toBe(1);
      const [page] = (await opened(bytes)).pages;
      const difference = page!.pixels.reduce(
        (sum, grey, at) => sum + Math.abs(grey - upright.pages[0]!.pixels[at]!),
        0,
      );
      expect(page).toMatchObject({ width, height });
      expect(difference / page!.pixels.length).toBeLessThan(3);
    }
    const turned = await opened((await receiptOfSeed(2, { distortion: 'turned 90' }).render()).bytes);
    expect(turned.pages[0]).toMatchObject({ width: height, height: width });
  });

  const clean = receiptOfSeed(4, { distortion: 'clean', layout: 'fuel' }).render();

  it.each(DISTORTIONS)('can be %s', async (distortion) => {
    const { render } = receiptOfSeed(4, { distortion, layout: 'fuel' });
    const { bytes } = await render();
    expect((await opened(bytes)).pages[0]!.width).toBeGreaterThan(200);
    expect(bytes.equals((await clean).bytes)).toBe(distortion === 'clean');
  });
});

describe('pictures that are not as they should be', () => {
  it.each(OTHER_PICTURES)('include a %s', async (kind) => {
    const { bytes } = await otherPictureOfSeed(kind, 5);
    expect((await opened(bytes)).format).toBe('jpeg');
    const isRepeated = isThorough || kind === 'poster';
    if (isRepeated) expect(bytes.equals((await otherPictureOfSeed(kind, 5)).bytes)).toBe(true);
  });

  it('include receipts whose total was pasted over', async () => {
    for (const seed of seeds(isThorough ? 4 : 1)) {
      const { original, forgedTotal, file } = await alteredReceiptOfSeed(seed, { signed: true });
      expect(forgedTotal).toBeGreaterThan(original.truth.total);
      const picture = await opened(file.bytes);
      const genuine = await opened((await original.render()).bytes);
      const different = picture.pages[0]!.pixels.filter(
        (grey, at) => Math.abs(grey - genuine.pages[0]!.pixels[at]!) > 90,
      );
      expect(different.length).toBeGreaterThan(20);
      expect(different.length).toBeLessThan(picture.pages[0]!.pixels.length / 50);
      const { exif } = await sharp(file.bytes).metadata();
      expect(exif?.toString('latin1')).toMatch(/Photoshop|GIMP|Snapseed/);
    }
  });
});
