import { isoTime } from '#shared/timestamp';

/** The records that a data token may still download, and what renews them. */
export interface DataCredit {
  readonly availableDownloads: number;
  /** What the credit is renewed to at the beginning of each calendar month (UTC). Absent: it is not renewed. */
  readonly monthlyDownloads?: number | undefined;
  /** At most so much of the credit outlives the month: it was granted beyond the monthly one, which is used first. */
  readonly extraDownloads?: number | undefined;
  /** The month of the credit, such as `2026-11`. */
  readonly creditMonth?: string | undefined;
}

/** The calendar month (UTC) of a time, as credits name it. */
export const creditMonthOf = (now: number): string => isoTime(now).slice(0, 7);

/** When the next month begins, in milliseconds. */
export function renewsAt(now: number): number {
  const at = new Date(now);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1);
}

/** The credit as it is in the month of this time. A clock that is behind takes back no renewal. */
export function renewed<Credit extends DataCredit>(credit: Credit, now: number): Credit {
  const { monthlyDownloads, extraDownloads = 0, availableDownloads, creditMonth = '' } = credit;
  const month = creditMonthOf(now);
  if (monthlyDownloads === undefined || creditMonth >= month) return credit;
  const extra = Math.min(extraDownloads, availableDownloads);
  return {
    ...credit,
    availableDownloads: monthlyDownloads + extra,
    extraDownloads: extra,
    creditMonth: month,
  };
}
