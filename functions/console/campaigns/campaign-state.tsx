import { Badge } from '../components/badge.tsx';
import { countText } from '../components/quantities.ts';
import type { Campaign } from './campaign-answers.ts';

type Dates = Pick<Campaign, 'startsAt' | 'endsAt'>;

export function stateOf({ startsAt, endsAt }: Dates, now: number): 'not begun' | 'running' | 'ended' {
  if (now < Date.parse(startsAt)) return 'not begun';
  return now < Date.parse(endsAt) ? 'running' : 'ended';
}

export function CampaignState({ campaign, now }: { readonly campaign: Dates; readonly now: number }) {
  switch (stateOf(campaign, now)) {
    case 'running':
      return <Badge tone="ok" icon="check" label="Running" />;
    case 'not begun':
      return <Badge tone="info" icon="clock" label="Not begun" />;
    default:
      return <Badge tone="plain" icon="pause" label="Ended" />;
  }
}

/** `988 of 1,000`, `No limit` */
export const awardsLeftText = ({ maxAwards, awards }: Pick<Campaign, 'maxAwards' | 'awards'>): string =>
  maxAwards === null ? 'No limit' : `${countText(Math.max(0, maxAwards - (awards ?? 0)))} of ${countText(maxAwards)}`;
