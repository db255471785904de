import { isoTime } from '#shared/formats/timestamp';
import { type Announcement, announcement } from '../announcements/announcement.ts';
import { type Account, type Mode, quotaOf } from './account.ts';

const PERCENTS = [100, 90, 80, 50] as const;

export interface ReachedThreshold {
  readonly percent: number;
  readonly announced: Announcement;
}

/** The highest threshold that was reached and not announced in this period; a test pool has one period, its life. */
export function reachedThreshold(
  tenant: string,
  { mode, item, now }: { readonly mode: Mode; readonly item: Account; readonly now: number },
): ReachedThreshold | undefined {
  const { included: limit, used } = quotaOf(item, mode);
  const percent = PERCENTS.find((one) => used >= Math.ceil((one * limit) / 100));
  if (percent === undefined || percent <= announcedPercent(item, mode)) return undefined;
  const quota = mode === 'test' ? 'test' : 'live';
  // A larger plan restarts the thresholds within the same period.
  const period = mode === 'test' ? 'pool' : `${item.periodId}-${limit}`;
  const data = {
    quota,
    percent,
    used,
    limit,
    resetsAt: mode === 'test' ? null : isoTime(item.periodEnd / 1_000),
  } as const;
  const id = `quota-${quota}-${period}-${percent}`;
  return { percent, announced: announcement('Quota threshold reached', { tenant, id, data, now }) };
}

function announcedPercent(account: Account, mode: Mode): number {
  if (mode === 'test') return account.announcedTestPercent ?? 0;
  const { announcedThreshold: threshold, periodId, included } = account;
  return threshold?.periodId === periodId && threshold.included === included ? threshold.percent : 0;
}
