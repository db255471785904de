import type { GreyImage } from './grey-image.ts';

export const EDGES = ['left', 'right', 'top', 'bottom'] as const;

/** An edge of the picture that cuts through print, so that something is missing. */
export type Edge = (typeof EDGES)[number];

/** Ink within this many pixels touches the edge. */
const EDGE = 2;

/** Half the side of the square whose mean is the paper around a pixel. */
const AROUND = 15;
/** Ink is darker than this share of the paper around it. Paper has at least the brightness below. */
const INK_SHARE = 0.8;
const PAPER_MIN = 90;
/** The heights and proportions that a character can have, on a page 1000 pixels wide. */
const HEIGHT_MIN = 7;
const HEIGHT_MAX = 60;
const WIDTH_PER_HEIGHT = 4;
/** With fewer characters on a page, their size is unknown. */
const CHARACTERS_MIN = 30;

/** A connected piece of ink. */
interface Blot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const heightOf = ({ top, bottom }: Blot) => bottom - top + 1;
const widthOf = ({ left, right }: Blot) => right - left + 1;
const centreY = ({ top, bottom }: Blot) => (top + bottom) / 2;

/**
 * The share of rows that a cut at the side crosses, and the share of a row's characters that a cut at the top or bottom
 * crosses.
 */
const SIDE_MIN = 0.06;
const END_MIN = 0.25;
const ROWS_MIN = 4;
/** A single row may be a rim that touches print. */
const CUT_ROWS_MIN = 2;
const ROW_CHARACTERS_MIN = 8;
/** Distances, in heights of a character. */
const ROW_PITCH = 1.8;
const CHARACTER_PITCH = 1.2;
const GAP_MAX = 1.5;

/**
 * The edges that cut through characters, on a page 1000 pixels wide. A cut between two rows leaves no trace here; only
 * the missing fields show it.
 */
export function cutEdges(page: GreyImage): Edge[] {
  const blots = blotsOf(page);
  const whole = blots.filter((blot) => isCharacter(blot) && !touches(blot, page));
  if (whole.length < CHARACTERS_MIN) return [];
  const height = whole.map(heightOf).sort((a, b) => a - b)[Math.floor(whole.length / 2)]!;
  const print = whole.reduce(around);
  const rows = Math.max(ROWS_MIN, (print.bottom - print.top) / (ROW_PITCH * height));
  const characters = Math.max(ROW_CHARACTERS_MIN, (print.right - print.left) / (CHARACTER_PITCH * height));
  const cutRows = (cut: readonly Blot[]) =>
    rowsCut(cut, whole, height).length >= Math.max(CUT_ROWS_MIN, SIDE_MIN * rows);
  const cutRow = (cut: readonly Blot[]) => rowCut(cut, print, height).length >= END_MIN * characters;
  const edges: Readonly<Record<Edge, boolean>> = {
    left: cutRows(blots.filter((blot) => blot.left < EDGE)),
    right: cutRows(blots.filter((blot) => blot.right >= page.width - EDGE)),
    top: cutRow(blots.filter((blot) => blot.top < EDGE)),
    bottom: cutRow(blots.filter((blot) => blot.bottom >= page.height - EDGE)),
  };
  const cut = EDGES.filter((edge) => edges[edge]);
  // Grain and patterns run over all edges.
  return cut.length === EDGES.length ? [] : cut;
}

/** The blots as high as a character with another beside them. Shadows and rims of paper are not. */
function rowsCut(cut: readonly Blot[], whole: readonly Blot[], height: number): readonly Blot[] {
  return cut.filter(
    (blot) =>
      between(heightOf(blot), 0.5 * height, 1.7 * height) &&
      widthOf(blot) < 2 * height &&
      whole.some(
        (other) =>
          Math.abs(centreY(other) - centreY(blot)) < 0.5 * height && between(gapOf(blot, other), 0, GAP_MAX * height),
      ),
  );
}

