/** A half-open window in which conversions are counted; times in milliseconds. */
export interface Period {
  /** The id, a part of the counter's name. */
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

/** `m`: a month of the plan Free. `b`: a month of an account whose payments failed, counted from zero. */
type MonthKind = 'm' | 'b';

/** The UTC calendar month that contains this time. */
export function monthOf(now: number, kind: MonthKind = 'm'): Period {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const id = `${kind}${year}${String(month + 1).padStart(2, '0')}`;
  return { id, start: Date.UTC(year, month, 1), end: Date.UTC(year, month + 1, 1) };
}

/** The paid period that contains this time. Boundary k is k months from the anchor, not from the boundary before it. */
export function billingPeriodOf(anchor: number, now: number): Period {
  const [from, to] = [new Date(anchor), new Date(now)];
  const between = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  // Every month has one boundary, so the period began at the boundary of the month of this time, or at the one before
  // it.
  const months = boundary(anchor, between) > now ? between - 1 : between;
  const start = boundary(anchor, months);
  return {
    id: `p${new Date(start).toISOString().slice(0, 10).replaceAll('-', '')}`,
    start,
    end: boundary(anchor, months + 1),
  };
}

/** The same time of the same day, or of the last day of a month that has no such day. */
function boundary(anchor: number, months: number): number {
  const from = new Date(anchor);
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months];
  const days = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const day = Math.min(from.getUTCDate(), days);
  return Date.UTC(year, month, day) + (anchor - Date.UTC(year, from.getUTCMonth(), from.getUTCDate()));
}
