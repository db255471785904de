import sharp from 'sharp';
import type { GreyImage } from '../../../../functions/images/pictures/grey-image.ts';
import { Random } from '../../../bench/records/generated-businesses.ts';
import { noise, onTable } from './damage.ts';
import { type PictureFile, stored } from './files.ts';
import { productsOf } from './products.ts';
import { Till } from './sheet.ts';
import { STORES } from './stores.ts';
import { lookOf, typeset } from './typeset.ts';
import { money } from './wording.ts';

/** What people send that is no receipt. */
export const OTHER_PICTURES = ['letter', 'poster', 'menu', 'texture', 'noise'] as const;

type OtherPicture = (typeof OTHER_PICTURES)[number];

const SENTENCES = [
  'Thank you for your letter of last week and for the time',
  'that you took to visit our office in the new building.',
  'We have looked at the plans with great interest, and the',
  'committee will meet again before the end of the month.',
  'Until then we would like to ask you for some patience, as',
  'several members are travelling and cannot be reached.',
  'Please find attached the notes of the first meeting.',
  'If you have any further questions, do not hesitate to',
  'call or write to us. We are looking forward to working',
  'with you and remain with kind regards, yours sincerely',
];

export async function otherPictureOfSeed(kind: OtherPicture, seed: number): Promise<PictureFile> {
  const random = new Random(seed);
  const page = await PAGES[kind](random);
  return stored([page], 'jpeg', { quality: 70 + random.below(25), exifTurns: 0, tint: undefined });
}

const PAGES: Readonly<Record<OtherPicture, (random: Random) => GreyImage | Promise<GreyImage>>> = {
  letter: async (random) => (await typeset(letter(random), lookOf(random))).page,
  menu: async (random) => (await typeset(menu(random), lookOf(random))).page,
  poster: async (random) => onTable(0.05)((await typeset(poster(random), lookOf(random))).page, random),
  // A page as dark as its table: only the table is left.
  texture: (random) => onTable(0.1)({ width: 900, height: 1200, pixels: new Uint8Array(900 * 1200).fill(90) }, random),
  noise: async (random) => {
    const blobs = await sharp(scattered(random), { raw: { width: 24, height: 32, channels: 1 } })
      .resize(960, 1280, { kernel: 'cubic' })
      .extractChannel(0)
      .raw()
      .toBuffer();
    return noise(12)({ width: 960, height: 1280, pixels: blobs }, random);
  },
};

const scattered = (random: Random) => Uint8Array.from({ length: 24 * 32 }, () => random.below(256));

function letter(random: Random) {
  const till = new Till(60);
  till.left(`${random.pick(['Anna', 'Peter', 'Maria'])} ${random.pick(['Smith', 'Jones', 'Lee'])}`);
  till.left(random.pick(STORES).address[1]!);
  till.blank();
  till.left(`${1 + random.below(28)} ${random.pick(['March', 'June', 'October'])} ${2020 + random.below(6)}`);
  till.blank();
  for (let line = 0; line < 24; line += 1) {
    if (line % 8 === 7) till.blank();
    else till.left(random.pick(SENTENCES));
  }
  return till.sheet();
}

function poster(random: Random) {
  const till = new Till(24);
  const lines = ['SUMMER', 'FESTIVAL', 'LIVE MUSIC', 'IN THE PARK', 'FREE ENTRY', 'BRING FRIENDS'];
  for (const line of lines) {
    till.centre(line, { scale: random.pick([1.5, 2, 2.5]), bold: true });
    till.blank();
  }
  return till.sheet();
}

function menu(random: Random) {
  const till = new Till(44);
  const store = random.pick(STORES.filter(({ trade }) => trade === 'cafe' || trade === 'restaurant'));
  till.centre(store.name, { scale: 1.8, bold: true });
  till.blank();
  for (const title of ['Breakfast', 'Lunch', 'Drinks']) {
    till.centre(title, { scale: 1.3 });
    for (let line = 0; line < 6; line += 1) {
      const { name, price } = random.pick(productsOf(store));
      till.pair(name, money(price));
    }
    till.blank();
  }
  return till.sheet();
}
