import type { Form } from '../pages/form.ts';
import type { Details, Line } from './image-answers.ts';

/** A line of the form, as text. */
export interface LineFields {
  readonly name: string;
  readonly price: string;
  readonly quantity: string;
  readonly points: string;
  /** Of the receipt; kept, and not shown. */
  readonly description: string;
}

export interface ReviewFields {
  /** `valid`, `invalid`, or blank while nobody has chosen. */
  readonly verdict: string;
  readonly code: string;
  readonly storeName: string;
  readonly receiptDate: string;
  readonly lines: readonly LineFields[];
}

const BLANK_LINE: LineFields = { name: '', price: '', quantity: '1', points: '0', description: '' };

const fieldsOfLine = ({ name, price, quantity, points = 0, description = '' }: Line): LineFields => ({
  name,
  price,
  quantity: String(quantity),
  points: String(points),
  description,
});

/** What the machine proposes, and the code that it fears most. */
export function proposedFields({ review, images }: Details): ReviewFields {
  const reading = images.find((image) => image.reading)?.reading;
  const proposal = review?.proposal;
  return {
    verdict: '',
    code: String(review?.doubts[0]?.code ?? ''),
    storeName: proposal?.storeName ?? reading?.storeName ?? '',
    receiptDate: proposal?.receiptDate ?? reading?.receiptDate ?? '',
    lines: proposal?.results.map(fieldsOfLine) ?? [],
  };
}

/** Lines without a name are blank lines, which nobody has filled in. */
export function statedReview(form: Form): ReviewFields {
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

export const withBlankLines = (lines: readonly LineFields[], count: number): readonly LineFields[] => [
  ...lines,
  ...Array.from({ length: count }, () => BLANK_LINE),
];

/** What the management API is sent. Store, date and lines belong to valid records alone. */
export function bodyOf({ verdict, code, storeName, receiptDate, lines }: ReviewFields, revision: string) {
  const seen = { revision: numberIn(revision) };
  if (verdict === 'invalid') return { status: verdict, invalidCode: numberIn(code), ...seen };
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
    ...seen,
  };
}

/** A number, or the text as it is: the API says what is wrong with it. */
const numberIn = (text: string): number | string => (/^\d{1,15}$/.test(text) ? Number(text) : text);
