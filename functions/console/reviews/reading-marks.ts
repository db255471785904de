import type { Box, Picture, Reading } from './image-answers.ts';

/** One thing that was read, with its number and its place in the picture. */
export interface Mark {
  /** The same in the picture and in the list; undefined where the place is not known. */
  readonly number: number | undefined;
  readonly label: string;
  /** What the reading makes of it. */
  readonly value: string;
  readonly box: Box | undefined;
}

/** All that was read, in the order of a receipt. What has no place in the picture has no number. */
export function marksOf({ boxes, items, ...reading }: Reading): readonly Mark[] {
  const money = (amount: string | undefined) =>
    amount === undefined || reading.currency === undefined ? amount : `${amount} ${reading.currency}`;
  const found: readonly (readonly [label: string, value: string | undefined, box: Box | undefined])[] = [
    ['Store', reading.storeName, boxes.storeName],
    ['Date', reading.receiptDate, boxes.receiptDate],
    ...items.map(
      ({ name, quantity, price, box }) =>
        ['Line', `${quantity === 1 ? '' : `${quantity} × `}${name}, ${price}`, box] as const,
    ),
    ['Subtotal', money(reading.subtotal), boxes.subtotal],
    ['Tax', money(reading.tax), boxes.tax],
    ['Total', money(reading.total), boxes.total],
  ];
  let number = 0;
  return found.flatMap(([label, value, box]) => {
    if (value === undefined && box === undefined) return [];
    return [{ number: box && (number += 1), label, value: value ?? 'not read', box }];
  });
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The proportions of a picture that browsers draw; undefined where only a link to the file is of use. */
export function sizeOf({ format, examination }: Picture): Size | undefined {
  const { width = 0, height = 0 } = examination ?? {};
  if (width <= 0 || height <= 0) return undefined;
  return format === 'jpeg' || format === 'png' || format === 'gif' ? { width, height } : undefined;
}

/** `124,80 230,80 …`: the corners of a box in a drawing of this size. */
export const polygonOf = ({ corners }: Box, { width, height }: Size): string =>
  corners.map(([x, y]) => `${(x * width).toFixed(1)},${(y * height).toFixed(1)}`).join(' ');

/** Where the number of a box ends: left of it, where the lines above and below are not covered, but in the drawing. */
export function labelAt(
  { corners }: Box,
  { width, height }: Size,
  textHeight: number,
): readonly [x: number, y: number] {
  const left = Math.min(...corners.map(([x]) => x)) * width;
  const ys = corners.map(([, y]) => y * height);
  const middle = (Math.min(...ys) + Math.max(...ys)) / 2;
  return [Math.max(left - textHeight / 4, textHeight * 1.2), middle + textHeight * 0.36];
}
