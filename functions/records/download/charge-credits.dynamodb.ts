import { creditMonthOf } from '#shared/auth/data-credit';
import { dataTokenKey } from '#shared/auth/data-token-items.dynamodb';
import type { Table } from '#shared/table/table.dynamodb';
import { EXISTS, updateWrite } from '#shared/table/writes.dynamodb';

export interface CreditCharge {
  readonly tokenId: string;
  readonly records: number;
  readonly now: number;
}

/**
 * The write that charges records to a token. `download-store.dynamodb.ts` puts it into the transaction that starts a
 * download, or that stores its count; each of these commits once, so a download is charged once, however often its worker
 * starts again. It is refused unless that many records remain, the token is valid, and its credit is of this month.
 */
export const creditCharge = ({ name }: Table, { tokenId, records, now }: CreditCharge) =>
  updateWrite(name, dataTokenKey(tokenId), {
    change: 'SET availableDownloads = availableDownloads - :records',
    condition:
      'availableDownloads >= :records AND attribute_not_exists(revokedAt) AND ' +
      '(attribute_not_exists(monthlyDownloads) OR creditMonth >= :month)',
    values: { records, month: creditMonthOf(now) },
    returnsOld: true,
  });

/** The write that refunds records to a token. A refund counts for the month in which it is made. */
export const creditRefund = ({ name }: Table, tokenId: string, records: number) =>
  updateWrite(name, dataTokenKey(tokenId), {
    change: 'SET availableDownloads = availableDownloads + :records',
    ...EXISTS,
    values: { records },
  });
