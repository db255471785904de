import type { DataToken } from '../keys/key-answers.ts';

/** A download that a person is preparing, as the address contains it. */
export interface DownloadOrder {
  readonly type: string;
  readonly q: string;
  readonly view: string;
  readonly format: string;
  /** The most records; empty for all that match. */
  readonly records: string;
  /** The data token to charge; empty for the one with the most credits. */
  readonly tokenId: string;
}

/** CSV with unchanged cells, even if a spreadsheet would run them as formulas. */
const RAW = 'csv-raw';

export const FORMATS = [
  ['json', 'JSON, one record per line'],
  ['csv', 'CSV, safe to open in a spreadsheet'],
  [RAW, 'CSV, unchanged cells, for programs'],
] as const;

/** @param text a member of the address, or of the form */
export const orderIn = (text: (name: string) => string): DownloadOrder => ({
  type: text('type').trim(),
  q: text('q').trim(),
  view: text('view').trim(),
  format: FORMATS.find(([format]) => format === text('format'))?.[0] ?? 'json',
  records: text('records').replaceAll(/[\s,]/g, ''),
  tokenId: text('tokenId').trim(),
});

/** The data tokens that can be charged, the one with the most credits first. */
export const payersOf = (tokens: readonly DataToken[]): readonly DataToken[] =>
  tokens
    .filter(({ revokedAt }) => revokedAt === undefined)
    .toSorted((a, b) => b.availableDownloads - a.availableDownloads);

/** The effect of an order, or why it cannot be placed. */
export type OrderCost =
  | { readonly ok: true; readonly credits: number; readonly token: DataToken; readonly remaining: number }
  | { readonly ok: false; readonly field: 'records' | 'tokenId'; readonly reason: string };

/** Calculates the cost: a credit per record. If fewer records match than were requested, those are delivered. */
export function costOf({ records, tokenId }: DownloadOrder, total: number, payers: readonly DataToken[]): OrderCost {
  if (records !== '' && !/^[1-9]\d{0,14}$/.test(records)) {
    return { ok: false, field: 'records', reason: 'Enter a number from 1, or leave empty for all records.' };
  }
  const token = tokenId === '' ? payers[0] : payers.find(({ id }) => id === tokenId);
  if (!token)
    return { ok: false, field: 'tokenId', reason: 'This token does not exist or was revoked. Choose another one.' };
  const credits = records === '' ? total : Math.min(total, Number(records));
  const remaining = token.availableDownloads - credits;
  if (remaining < 0)
    return {
      ok: false,
      field: 'tokenId',
      reason: 'The token has too few credits. Choose another one or fewer records.',
    };
  return { ok: true, credits, token, remaining };
}

/** The request body of an order. */
export const bodyOf = ({ type, q, view, format, records, tokenId }: DownloadOrder) => ({
  type,
  q,
  ...(format === RAW ? { format: 'csv', csvFormulas: 'raw' } : { format }),
  ...(view !== '' && { view }),
  ...(records !== '' && { records: Number(records) }),
  ...(tokenId !== '' && { tokenId }),
});
