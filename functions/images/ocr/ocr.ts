import type { GreyImage } from '../pictures/grey-image.ts';

/** A rectangle in pixels of the image that was read. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Word {
  readonly text: string;
  readonly box: Box;
  /** A value from 0 to 100. */
  readonly confidence: number;
}

export interface Page {
  readonly width: number;
  readonly height: number;
  readonly words: readonly Word[];
}

export interface ReadingOptions {
  /** True if the image holds a single line. */
  readonly line?: boolean;
  /** A limit that is shorter than the recogniser's own. */
  readonly timeLimitMs?: number;
}

/** Reads print. Returns undefined if its time runs out. */
export interface Ocr {
  read(image: GreyImage, options?: ReadingOptions): Promise<Page | undefined>;
}

/** Shorter words come from stains and from sideways print. */
const LETTERS_MIN = 3;
const CONFIDENCE_MIN = 60;
/** Words below this confidence are as likely to be invented. */
const DOUBTFUL = 50;
const WORDS_MIN = 8;

/**
 * True if the page was read the right way up: sideways print gives single characters, upside-down print gives doubtful
 * words.
 */
export function isUpright(page: Page): boolean {
  const words = wholeWords(page);
  const confidence = words.reduce((sum, word) => sum + word.confidence, 0);
  return words.length >= WORDS_MIN && confidence >= CONFIDENCE_MIN * words.length;
}

/** A score that grows with the number of confident words. It shows which way up is right. */
export function legibility(page: Page): number {
  return wholeWords(page).reduce((sum, { confidence }) => sum + Math.max(0, confidence - DOUBTFUL), 0);
}

const wholeWords = ({ words }: Page) => words.filter(({ text }) => text.length >= LETTERS_MIN);
