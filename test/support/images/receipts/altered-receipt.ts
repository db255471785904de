import sharp from 'sharp';
import { rawGrey } from '../../../../functions/images/pictures/open-picture.sharp.ts';
import { Random } from '../../../bench/records/generated-businesses.ts';
import type { PictureFile } from './files.ts';
import { type GeneratedReceipt, receiptOfSeed } from './generated-receipt.ts';
import { typeset } from './typeset.ts';
import { money } from './wording.ts';

export interface AlteredReceipt {
  /** As it was printed. */
  readonly original: GeneratedReceipt;
  /** What the picture now says was paid. */
  readonly forgedTotal: number;
  readonly file: PictureFile;
}

const PROGRAMS = ['Adobe Photoshop 25.4 (Windows)', 'GIMP 2.10.36', 'Snapseed 2.0'];

/**
 * A scan whose total somebody pasted over and saved again. `signed` leaves the name of the program in the EXIF data; other
 * traces are only in the pixels.
 */
export async function alteredReceiptOfSeed(seed: number, { signed = false } = {}): Promise<AlteredReceipt> {
  const random = new Random(-seed);
  const original = receiptOfSeed(seed, { distortion: 'clean', file: 'jpeg' });
  const { sheet, look, truth } = original;
  const forgedTotal = truth.total + 100 * (5 + random.below(90));
  const at = totalLine(original);
  const forged = sheet.lines.map((line, index) => (index === at ? withAmount(line, truth.total, forgedTotal) : line));
  const { page, lines } = await typeset(sheet, look);
  const { page: pasted } = await typeset({ ...sheet, lines: forged }, look);
  const top = Math.floor(lines[at]!.top);
  const left = Math.floor(page.width / 2);
  const patch = rawGrey(pasted).extract({
    left,
    top,
    width: page.width - left,
    height: Math.ceil(lines[at]!.bottom) - top,
  });
  const scan = await rawGrey(page)
    .jpeg({ quality: 70 + random.below(16) })
    .toBuffer();
  const picture = sharp(scan).composite([{ input: await patch.png().toBuffer(), left, top }]);
  if (signed) picture.withExif({ IFD0: { Software: random.pick(PROGRAMS) } });
  const bytes = await picture.jpeg({ quality: 90 + random.below(7) }).toBuffer();
  return { original, forgedTotal, file: { bytes, mimeType: 'image/jpeg' } };
}

/** The largest or boldest of the lines that show the total. */
function totalLine({ sheet, truth }: GeneratedReceipt): number {
  const total = money(truth.total);
  const weight = (at: number) => (sheet.lines[at]!.scale ?? 1) + (sheet.lines[at]!.bold ? 1 : 0);
  const showing = [...sheet.lines.keys()].filter((at) => sheet.lines[at]!.cells.at(-1)?.text.includes(total));
  return showing.sort((a, b) => weight(b) - weight(a))[0]!;
}

function withAmount(line: GeneratedReceipt['sheet']['lines'][number], from: number, to: number): typeof line {
  return { ...line, cells: line.cells.map((cell) => ({ ...cell, text: cell.text.replace(money(from), money(to)) })) };
}
