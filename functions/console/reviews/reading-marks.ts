import type { Box, Picture, Reading } from './image-answers.ts';

/** A text that was read, with its number and its position in the picture. */
export interface Mark {
  /** The number in the picture and in the list; undefined without a position. */
  readonly number: number | undefined;
  readonly label: string;
  /** The value that was read. */
  readonly value: string;
  readonly box: Box | undefined;
}

/** Returns everything that was read, in the order of a receipt. Texts without a position have no number. */
export function marksOf({ boxes, items, ...reading }: Reading): readonly Mark[] {
  const money = (amount: string | undefined) =>
    amount === undefined || reading.currency === undefined ? amount : `${amount} ${reading.currency}`;
  const values: readonly (readonly [label: string, value: string | undefined, box: Box | undefined])[] = [
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
  return values.flatMap(([label, value, box]) => {
    if (value === undefined && box === undefined) return [];
    return [{ number: box && (number += 1), label, value: value ?? 'not read', box }];
  });
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Returns the size of a picture that browsers can display; undefined for other files. */
export function sizeOf({ format, examination }: Picture): Size | undefined {
  const { width = 0, height = 0 } = examination ?? {};
  if (width <= 0 || height <= 0) return undefined;
  return format === 'jpeg' || format === 'png' || format === 'gif' ? { width, height } : undefined;
}

/** `124,80 230,80 …`: the corners of a box in a drawing of this size. */
export const polygonOf = ({ corners }: Box, { width, height }: Size): string =>
  corners.map(([x, y]) => `${(x * width).toFixed(1)},${(y * height).toFixed(1)}`).join(' ');

/** Returns the position of the number of a box: left of the box, but within the drawing. */
export function labelAt(
  { corners }: Box,
  { width, height }: Size,
  textHeight: number,
): readonly [x: number, y: number] {
  const leftEdge = Math.min(...corners.map(([x]) => x)) * width;
  const ys = corners.map(([, y]) => y * height);
  const middle = (Math.min(...ys) + Math.max(...ys)) / 2;
  return [Math.max(leftEdge - textHeight / 4, textHeight * 1.2), middle + textHeight * 0.36];
}
