import { LinkButton } from '../components/button.tsx';
import { withNotice } from '../components/change-notice.tsx';
import type { Column } from '../components/data-table.tsx';
import { Card, Facts, Problem } from '../components/page-parts.tsx';
import { countText } from '../components/quantities.ts';
import { Time } from '../components/time.tsx';
import { settled } from '../management/management.ts';
import { confirmPage } from '../pages/confirm-page.tsx';
import { type Page, type PageRequest, type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { Latest } from '../resources/latest.tsx';
import { apiItemPath, itemPath, storedItem } from '../resources/resource.ts';
import { type FormState, itemPage } from '../resources/resource-form.tsx';
import { resourceList } from '../resources/resource-list.tsx';
import type { ResourceScreens } from '../resources/resource-routes.ts';
import { resourceScreens } from '../resources/resource-screens.ts';
import { SubmittedPage } from '../reviews/image-answers.ts';
import { newRecordPath, recordColumns } from '../reviews/review-queue.screen.tsx';
import { Campaign, DayCounts } from './campaign-answers.ts';
import { CAMPAIGNS } from './campaign-form.ts';
import { awardsLeftText, CampaignState, stateOf } from './campaign-state.tsx';
import { VerdictChart } from './verdict-chart.tsx';

const own = (pageRequest: PageRequest, { permalink }: Pick<Campaign, 'permalink'>) =>
  itemPath(pageRequest, CAMPAIGNS, permalink);

export const CAMPAIGN_SCREENS: ResourceScreens = {
  ...resourceScreens(CAMPAIGNS, campaignPage),
  list: (pageRequest) =>
    resourceList(pageRequest, CAMPAIGNS, {
      columns: columnsOf(pageRequest),
      emptyText: 'Create one, so that apps can submit receipts and images for it.',
    }),
};

const columnsOf = (pageRequest: PageRequest): readonly Column<Campaign>[] => [
  {
    title: 'Campaign',
    onPhone: 'first',
    cell: (campaign) => (
      <>
        <a class="strong" href={own(pageRequest, campaign)}>
          {campaign.name}
        </a>
        <div class="small faint break">{campaign.permalink}</div>
      </>
    ),
  },
  {
    title: 'State',
    onPhone: 'second',
    cell: (campaign) => <CampaignState campaign={campaign} now={pageRequest.now} />,
  },
  {
    title: 'Dates',
    cell: ({ startsAt, endsAt }) => (
      <>
        <Time at={startsAt} /> to <Time at={endsAt} />
      </>
    ),
  },
  { title: 'Awards left', isRight: true, cell: (campaign) => awardsLeftText(campaign) },
];

/** The lines of the records on the page of a campaign. */
const LINES = '10';

async function campaignPage(pageRequest: PageRequest, campaign: Campaign, state: FormState): Promise<Page> {
  const { management } = pageRequest;
  const { permalink } = campaign;
  const [days, records] = await Promise.all([
    settled(management.get(`${apiItemPath(CAMPAIGNS, permalink)}/validations-by-day`, DayCounts)),
    settled(management.get('image-validations', SubmittedPage, { campaign: permalink, limit: LINES })),
  ]);
  return itemPage(pageRequest, CAMPAIGNS, campaign, {
    state,
    lead: (
      <>
        <CampaignState campaign={campaign} now={pageRequest.now} /> <Time at={campaign.startsAt} /> to{' '}
        <Time at={campaign.endsAt} />
      </>
    ),
    acts: stateOf(campaign, pageRequest.now) === 'running' && (
      <>
        <LinkButton
          label={campaign.type === 'receipt' ? 'Submit a receipt' : 'Submit an image'}
          href={newRecordPath(pageRequest, { campaign: permalink })}
        />
        <LinkButton label="End now…" href={`${own(pageRequest, campaign)}/end`} />
      </>
    ),
    above: (
      <>
        <Card title="Verdicts by day of submission">
          {days.ok ? <VerdictChart days={days.value.days} /> : <Problem failure={days.failure} />}
        </Card>
        <Latest
          title="Records"
          none="Nothing was submitted for this campaign."
          all={screenPath(pageRequest, 'images', { view: 'all', campaign: permalink })}
          items={records}
          columns={recordColumns(pageRequest).filter(({ title }) => title !== 'Campaign')}
        />
      </>
    ),
    beside: (
      <Card title="Details">
        <Facts
          facts={{
            'Campaign permalink': <span class="mono">{campaign.permalink}</span>,
            'Campaign id': <span class="mono">{campaign.id}</span>,
            'Validation type': campaign.type === 'receipt' ? 'Receipt' : 'Image',
            Awards: campaign.awards === null ? 'Not counted without a limit' : countText(campaign.awards),
            'Awards left': awardsLeftText(campaign),
            Created: <Time at={campaign.createdAt} />,
            Changed: <Time at={campaign.updatedAt} />,
          }}
        />
      </Card>
    ),
  });
}

const endingAt = (now: number) => ({ endsAt: new Date(now).toISOString() });

export const confirmCampaignEnd: Screen = async (pageRequest) => {
  const campaign = await storedItem(pageRequest, CAMPAIGNS);
  const back = own(pageRequest, campaign);
  return confirmPage({
    title: `End ${campaign.name} now?`,
    under: [back, campaign.name],
    text: 'Today is its last day: receipts dated later, and images submitted later, are invalid. You can set another end.',
    action: `${back}/end`,
    label: 'End now',
    sends: endingAt(pageRequest.now),
  });
};

/** Ends a running campaign now. One that has ended stays as it is. */
export const endCampaign: Screen = async (pageRequest) => {
  const campaign = await storedItem(pageRequest, CAMPAIGNS);
  const ended = seeOther(withNotice(own(pageRequest, campaign), 'ended'));
  if (stateOf(campaign, pageRequest.now) !== 'running') return ended;
  const body = { ...endingAt(pageRequest.now), revision: campaign.revision };
  const path = apiItemPath(CAMPAIGNS, campaign.permalink);
  await pageRequest.management.send({ method: 'PATCH', path, body }, Campaign);
  return ended;
};
