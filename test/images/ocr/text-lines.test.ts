import { describe, expect, it } from 'vitest';
import { type TextMap, textLines } from '../../../functions/images/ocr/text-lines.ts';

const [WIDTH, HEIGHT] = [200, 120];

const mapOf = (value: (x: number, y: number) => number): TextMap => ({
  width: WIDTH,
  height: HEIGHT,
  values: Float32Array.from({ length: WIDTH * HEIGHT }, (_, at) => value(at % WIDTH, Math.floor(at / WIDTH))),
});
const within = (x: number, y: number, [left, top, right, bottom]: readonly number[]) =>
  x >= left! && x < right! && y >= top! && y < bottom!;

describe('lines of print', () => {
  it('are the regions that the detector marks, grown to their whole height', () => {
    const [line, ...others] = textLines(
      mapOf((x, y) => (within(x, y, [20, 40, 120, 46]) ? 0.9 : 0)),
      10,
    );
    expect(others).toEqual([]);
    expect(line!.from.y).toBeCloseTo(43, 0);
    expect(line!.height).toBeGreaterThan(12);
    expect(line!.height).toBeLessThan(18);
    expect(line!.from.x).toBeLessThan(20);
    expect(line!.to.x).toBeGreaterThan(120);
  });

  it('lean as the print does', () => {
    const [line] = textLines(
      mapOf((x, y) => (x >= 20 && x < 180 && Math.abs(y - 30 - x / 10) <= 3 ? 0.9 : 0)),
      10,
    );
    expect((line!.to.y - line!.from.y) / (line!.to.x - line!.from.x)).toBeCloseTo(0.1, 2);
    expect(line!.height).toBeLessThan(20);
  });

  it('are neither specks, nor faint regions, nor print that lies on its side', () => {
    const speck = [10, 10, 12, 12];
    const faint = [20, 20, 120, 30];
    const sideways = [150, 10, 158, 110];
    const values = mapOf((x, y) =>
      within(x, y, faint) ? 0.4 : within(x, y, speck) || within(x, y, sideways) ? 0.9 : 0,
    );
    expect(textLines(values, 10)).toEqual([]);
  });

  it('are limited in number, so that a pattern cannot take more time than a receipt', () => {
    const pattern = mapOf((x, y) => (x % 20 < 12 && y % 10 < 5 ? 0.9 : 0));
    expect(textLines(pattern, 7)).toHaveLength(7);
    expect(textLines(pattern, 1_000)).toHaveLength(120);
  });
});
