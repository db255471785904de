import { type GreyImage, histogramOf } from './grey-image.ts';

/** The number of cells across the page. A cell holds about a word of a receipt that fills the page. */
const CELLS_ACROSS = 60;
/** Print is darker than the paper by this many greys. */
const INK_CONTRAST = 60;
/** A cell holds print, not a speck, from this share of dark pixels. */
const INK_MIN = 0.03;
/** A gap within one receipt may span this many empty cells. */
const GAP = 3;
/** Parts below this share of the largest are stains, page numbers and margin notes. */
const PART_MIN = 0.15;
/** The smallest part beside the largest that counts, in cells: an amount far from its label. */
const BESIDE_MIN = 3;
const MARGIN = 2;
/** A page that is filled to this share is not cropped. */
const FILLED = 0.85;

interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * The printed part of a mostly empty page; undefined otherwise. A receipt scanned on office paper would be too small to
 * read. In photographs the dark surroundings count as print, so nothing is cropped.
 */
export function printArea(image: GreyImage): Area | undefined {
  const size = Math.max(4, Math.round(image.width / CELLS_ACROSS));
  const grid = inkedCells(image, size);
  const parts = partsOf(grid).sort((a, b) => b.length - a.length);
  const [largest] = parts;
  if (!largest) return undefined;
  const [first, last] = rowsOf(largest, grid);
  const beside = (part: readonly number[]) => {
    const [top, bottom] = rowsOf(part, grid);
    return part.length >= BESIDE_MIN && top <= last && bottom >= first && bottom - top <= last - first;
  };
  const cells = parts.filter((part) => part.length >= PART_MIN * largest.length || beside(part)).flat();
  const columns = cells.map((cell) => cell % grid.width);
  const rows = cells.map((cell) => Math.floor(cell / grid.width));
  const low = (cells: readonly number[]) => Math.max(0, (cells.reduce((a, b) => Math.min(a, b)) - MARGIN) * size);
  const high = (cells: readonly number[]) => (cells.reduce((a, b) => Math.max(a, b)) + 1 + MARGIN) * size;
  const [left, top] = [low(columns), low(rows)];
  const width = Math.min(image.width, high(columns)) - left;
  const height = Math.min(image.height, high(rows)) - top;
  return width > FILLED * image.width ? undefined : { left, top, width, height };
}

/** The first and last row of a part. */
function rowsOf(part: readonly number[], { width }: Grid): [number, number] {
  const rows = part.map((cell) => Math.floor(cell / width));
  return [rows.reduce((a, b) => Math.min(a, b)), rows.reduce((a, b) => Math.max(a, b))];
}

interface Grid {
  readonly width: number;
  readonly height: number;
  readonly inked: Uint8Array;
}

function inkedCells(image: GreyImage, size: number): Grid {
  const counts = histogramOf(image);
  const paper = counts.indexOf(Math.max(...counts));
  const [width, height] = [Math.ceil(image.width / size), Math.ceil(image.height / size)];
  const dark = new Uint32Array(width * height);
  for (let y = 0; y < image.height; y += 1) {
    const row = Math.floor(y / size) * width;
    for (let x = 0; x < image.width; x += 1) {
      if (image.pixels[y * image.width + x]! < paper - INK_CONTRAST) dark[row + Math.floor(x / size)]! += 1;
    }
  }
  return { width, height, inked: Uint8Array.from(dark, (count) => (count >= INK_MIN * size * size ? 1 : 0)) };
}

/** Groups inked cells that no wide gap separates. */
function partsOf({ width, height, inked }: Grid): number[][] {
  const visited = new Uint8Array(inked.length);
  const parts: number[][] = [];
  for (let start = 0; start < inked.length; start += 1) {
    if (!inked[start] || visited[start]) continue;
    visited[start] = 1;
    const part = [start];
    for (const cell of part) {
      const [column, row] = [cell % width, Math.floor(cell / width)];
      for (let y = Math.max(0, row - GAP); y <= Math.min(height - 1, row + GAP); y += 1) {
        for (let x = Math.max(0, column - GAP); x <= Math.min(width - 1, column + GAP); x += 1) {
          const next = y * width + x;
          if (!inked[next] || visited[next]) continue;
          visited[next] = 1;
          part.push(next);
        }
      }
    }
    parts.push(part);
  }
  return parts;
}
