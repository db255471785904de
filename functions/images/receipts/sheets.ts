import type { Box, Page } from '../ocr/ocr.ts';
import type { GreyImage } from '../pictures/grey-image.ts';
import { type Homography, mapped } from '../pictures/homography.ts';
import type { PagePosition } from './receipt.ts';

/** A page as it was read, with the map to the opened page. */
export interface ReadSheet {
  readonly read: Page;
  readonly page: number;
  readonly opened: GreyImage;
  readonly back: Homography;
}

/** Joins all sheets into one page, one below the other. */
export function joined(sheets: readonly ReadSheet[]): Page {
  return sheets.map(({ read }) => read).reduce(below, { width: 0, height: 0, words: [] });
}

function below(upper: Page, lower: Page): Page {
  const moved = lower.words.map((word) => ({
    ...word,
    box: { ...word.box, top: word.box.top + upper.height, bottom: word.box.bottom + upper.height },
  }));
  return {
    width: Math.max(upper.width, lower.width),
    height: upper.height + lower.height,
    words: [...upper.words, ...moved],
  };
}

/**
 * The position of a joined page's box on the opened page. A box across two sheets belongs to that of its upper edge.
 */
export function placeOf(sheets: readonly ReadSheet[], { left, top, right, bottom }: Box): PagePosition {
  let above = 0;
  let at = 0;
  while (at < sheets.length - 1 && top >= above + sheets[at]!.read.height) {
    above += sheets[at]!.read.height;
    at += 1;
  }
  const { back, opened, page } = sheets[at]!;
  const corner = (x: number, y: number): readonly [number, number] => {
    const point = mapped(back, { x, y: y - above });
    return [within(point.x / opened.width), within(point.y / opened.height)];
  };
  return { page, corners: [corner(left, top), corner(right, top), corner(right, bottom), corner(left, bottom)] };
}

/** Levelling adds corners that the page did not have. Four decimals are finer than a pixel. */
const within = (part: number) => Math.round(Math.min(1, Math.max(0, part)) * 10_000) / 10_000;
