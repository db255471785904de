import type { Block, ExpenseDocument, Geometry } from '@aws-sdk/client-textract';
import type { Box, Word } from '../ocr/ocr.ts';
import type { GreyImage } from '../pictures/grey-image.ts';
import { unturned } from '../pictures/homography.ts';
import type { ReadSheet } from '../receipts/sheets.ts';

type Size = Pick<GreyImage, 'width' | 'height'>;

/** Textract's answer for one opened page. */
export interface AnalyzedPage {
  readonly page: GreyImage;
  readonly documents: readonly ExpenseDocument[];
}

/** A page turned upright, with the map from Textract's geometry to it. */
export interface ExpenseSheet extends ReadSheet {
  readonly boxOf: (geometry: Geometry | undefined) => Box;
}

/** The words of a page as if it had been upright, because Textract reads print in any direction. */
export function expenseSheet({ page, documents }: AnalyzedPage, at: number): ExpenseSheet {
  const blocks = documents.flatMap(({ Blocks = [] }) => Blocks).filter(({ BlockType }) => BlockType === 'WORD');
  const quarters = quartersToUpright(blocks, page);
  const size = quarters % 2 === 0 ? page : { width: page.height, height: page.width };
  const boxOf = (geometry: Geometry | undefined) => turnedBox(geometry, page, quarters);
  const words = blocks.flatMap(({ Text: text = '', Confidence: confidence = 0, Geometry: geometry }): Word[] =>
    text.trim() === '' || !geometry?.BoundingBox ? [] : [{ text: text.trim(), confidence, box: boxOf(geometry) }],
  );
  return {
    read: { width: size.width, height: size.height, words },
    page: at,
    opened: page,
    back: unturned(page, quarters),
    boxOf,
  };
}

const LETTERS_MIN = 3;

/** The number of clockwise quarter turns after which most words run to the right. */
function quartersToUpright(blocks: readonly Block[], { width, height }: Size): number {
  const counts = [0, 0, 0, 0];
  for (const { Text: text = '', Geometry: geometry } of blocks) {
    // A word's corners start at its first character and follow its upper edge.
    const [from, to] = geometry?.Polygon ?? [];
    if (text.length < LETTERS_MIN || !from || !to) continue;
    const [x, y] = [((to.X ?? 0) - (from.X ?? 0)) * width, ((to.Y ?? 0) - (from.Y ?? 0)) * height];
    const quarters = Math.round(Math.atan2(y, x) / (Math.PI / 2));
    counts[(4 - quarters) % 4]! += 1;
  }
  return counts.indexOf(Math.max(...counts));
}

/** The box on the turned page; the whole page if Textract gives none. */
function turnedBox(geometry: Geometry | undefined, { width, height }: Size, quarters: number): Box {
  const { Left = 0, Top = 0, Width = 1, Height = 1 } = geometry?.BoundingBox ?? {};
  const [left, right] = [Left * width, (Left + Width) * width];
  const [top, bottom] = [Top * height, (Top + Height) * height];
  switch (quarters) {
    case 1:
      return { left: height - bottom, right: height - top, top: left, bottom: right };
    case 2:
      return { left: width - right, right: width - left, top: height - bottom, bottom: height - top };
    case 3:
      return { left: top, right: bottom, top: width - right, bottom: width - left };
    default:
      return { left, right, top, bottom };
  }
}
