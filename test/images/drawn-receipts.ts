import sharp, { type Sharp } from 'sharp';
import type { Page, Word } from '../../functions/images/ocr/ocr.ts';

const LINE_HEIGHT = 40;
const WIDTH = 760;

/** A receipt as a list of rows; `|` parts what stands at the left from what stands at the right edge. */
export const MALAYSIAN: readonly string[] = [
  'SETIA HARDWARE SDN BHD',
  'NO 12 JALAN PERMAS 9/5',
  '81750 JOHOR BAHRU',
  'TAX INVOICE',
  'DATE: 05/03/2018 14:22:10',
  'CHOPPING BOARD 803M',
  '83970669 1 X 19.00|19.00',
  'BOPP TAPE CLEAR',
  '6935618350846 2 X 4.51|9.02',
  'TOTAL|RM 28.02',
  'ROUNDING ADJ|-0.02',
  'TOTAL ROUNDED|RM 28.00',
  'CASH|RM 50.00',
  'CHANGE|RM 22.00',
];

export const AMERICAN: readonly string[] = [
  'GREEN VALLEY MARKET',
  '400 MAIN STREET',
  '03/05/2018 14:22',
  'WHOLE MILK|3.49',
  '2 BAGELS|5.00',
  'ROASTED COFFEE|8.99',
  'SUBTOTAL|17.48',
  'TAX|1.22',
  'TOTAL|18.70',
  'CASH|20.00',
  'CHANGE|1.30',
];

function svgOf(rows: readonly string[]): Buffer {
  const texts = rows.flatMap((row, at) => {
    const y = (at + 2) * LINE_HEIGHT;
    const [left = '', right = ''] = row.split('|');
    return [
      `<text x="40" y="${y}">${left}</text>`,
      `<text x="${WIDTH - 40}" y="${y}" text-anchor="end">${right}</text>`,
    ];
  });
  const height = (rows.length + 3) * LINE_HEIGHT;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}"><rect width="100%" height="100%" fill="white"/><g font-family="monospace" font-size="26" fill="#222">${texts.join('')}</g></svg>`,
  );
}

export const drawn = (rows: readonly string[]): Sharp => sharp(svgOf(rows));

/** The same rows as a recogniser without any fault would report them. */
export function readWords(rows: readonly string[]): Page {
  const words = rows.flatMap((row, at): Word[] => {
    const [left = '', right = ''] = row.split('|');
    return [...placed(left, 40, at), ...placed(right, WIDTH - 40 - right.length * 16, at)];
  });
  return { width: WIDTH, height: (rows.length + 3) * LINE_HEIGHT, words };
}

function placed(text: string, from: number, row: number): Word[] {
  let left = from;
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => {
      const box = { left, right: left + word.length * 16, top: row * LINE_HEIGHT, bottom: row * LINE_HEIGHT + 26 };
      left = box.right + 16;
      return { text: word, confidence: 92, box };
    });
}
