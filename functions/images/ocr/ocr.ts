import type { GreyImage } from '../pictures/grey-image.ts';

/** Pixels of the image that was read. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Word {
  readonly text: string;
  readonly box: Box;
  /** 0 to 100. */
  readonly confidence: number;
}

export interface Page {
  readonly width: number;
  readonly height: number;
  readonly words: readonly Word[];
}

export interface ReadingOptions {
  /** Whether the image holds a single line. */
  readonly line?: boolean;
  /** Less than the time that the recogniser takes at most. */
  readonly timeLimitMs?: number;
}

/** Reads print. Answers undefined when the time that it may take has passed. */
export interface Ocr {
  read(image: GreyImage, options?: ReadingOptions): Promise<Page | undefined>;
}

/** Shorter words come out of stains, and of print that lies on its side. */
const LETTERS_MIN = 3;
const CONFIDENCE_MIN = 60;
/** Words below it are as likely invented. */
const DOUBTFUL = 50;
const WORDS_MIN = 8;

/** Whether the page was read the right way up: print on its side gives single signs, print on its head doubtful words. */
export function isUpright(page: Page): boolean {
  const words = wholeWords(page);
  const confidence = words.reduce((sum, word) => sum + word.confidence, 0);
  return words.length >= WORDS_MIN && confidence >= CONFIDENCE_MIN * words.length;
}

/** More where more words are sure: it tells which way up is the right one. */
export function legibility(page: Page): number {
  return wholeWords(page).reduce((sum, { confidence }) => sum + Math.max(0, confidence - DOUBTFUL), 0);
}

const wholeWords = ({ words }: Page) => words.filter(({ text }) => text.length >= LETTERS_MIN);
