import { isoTime } from '#shared/timestamp';
import { type Announcement, announcement } from '../announcements/announcement.ts';
import { type MeterItem, type Mode, quotaOf } from './account.ts';

const PERCENTS = [100, 90, 80, 50] as const;

export interface ReachedThreshold {
  readonly percent: number;
  readonly announced: Announcement;
}

/** The highest threshold that was reached and not announced in this period; a test pool has one period, its life. */
export function reachedThreshold(
  tenant: string,
  { mode, item, now }: { readonly mode: Mode; readonly item: MeterItem; readonly now: number },
): ReachedThreshold | undefined {
  const { included: limit, used } = quotaOf(item, mode);
  const percent = PERCENTS.find((one) => used >= Math.ceil((one * limit) / 100));
  if (percent === undefined || percent <= announcedPercent(item, mode)) return undefined;
  const quota = mode === 'test' ? 'test' : 'live';
  // A larger plan restarts the thresholds within the same period.
  const period = mode === 'test' ? 'pool' : `${item.per}-${limit}`;
  const data = { quota, percent, used, limit, resetsAt: mode === 'test' ? null : isoTime(item.pe / 1_000) } as const;
  const id = `quota-${quota}-${period}-${percent}`;
  return { percent, announced: announcement('Quota threshold reached', { tenant, id, data, now }) };
}

function announcedPercent({ th, tt = 0, per, inc }: MeterItem, mode: Mode): number {
  if (mode === 'test') return tt;
  return th?.per === per && th.inc === inc ? th.percent : 0;
}
