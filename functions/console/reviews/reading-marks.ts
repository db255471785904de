import type { Box, Picture, Reading } from './image-answers.ts';

/** A text that was read, with its number and its position in the picture. */
export interface Mark {
  /** The number in the picture and in the list; undefined without a position. */
  readonly number: number | undefined;
  readonly label: string;
  /** The value that was read. */
  readonly value: string;
  readonly box: Box | undefined;
  readonly agreement: Agreement | undefined;
}

/** The comparison of independent readings of one text. */
export interface Agreement {
  /** The number of readings that show the value. */
  readonly same: number;
  /** The values in the other readings. */
  readonly others: readonly string[];
}

type Field = Omit<Mark, 'number' | 'value'> & { readonly value: string | undefined };

/** Returns everything that was read, in the order of a receipt. Texts without a position have no number. */
export function marksOf({ boxes, items, readings, ...reading }: Reading): readonly Mark[] {
  const money = (amount: string | undefined) =>
    amount === undefined || reading.currency === undefined ? amount : `${amount} ${reading.currency}`;
  const field = (label: string, value: string | undefined, box: Box | undefined, each?: readonly string[]): Field => ({
    label,
    value,
    box,
    agreement: agreementOf(value, each),
  });
  const fields = [
    field('Store', reading.storeName, boxes.storeName, readings?.storeName),
    field('Date', reading.receiptDate, boxes.receiptDate, readings?.receiptDate),
    ...items.map((item) => ({
      ...field('Line', lineText(item), item.box),
      agreement: agreementOf(amountText(item), item.readings?.map(amountText)),
    })),
    field('Subtotal', money(reading.subtotal), boxes.subtotal),
    field('Tax', money(reading.tax), boxes.tax),
    field(
      'Total',
      money(reading.total),
      boxes.total,
      readings?.total.map((total) => money(total) ?? total),
    ),
  ];
  let number = 0;
  return fields.flatMap(({ value, ...mark }) => {
    if (value === undefined && mark.box === undefined) return [];
    return [{ ...mark, number: mark.box && (number += 1), value: value ?? 'not read' }];
  });
}

type ReadLine = Pick<Reading['items'][number], 'name' | 'quantity' | 'price'>;

/** Names differ by a letter in most readings. Amounts must not. */
const amountText = ({ quantity, price }: ReadLine) => (quantity === 1 ? price : `${quantity} × …, ${price}`);

const lineText = ({ name, quantity, price }: ReadLine) => `${quantity === 1 ? '' : `${quantity} × `}${name}, ${price}`;

function agreementOf(value: string | undefined, readings: readonly string[] = []): Agreement | undefined {
  if (readings.length === 0) return undefined;
  return {
    same: readings.filter((one) => one === value).length,
    others: [...new Set(readings.filter((one) => one !== value))],
  };
}

/** The id of a text's line in the list, or of its box in the picture. */
export const markId = (part: 'line' | 'box', picture: number, number: number): string => `${part}-${picture}-${number}`;

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
