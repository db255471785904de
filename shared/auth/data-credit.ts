import { isoTime } from '#shared/formats/timestamp';

/** The records that a data token may still download, and how they are renewed. */
export interface DataCredit {
  readonly availableDownloads: number;
  /**
   * The number to which the credit is renewed at the beginning of each calendar month (UTC). Absent if it is not
   * renewed.
   */
  readonly monthlyDownloads?: number | undefined;
  /**
   * The most credit that is carried into the next month: what was granted beyond the monthly credit, which is used
   * first.
   */
  readonly extraDownloads?: number | undefined;
  /** The month to which the credit belongs, such as `2026-11`. */
  readonly creditMonth?: string | undefined;
}

/** The calendar month (UTC) of a time, in the form that credits use. */
export const creditMonthOf = (now: number): string => isoTime(now).slice(0, 7);

/** The beginning of the next month, in milliseconds. */
export function renewsAt(now: number): number {
  const at = new Date(now);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1);
}

/** The credit in the month of this time. A clock that is slow does not undo a renewal. */
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
