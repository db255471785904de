import sharp from 'sharp';
import type { GreyImage } from '../../../../functions/images/pictures/grey-image.ts';
import { greyOf } from '../../../../functions/images/pictures/open-picture.sharp.ts';
import type { Random } from '../../../bench/records/generated-businesses.ts';
import type { Line, Sheet } from './sheet.ts';

interface Face {
  readonly family: string;
  /** Width of a column in ems: for faces of one width theirs, for others that of capitals. */
  readonly advance: number;
}

/** The faces that `test/tooling/fonts.conf` brings. */
const FACES: readonly Face[] = [
  { family: 'Cousine', advance: 0.6 },
  { family: 'Courier Prime', advance: 0.6 },
  { family: 'Anonymous Pro', advance: 0.545 },
  { family: 'Share Tech Mono', advance: 0.54 },
  { family: 'VT323', advance: 0.4 },
  { family: 'Arimo', advance: 0.64 },
  { family: 'Archivo Narrow', advance: 0.53 },
  { family: 'Tinos', advance: 0.6 },
];

/** How a till prints: all of it stays the same down the strip. */
export interface Look {
  readonly face: Face;
  /** Pixels of a column: 15 is a scan of 80 mm paper at 200 dots per inch. */
  readonly columnWidth: number;
  readonly lineHeight: number;
  /** Greys of print and paper. */
  readonly ink: number;
  readonly paper: number;
  readonly margin: number;
}

export function lookOf(random: Random): Look {
  const columnWidth = 15 + 8 * random.next();
  return {
    face: random.pick(FACES),
    columnWidth,
    lineHeight: columnWidth * (1.9 + 0.6 * random.next()),
    ink: 10 + random.below(90),
    paper: 235 + random.below(21),
    margin: columnWidth * (1.5 + 2 * random.next()),
  };
}

export interface Print {
  readonly page: GreyImage;
  /** Where each line stands, as pixels from the top. */
  readonly lines: readonly { readonly top: number; readonly bottom: number }[];
}

export async function typeset(sheet: Sheet, look: Look): Promise<Print> {
  const { columnWidth, lineHeight, margin } = look;
  let top = margin * 1.5;
  const lines = sheet.lines.map(({ scale = 1 }) => {
    const bottom = top + lineHeight * scale;
    const place = { top, bottom };
    top = bottom;
    return place;
  });
  const [width, height] = [Math.round(sheet.columns * columnWidth + 2 * margin), Math.round(top + margin * 1.5)];
  const texts = sheet.lines.flatMap((line, at) => textsOf(line, lines[at]!.bottom, look));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${grey(look.paper)}"/><g font-family="${look.face.family}" fill="${grey(look.ink)}">${texts.join('')}</g></svg>`;
  return { page: await greyOf(sharp(Buffer.from(svg))), lines };
}

function textsOf({ cells, scale = 1, bold = false }: Line, bottom: number, look: Look): string[] {
  const size = (look.columnWidth / look.face.advance) * scale;
  const style = `font-size="${size.toFixed(2)}"${bold ? ' font-weight="bold"' : ''}`;
  const y = (bottom - look.lineHeight * scale * 0.28).toFixed(1);
  return cells.map(({ text, at, align }) => {
    const x = (look.margin + at * look.columnWidth).toFixed(1);
    return `<text xml:space="preserve" x="${x}" y="${y}" text-anchor="${align}" ${style}>${escaped(text)}</text>`;
  });
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const grey = (level: number) => `rgb(${level},${level},${level})`;
