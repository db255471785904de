import type { DataToken } from '../keys/key-answers.ts';

/** A download that is being put together, as it stands in the address. */
export interface DownloadOrder {
  readonly type: string;
  readonly q: string;
  readonly view: string;
  readonly format: string;
  /** Blank: all that match. */
  readonly records: string;
  /** Blank: the token with the most credits. */
  readonly tokenId: string;
}

/** CSV with nothing put before cells that a spreadsheet would run as formulas. */
const RAW = 'csv-raw';

export const FORMATS = [
  ['json', 'JSON, one record a line'],
  ['csv', 'CSV, safe to open in a spreadsheet'],
  [RAW, 'CSV, cells as they are, for programs'],
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

/** Tokens that can pay, the one with the most credits first. */
export const payersOf = (tokens: readonly DataToken[]): readonly DataToken[] =>
  tokens
    .filter(({ revokedAt }) => revokedAt === undefined)
    .toSorted((a, b) => b.availableDownloads - a.availableDownloads);

/** What an order would do, or why it cannot be placed. */
export type OrderCost =
  | { readonly ok: true; readonly credits: number; readonly token: DataToken; readonly left: number }
  | { readonly ok: false; readonly field: 'records' | 'tokenId'; readonly reason: string };

/** A record costs a credit. Where fewer match than were asked for, those that match are delivered. */
export function costOf({ records, tokenId }: DownloadOrder, found: number, payers: readonly DataToken[]): OrderCost {
  if (records !== '' && !/^[1-9]\d{0,14}$/.test(records)) {
    return { ok: false, field: 'records', reason: 'State a number from 1 on, or nothing for all records.' };
  }
  const token = tokenId === '' ? payers[0] : payers.find(({ id }) => id === tokenId);
  if (!token) return { ok: false, field: 'tokenId', reason: 'There is no such token, or it was revoked.' };
  const credits = records === '' ? found : Math.min(found, Number(records));
  const left = token.availableDownloads - credits;
  if (left < 0) return { ok: false, field: 'tokenId', reason: 'The token has too few credits for that many records.' };
  return { ok: true, credits, token, left };
}

/** What the management API is sent. */
export const bodyOf = ({ type, q, view, format, records, tokenId }: DownloadOrder) => ({
  type,
  q,
  ...(format === RAW ? { format: 'csv', csvFormulas: 'raw' } : { format }),
  ...(view !== '' && { view }),
  ...(records !== '' && { records: Number(records) }),
  ...(tokenId !== '' && { tokenId }),
});
