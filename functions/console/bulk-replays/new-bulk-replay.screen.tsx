import * as z from 'zod/mini';
import { LinkButton, Submit } from '../components/button.tsx';
import { noticeOf } from '../components/change-notice.tsx';
import { Field, PostForm, Select } from '../components/form.tsx';
import { Facts, Note, PageHead, Problem } from '../components/page-parts.tsx';
import { countOf } from '../components/quantities.ts';
import { Time } from '../components/time.tsx';
import { type ManagementFailure, type Settled, settled } from '../management/management.ts';
import { type Page, type PageRequest, page, type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { choiceOf, REVIEW } from '../runs/review-path.ts';
import { Named } from '../runs/run-answers.ts';
import { addressOf, filterIn, PERIODS, periodLabel, type RunFilter } from '../runs/run-filter.ts';
import {
  type Countable,
  countable,
  countMatches,
  type Interval,
  intervalOf,
  replayedBody,
} from './bulk-replay-filter.ts';

const TITLE = 'Replay failed runs';
export const newBulkReplay: Screen = (pageRequest) => {
  const filter = filterIn(pageRequest.query);
  return pageRequest.query.has(REVIEW)
    ? reviewPage(pageRequest, { filter, interval: intervalOf(filter, pageRequest.now) })
    : choicePage(pageRequest, filter);
};

/** Starts a bulk replay. While another one is running, the page links to it. */
export const startBulkReplay: Screen = async (pageRequest) => {
  const { management, form, now } = pageRequest;
  const fields = ['module', 'configuration', 'period', 'record'].map((name) => [name, form.text(name)]);
  const filter = filterIn(new URLSearchParams(fields));
  const counted = intervalOf(filter, now);
  const interval = { from: form.text('from') || counted.from, to: form.text('to') || counted.to };
  const body = replayedBody(filter, interval);
  const started = await settled(
    management.send({ method: 'POST', path: 'replays', body }, z.object({ id: z.string() })),
  );
  if (!started.ok) return reviewPage(pageRequest, { filter, interval, failure: started.failure });
  return seeOther(screenPath(pageRequest, `replays/${encodeURIComponent(started.value.id)}`, noticeOf('started')));
};

type Choices = Settled<z.output<typeof Named>>;

const choicesOf = ({ management }: PageRequest): Promise<readonly [Choices, Choices]> =>
  Promise.all([
    settled(management.get('modules', Named)),
    settled(management.get('api-configurations', Named, { limit: '100' })),
  ]);

const options = (all: string, choices: Choices) => [
  ['', all] as const,
  ...(choices.ok ? choices.value.items.map(({ id, name }) => [id, name] as const) : []),
];

async function choicePage(pageRequest: PageRequest, filter: RunFilter): Promise<Page> {
  const [modules, configurations] = await choicesOf(pageRequest);
  return page(
    TITLE,
    <>
      <PageHead
        title={TITLE}
        lead="Choose the failed runs to resend. The next page shows how many match."
        under={[screenPath(pageRequest, 'replays'), 'Bulk replays']}
      />
      <form class="form card pad" method="get" action={screenPath(pageRequest, 'replays/new')}>
        <input type="hidden" name={REVIEW} value="1" />
        <Select
          name="period"
          label="Triggered"
          value={filter.period}
          options={PERIODS.map(([value, label]) => [value, label] as const)}
        />
        <Select name="module" label="Module" value={filter.module} options={options('All modules', modules)} />
        <Select
          name="configuration"
          label="API configuration"
          value={filter.configuration}
          options={options('All configurations', configurations)}
        />
        <Field name="record" label="Source record" value={filter.record} hint="Leave empty for all." />
        <div class="row">
          <Submit kind="primary" label="Continue" />
        </div>
      </form>
    </>,
  );
}

interface Review {
  readonly filter: RunFilter;
  readonly interval: Interval;
  /** The refusal of the start, if there was one. */
  readonly failure?: ManagementFailure;
}

/** The filter and the period that were counted, as hidden fields. */
const CountedFields = ({ filter, interval }: { readonly filter: RunFilter; readonly interval: Interval }) => (
  <>
    {(['period', 'module', 'configuration', 'record'] as const).map((name) => (
      <input key={name} type="hidden" name={name} value={filter[name]} />
    ))}
    <input type="hidden" name="from" value={interval.from} />
    <input type="hidden" name="to" value={interval.to} />
  </>
);

/** The number of runs that match the filter, and the button that replays them. */
async function reviewPage(pageRequest: PageRequest, { filter, interval, failure }: Review): Promise<Page> {
  const { management } = pageRequest;
  const failed = { ...filter, status: 'FAILED', resolved: 'false', cursor: '' };
  const [[modules, configurations], runs] = await Promise.all([
    choicesOf(pageRequest),
    settled(countable(management, filter, interval)),
  ]);
  const nameIn = (choices: Choices, id: string) =>
    id === '' ? 'All' : (choices.ok && choices.value.items.find((one) => one.id === id)?.name) || id;
  return page(
    TITLE,
    <>
      <PageHead
        title={TITLE}
        lead="Runs are resent with their stored payload and key to the current API configuration, newest first, 20 per second."
        under={[screenPath(pageRequest, 'replays'), 'Bulk replays']}
      />
      <PostForm
        class="form card pad"
        action={screenPath(pageRequest, 'replays/new')}
        sends={replayedBody(filter, interval)}
      >
        {failure && <Problem failure={failure} />}
        {failure?.code === 'replay-running' && (
          <Note tone="info">
            <a href={screenPath(pageRequest, 'replays')}>View the running bulk replay</a>
          </Note>
        )}
        <CountedFields filter={filter} interval={interval} />
        <Facts
          facts={{
            Triggered: (
              <>
                {periodLabel(filter)}, until <Time at={interval.to} />
              </>
            ),
            Module: nameIn(modules, filter.module),
            'API configuration': nameIn(configurations, filter.configuration),
            'Source record': filter.record || 'All',
          }}
        />
        <Matches runs={runs} />
        <div class="row">
          {runs.ok && countMatches(runs.value).isSome && (
            <Submit kind="danger" label={`Replay ${countMatches(runs.value).text}`} />
          )}
          <LinkButton label="Look at them first" href={screenPath(pageRequest, 'runs', addressOf(failed))} />
          <LinkButton label="Change filter" href={screenPath(pageRequest, 'replays/new', choiceOf(filter))} />
        </div>
      </PostForm>
    </>,
    { status: failure?.status ?? 200 },
  );
}

function Matches({ runs }: { readonly runs: Settled<Countable> }) {
  if (!runs.ok) return <Problem failure={runs.failure} title="The runs could not be counted." />;
  const { text, isSome, notReplayable } = countMatches(runs.value);
  if (!isSome) return <Note tone="info">No matching failed run can be replayed.</Note>;
  return (
    <Note tone="warn" title={`This replays ${text}, unless they are being replayed already.`}>
      {notReplayable > 0 && `${countOf(notReplayable, 'matching run')} cannot be replayed and will be skipped.`}
    </Note>
  );
}