/**
 * Blots of which at most a character's height is left, each beside another. Torn paper throws shadows that look like
 * the upper halves of characters, but across its whole width.
 */
function rowCut(cut: readonly Blot[], print: Blot, height: number): readonly Blot[] {
  const parts = cut.filter(
    (blot) => between(heightOf(blot), 0.2 * height, 1.5 * height) && between(widthOf(blot), 0.15 * height, 3 * height),
  );
  const whole = parts.reduce(around, print);
  if (print.left - whole.left > height && whole.right - print.right > height) return [];
  return parts.filter((blot) =>
    parts.some((other) => other !== blot && between(gapOf(blot, other), -height, GAP_MAX * height)),
  );
}

/** The gap in pixels between two blots side by side; negative if they overlap. */
const gapOf = (a: Blot, b: Blot) => Math.max(a.left - b.right, b.left - a.right);

const around = (a: Blot, b: Blot): Blot => ({
  left: Math.min(a.left, b.left),
  right: Math.max(a.right, b.right),
  top: Math.min(a.top, b.top),
  bottom: Math.max(a.bottom, b.bottom),
});

const between = (value: number, low: number, high: number) => value >= low && value <= high;

function isCharacter(blot: Blot): boolean {
  const height = heightOf(blot);
  return height >= HEIGHT_MIN && height <= HEIGHT_MAX && widthOf(blot) <= WIDTH_PER_HEIGHT * height;
}

const touches = ({ left, right, top, bottom }: Blot, { width, height }: GreyImage) =>
  left < EDGE || top < EDGE || right >= width - EDGE || bottom >= height - EDGE;

function blotsOf(page: GreyImage): Blot[] {
  const ink = inkOf(page);
  const members = new Int32Array(ink.length);
  const blots: Blot[] = [];
  for (let start = 0; start < ink.length; start += 1) if (ink[start]) blots.push(blotFrom(start, ink, page, members));
  return blots;
}

/** Takes the blot with this pixel out of the ink. */
function blotFrom(start: number, ink: Uint8Array, { width, height }: GreyImage, members: Int32Array): Blot {
  let [left, right, top, bottom] = [width, 0, height, 0];
  ink[start] = 0;
  members[0] = start;
  let count = 1;
  for (let at = 0; at < count; at += 1) {
    const [x, y] = [members[at]! % width, Math.floor(members[at]! / width)];
    [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
    for (let nextY = Math.max(0, y - 1); nextY <= Math.min(height - 1, y + 1); nextY += 1) {
      for (let nextX = Math.max(0, x - 1); nextX <= Math.min(width - 1, x + 1); nextX += 1) {
        const next = nextY * width + nextX;
        if (!ink[next]) continue;
        ink[next] = 0;
        members[count] = next;
        count += 1;
      }
    }
  }
  return { left, right, top, bottom };
}

/** Marks with 1 the pixels that are clearly darker than the paper around them. */
function inkOf({ width, height, pixels }: GreyImage): Uint8Array {
  // 32 bits suffice for sixteen million pixels.
  const sums = new Uint32Array((width + 1) * (height + 1));
  for (let y = 0; y < height; y += 1) {
    let row = 0;
    for (let x = 0; x < width; x += 1) {
      row += pixels[y * width + x]!;
      sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1]! + row;
    }
  }
  const ink = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const [top, bottom] = [Math.max(0, y - AROUND) * (width + 1), Math.min(height, y + AROUND + 1) * (width + 1)];
    const rows = (bottom - top) / (width + 1);
    for (let x = 0; x < width; x += 1) {
      const left = Math.max(0, x - AROUND);
      const right = Math.min(width, x + AROUND + 1);
      const sum = sums[bottom + right]! - sums[bottom + left]! - sums[top + right]! + sums[top + left]!;
      const mean = sum / (rows * (right - left));
      if (mean > PAPER_MIN && pixels[y * width + x]! < INK_SHARE * mean) ink[y * width + x] = 1;
    }
  }
  return ink;
}
