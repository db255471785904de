import { LinkButton } from '../components/button.tsx';
import { FollowLink, Live } from '../components/live.tsx';
import { PageHead, Problem } from '../components/page-parts.tsx';
import { DownloadPage } from '../downloads/download-answers.ts';
import { ImportPage } from '../imports/import-answers.ts';
import { ManagementFailure, type Settled, settled } from '../management/management.ts';
import { type PageRequest, page, type Screen, screenPath } from '../pages/screen.ts';
import { RunPage } from '../runs/run-answers.ts';
import { DeliveryChart, LastFailures } from './deliveries.tsx';
import { type Figure, failedFigure, quotaFigure, reviewFigure, waitingFigure } from './figures.ts';
import { stepAnswers, stepStates } from './first-steps.ts';
import { FirstSteps } from './get-started.screen.tsx';
import { AnyItems, Reviews, Used } from './overview-answers.ts';
import { PURPOSES, type ServiceState, serviceStates } from './services.ts';

const DAY_MILLIS = 86_400_000;
/** The most runs that a tile counts: for more, all shards of the log would be read again. */
const COUNTED_MAX = '20';
/** The most runs that the chart shows. */
const CHARTED_MAX = '100';

/** The overview of a tenant. A domain that fails, or that is not deployed, affects only its own parts. */
export const overview: Screen = async (pageRequest) => {
  // The script refreshes the tiles alone.
  const isWhole = !pageRequest.query.has('fragment');
  const [counts, lists] = await Promise.all([countsOf(pageRequest), isWhole ? listsOf(pageRequest) : undefined]);
  const state = { isOver: false, content: <Tiles tiles={tilesOf(pageRequest, counts)} /> };
  if (!lists) return page('Overview', state.content, { live: { state } });
  const steps = mayBeNew(lists) ? stepStates(await stepAnswers(pageRequest)) : [];
  const isNew = steps.length > 0 && steps.every(({ isDone }) => !isDone);
  return page(
    'Overview',
    <>
      <PageHead title="Overview" lead="Activity and items that need attention.">
        <LinkButton label="Get started" href={screenPath(pageRequest, 'get-started')} />
      </PageHead>
      <div class="stack-l">
        {isNew && (
          <section class="stack">
            <h2>Getting started</h2>
            <FirstSteps pageRequest={pageRequest} steps={steps} />
          </section>
        )}
        <div class="stack">
          <Live name="state" part={state} />
          <FollowLink isOver={false} />
          {!isNew && !isAbsent(lists.runs) && (
            <div class="beside">
              <DeliveryChart pageRequest={pageRequest} runs={lists.runs} />
              <LastFailures pageRequest={pageRequest} runs={counts.failed} />
            </div>
          )}
        </div>
        {!isNew && <Services pageRequest={pageRequest} services={serviceStates({ ...counts, ...lists })} />}
      </div>
    </>,
    { live: { state } },
  );
};

type Counts = Awaited<ReturnType<typeof countsOf>>;

/** Reads the counts of the tiles, with the same filters as in the links of the tiles. */
async function countsOf({ management, now }: PageRequest) {
  const from = new Date(now - DAY_MILLIS).toISOString();
  const [failed, open, reviews, usage] = await Promise.all([
    settled(management.get('runs', RunPage, { status: 'FAILED', resolved: 'false', from, limit: COUNTED_MAX })),
    settled(management.get('runs', RunPage, { status: 'IN_PROGRESS', limit: COUNTED_MAX })),
    settled(
      management.get('image-validations', Reviews, { needsReview: 'true', order: 'oldest', limit: '1', count: 'true' }),
    ),
    settled(management.get('usage', Used)),
  ]);
  return { failed, open, reviews, usage };
}

type Lists = Awaited<ReturnType<typeof listsOf>>;

async function listsOf({ management, now }: PageRequest) {
  const from = new Date(now - DAY_MILLIS).toISOString();
  const any = (path: string) => settled(management.get(path, AnyItems, { limit: '1' }));
  const [runs, configurations, downloads, places, imports, campaigns] = await Promise.all([
    settled(management.get('runs', RunPage, { from, limit: CHARTED_MAX })),
    any('api-configurations'),
    settled(management.get('requests', DownloadPage, { limit: '1' })),
    any('loyalty/places'),
    settled(management.get('loyalty/imports', ImportPage, { limit: '1' })),
    any('loyalty/campaigns'),
  ]);
  return { runs, configurations, downloads, places, imports, campaigns };
}

/** Most tenants have something, so that the other lists of a new tenant need not be read. */
const mayBeNew = ({ configurations, downloads, places, campaigns }: Lists): boolean =>
  [configurations, downloads, places, campaigns].every((list) => !list.ok || list.value.items.length === 0);

interface Tile {
  readonly title: string;
  readonly path: string;
  readonly figure: Settled<Figure>;
}

const tilesOf = (pageRequest: PageRequest, { failed, open, reviews, usage }: Counts): readonly Tile[] => [
  {
    title: 'Failed webhooks',
    path: screenPath(pageRequest, 'runs', { status: 'FAILED', resolved: 'false' }),
    figure: figureOf(failed, failedFigure),
  },
  {
    title: 'Webhooks in progress',
    path: screenPath(pageRequest, 'runs', { status: 'IN_PROGRESS', period: 'all' }),
    figure: figureOf(open, (runs) => waitingFigure(runs, pageRequest.now)),
  },
  {
    title: 'Receipts to review',
    path: screenPath(pageRequest, 'images'),
    figure: figureOf(reviews, (queue) => reviewFigure(queue, pageRequest.now)),
  },
  { title: 'Quota used', path: screenPath(pageRequest, 'usage'), figure: figureOf(usage, quotaFigure) },
];

const figureOf = <Answer,>(answer: Settled<Answer>, figure: (value: Answer) => Figure): Settled<Figure> =>
  answer.ok ? { ok: true, value: figure(answer.value) } : answer;

/** Returns whether the domain is not deployed. */
const isAbsent = (answer: Settled<unknown>) =>
  !answer.ok && answer.failure instanceof ManagementFailure && answer.failure.status === 404;

function Tiles({ tiles }: { readonly tiles: readonly Tile[] }) {
  return (
    <div class="tiles">
      {tiles.map(({ title, path, figure }) => {
        if (isAbsent(figure)) return null;
        if (!figure.ok) return <Problem key={title} failure={figure.failure} title={`${title}:`} />;
        const { value, detail, isBad } = figure.value;
        return (
          <a key={title} class="card tile" href={path}>
            <span class="strong">{title}</span>
            <span class={isBad ? 'figure poor' : 'figure'}>{value}</span>
            <span class="small">{detail}</span>
          </a>
        );
      })}
    </div>
  );
}

interface ServicesProps {
  readonly pageRequest: PageRequest;
  readonly services: readonly ServiceState[];
}

/** A sentence for each service, and its next step. */
const Services = ({ pageRequest, services }: ServicesProps) => (
  <section class="stack">
    <h2>Services</h2>
    <div class="services">
      {services.map(({ title, sentence, next }) => (
        <div key={title} class="card pad stack-s">
          <h3>{title}</h3>
          <p class="small faint">{PURPOSES[title]}</p>
          <p class="muted">{sentence}</p>
          <p>
            <a href={screenPath(pageRequest, next.path)}>{next.label}</a>
          </p>
        </div>
      ))}
    </div>
  </section>
);
