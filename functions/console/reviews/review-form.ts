import type { Form } from '../pages/form.ts';
import type { Details, Line } from './image-answers.ts';

/** A line of the form, as text. */
export interface LineFields {
  readonly name: string;
  readonly price: string;
  readonly quantity: string;
  readonly points: string;
  /** The text on the receipt, which is submitted but not displayed. */
  readonly description: string;
}

export interface ReviewFields {
  /** `valid`, `invalid`, or empty before a choice. */
  readonly verdict: string;
  readonly code: string;
  readonly storeName: string;
  readonly receiptDate: string;
  readonly lines: readonly LineFields[];
}

const EMPTY_LINE: LineFields = { name: '', price: '', quantity: '1', points: '0', description: '' };

const fieldsOfLine = ({ name, price, quantity, points = 0, description = '' }: Line): LineFields => ({
  name,
  price,
  quantity: String(quantity),
  points: String(points),
  description,
});

/** The values that the machine proposes. The person chooses verdict and reason. */
export function proposedFields({ review, images }: Details): ReviewFields {
  const reading = images.find((image) => image.reading)?.reading;
  const proposal = review?.proposal;
  return {
    verdict: '',
    code: '',
    storeName: proposal?.storeName ?? reading?.storeName ?? '',
    receiptDate: proposal?.receiptDate ?? reading?.receiptDate ?? '',
    lines: proposal?.results.map(fieldsOfLine) ?? [],
  };
}

/** Reads the review from the form. Lines without a name are skipped. */
export function reviewIn(form: Form): ReviewFields {
  const [prices, quantities] = [form.all('line-price'), form.all('line-quantity')];
  const [points, descriptions] = [form.all('line-points'), form.all('line-description')];
  return {
    verdict: form.text('verdict'),
    code: form.text('code'),
    storeName: form.text('storeName').trim(),
    receiptDate: form.text('receiptDate').trim(),
    lines: form
      .all('line-name')
      .map((name, at) => ({
        name: name.trim(),
        price: (prices[at] ?? '').trim(),
        quantity: (quantities[at] ?? '').trim(),
        points: (points[at] ?? '').trim(),
        description: descriptions[at] ?? '',
      }))
      .filter(({ name }) => name !== ''),
  };
}

export const withEmptyLines = (lines: readonly LineFields[], count: number): readonly LineFields[] => [
  ...lines,
  ...Array.from({ length: count }, () => EMPTY_LINE),
];

/** The request body of a review. Only a valid record has store, date and lines. */
export function bodyOf({ verdict, code, storeName, receiptDate, lines }: ReviewFields, revision: string) {
  const version = { revision: numberIn(revision) };
  if (verdict === 'invalid') return { status: verdict, invalidCode: numberIn(code), ...version };
  return {
    status: verdict,
    ...(storeName !== '' && { storeName }),
    ...(receiptDate !== '' && { receiptDate }),
    results: lines.map(({ price, quantity, points, ...texts }) => ({
      ...texts,
      price,
      quantity: numberIn(quantity),
      points: numberIn(points),
    })),
    ...version,
  };
}

/** Returns a number, or the unchanged text, which the API refuses with a reason. */
const numberIn = (text: string): number | string => (/^\d{1,15}$/.test(text) ? Number(text) : text);
