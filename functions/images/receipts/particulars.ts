import type { FoundDate } from './dates.ts';
import type { Locale } from './locales.ts';
import type { Row } from './rows.ts';

const CLOCK = /(?<![\d:./-])([01]?\d|2[0-3])[:.]([0-5]\d)(?:[:.][0-5]\d)? ?([AP])?\.?(?:M\b)?/gi;
/** Two times in a row are when the store opens and closes. */
const TIME_LABEL = /\bTIME\b|\bMASA\b/i;
const ROWS_AROUND_DATE = 2;

/** Time of day of the purchase, as `14:22`: beside its label, or near the date. */
export function timeOf(rows: readonly Row[], date: FoundDate | undefined): string | undefined {
  const near = date ? [0, -1, 1, -ROWS_AROUND_DATE, ROWS_AROUND_DATE].map((apart) => rows[date.at + apart]) : [];
  const labelled = rows.filter(({ text }) => TIME_LABEL.test(text));
  for (const row of [near[0], ...labelled, ...near.slice(1)]) {
    const times = row === undefined ? [] : timesIn(row.text);
    if (times.length === 1) return times[0];
  }
  return undefined;
}

function timesIn(text: string): string[] {
  return [...text.matchAll(CLOCK)].flatMap(([whole, hours = '', minutes = '', half]) => {
    // With a point it may be an amount.
    if (!whole.includes(':') && half === undefined) return [];
    const hour = Number(hours);
    const late = half?.toUpperCase() === 'P' && hour < 12 ? 12 : 0;
    const midnight = half?.toUpperCase() === 'A' && hour === 12 ? -12 : 0;
    return [`${String(hour + late + midnight).padStart(2, '0')}:${minutes}`];
  });
}

/** What stores call the number of a sale, that of the sale itself before that of its paper. */
const NUMBER_LABELS = [
  'TRANSACTION|TRANS|TRXN?|TRN|TXN',
  'RECEIPT|RCPT|SLIP|RESIT',
  'INVOICE|INV|BILL|CHECK|DOCUMENT|DOC|ORDER',
];
const NUMBER_PATTERNS = NUMBER_LABELS.map(
  (labels) =>
    new RegExp(`\\b(?:${labels})\\b[ .]{0,2}(?:NO|NUM|NUMBER|ID|#)?\\b[ .:;#-]*([A-Z0-9][A-Z0-9/-]{2,23})\\b`, 'i'),
);

/** The number of the sale, if it is labelled. */
export function numberOf(rows: readonly Row[]): string | undefined {
  for (const pattern of NUMBER_PATTERNS) {
    const found = rows.map(({ text }) => pattern.exec(text)?.[1]).find((number) => /\d{2}/.test(number ?? ''));
    if (found !== undefined) return found.toUpperCase();
  }
  return undefined;
}

/** The address stands in the head. */
const ADDRESS_ROWS = 14;

/** States and postal codes in the head of the receipt, each once. */
export function regionsOf(rows: readonly Row[], { regions }: Locale): string[] {
  const text = rows
    .slice(0, ADDRESS_ROWS)
    .map((row) =>
      row.text
        .toUpperCase()
        .replace(/[^A-Z0-9 ]+/g, ' ')
        .replace(/ +/g, ' '),
    )
    .join(' | ');
  const found = regions.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(([, ...groups]) => groups.filter((group) => group !== undefined)),
  );
  return [...new Set(found)];
}
