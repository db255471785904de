import type { ReadReceipt } from '../receipts/receipt.ts';

/** The result for one picture. */
export interface ReceiptRow {
  readonly file: string;
  readonly verdict: string;
  readonly reason?: string | undefined;
  readonly receipt?: ReadReceipt | undefined;
}

const HEADS = ['file', 'verdict', 'store', 'date', 'total', 'items', 'reason'] as const;
const STORE_CHARACTERS = 28;

/** Formats rows as text, with columns as wide as their content. */
export function receiptTable(rows: readonly ReceiptRow[]): string {
  const cells = [HEADS, ...rows.map(cellsOf)];
  const widths = HEADS.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cellsOf({ file, verdict, reason = '', receipt }: ReceiptRow): string[] {
  const { store = '', date = '', total, currency = '', items = [] } = receipt ?? {};
  const amount = total === undefined ? '' : `${(total / 100).toFixed(2)} ${currency}`;
  return [file, verdict, store.slice(0, STORE_CHARACTERS), date, amount, receipt ? String(items.length) : '', reason];
}
