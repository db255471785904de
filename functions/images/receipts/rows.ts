import type { Box, Word } from '../ocr/ocr.ts';

/** Words beside each other, from left to right. */
export interface Row {
  readonly words: readonly Word[];
  readonly text: string;
}

/** Words belong to one row if their centres are closer than this share of the smaller height. */
const SAME_ROW = 0.55;

const centre = ({ box }: Word) => (box.top + box.bottom) / 2;
const height = ({ box }: Word) => box.bottom - box.top;

/** Groups words into rows, from the top. The recogniser splits a wide gap between label and amount into two lines. */
export function rowsOf(words: readonly Word[]): Row[] {
  const rows: Word[][] = [];
  for (const word of words.toSorted((a, b) => centre(a) - centre(b))) {
    const row = rows.findLast((candidate) => besideAll(candidate, word));
    if (row) row.push(word);
    else rows.push([word]);
  }
  return rows.map((row) => {
    const sorted = row.sort((a, b) => a.box.left - b.box.left);
    return { words: sorted, text: sorted.map(({ text }) => text).join(' ') };
  });
}

/** The box around all of the words; there must be at least one. */
export function boxAround(words: readonly Word[]): Box {
  const boxes = words.map(({ box }) => box);
  return {
    left: Math.min(...boxes.map(({ left }) => left)),
    top: Math.min(...boxes.map(({ top }) => top)),
    right: Math.max(...boxes.map(({ right }) => right)),
    bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
  };
}

/** The words within a box, row by row, and the lowest confidence among them; empty if there are none. */
export function printIn(words: readonly Word[], box: Box): { readonly text?: string; readonly confidence?: number } {
  const within = words.filter((word) => {
    const [x, y] = [(word.box.left + word.box.right) / 2, centre(word)];
    return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
  });
  if (within.length === 0) return {};
  return {
    text: rowsOf(within)
      .map(({ text }) => text)
      .join(' '),
    confidence: Math.round(Math.min(...within.map(({ confidence }) => confidence))),
  };
}

/** True if the word is beside its nearest neighbour in the row, so that a row may lean a little. */
function besideAll(row: readonly Word[], word: Word): boolean {
  const distance = ({ box }: Word) => Math.max(box.left - word.box.right, word.box.left - box.right);
  const nearest = row.reduce((best, other) => (distance(other) < distance(best) ? other : best));
  // A word that overlaps another one is not beside it.
  if (distance(nearest) < -0.5 * Math.min(nearest.box.right - nearest.box.left, word.box.right - word.box.left))
    return false;
  return Math.abs(centre(nearest) - centre(word)) < SAME_ROW * Math.min(height(nearest), height(word));
}
