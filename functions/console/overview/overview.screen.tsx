import { LinkButton } from '../components/button.tsx';
import { FollowLink, Live } from '../components/live.tsx';
import { PageHead, Problem } from '../components/page-parts.tsx';
import { DownloadPage } from '../downloads/download-answers.ts';
import { ManagementFailure, type Settled, settled } from '../management/management.ts';
import { type PageRequest, page, type Screen, screenPath } from '../pages/screen.ts';
import { RunPage } from '../runs/run-answers.ts';
import { DeliveryChart, LastFailures } from './deliveries.tsx';
import { deliverySums, type Figure, failedFigure, progressFigure, quotaFigure, reviewFigure } from './figures.ts';
import { stepAnswers, stepStates } from './first-steps.ts';
import { FirstSteps } from './get-started.screen.tsx';
import { AnyItems, Deliveries, PlaceNames, Reviews, Used } from './overview-answers.ts';
import { PURPOSES, type ServiceState, serviceStates } from './services.ts';

const DAY_MILLIS = 86_400_000;
/** The most runs that a tile counts: for more, all shards of the log would be read again. */
const COUNTED_MAX = '20';

/** The overview of a tenant. A domain that fails, or that is not deployed, affects only its own parts. */
export const overview: Screen = async (pageRequest) => {
  // The script refreshes the tiles alone.
  const isWhole = !pageRequest.query.has('fragment');
  const [counts, newest] = await Promise.all([countsOf(pageRequest), isWhole ? newestOf(pageRequest) : undefined]);
  const state = { isOver: false, content: <Tiles tiles={tilesOf(pageRequest, counts)} /> };
  if (!newest) return page('Overview', state.content, { live: { state } });
  const answers = { ...counts, ...newest, ...(await othersOf(pageRequest, counts)) };
  const steps = mayBeNew(answers) ? stepStates(await stepAnswers(pageRequest)) : [];
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
          {!isNew && !isAbsent(answers.deliveries) && (
            <div class="beside">
              <DeliveryChart pageRequest={pageRequest} deliveries={answers.deliveries} />
              <LastFailures pageRequest={pageRequest} runs={counts.failed} />
            </div>
          )}
        </div>
        {!isNew && <Services pageRequest={pageRequest} services={serviceStates(answers)} />}
      </div>
    </>,
    { live: { state } },
  );
};

type Counts = Awaited<ReturnType<typeof countsOf>>;

/** Reads the counts of the tiles, with the same filters as in the links of the tiles. */
async function countsOf({ management, now }: PageRequest) {
  const from = new Date(now - DAY_MILLIS).toISOString();
  const [failed, deliveries, reviews, usage] = await Promise.all([
    settled(management.get('runs', RunPage, { status: 'FAILED', resolved: 'false', from, limit: COUNTED_MAX })),
    settled(management.get('runs/counts', Deliveries)),
    settled(
      management.get('image-validations', Reviews, { needsReview: 'true', order: 'oldest', limit: '1', count: 'true' }),
    ),
    settled(management.get('usage', Used)),
  ]);
  return { failed, deliveries, reviews, usage };
}

type Newest = Awaited<ReturnType<typeof newestOf>>;

async function newestOf({ management }: PageRequest) {
  const [downloads, places] = await Promise.all([
    settled(management.get('requests', DownloadPage, { limit: '1' })),
    settled(management.get('loyalty/places', PlaceNames, { limit: '1' })),
  ]);
  return { downloads, places };
}

/** Reads whether there are configurations and campaigns, each only if nothing else tells. */
async function othersOf({ management }: PageRequest, { deliveries, reviews }: Counts) {
  const unless = async (isKnown: boolean, path: string): Promise<Settled<AnyItems> | undefined> =>
    isKnown ? undefined : settled(management.get(path, AnyItems, { limit: '1' }));
  const [configurations, campaigns] = await Promise.all([
    unless(deliveries.ok && deliverySums(deliveries.value.periods).all > 0, 'api-configurations'),
    unless(reviews.ok && reviews.value.count.value > 0, 'loyalty/campaigns'),
  ]);
  return { configurations, campaigns };
}

type Others = Awaited<ReturnType<typeof othersOf>>;

/** Most tenants have something, so that the other lists of a new tenant need not be read. */
const mayBeNew = ({ configurations, downloads, places, campaigns }: Newest & Others): boolean =>
  [configurations, downloads, places, campaigns].every(
    (list) => list !== undefined && (!list.ok || list.value.items.length === 0),
  );

interface Tile {
  readonly title: string;
  readonly path: string;
  readonly figure: Settled<Figure>;
}

const tilesOf = (pageRequest: PageRequest, { failed, deliveries, reviews, usage }: Counts): readonly Tile[] => [
  {
    title: 'Failed webhooks',
    path: screenPath(pageRequest, 'runs', { status: 'FAILED', resolved: 'false' }),
    figure: figureOf(failed, failedFigure),
  },
  {
    title: 'Webhooks in progress',
    path: screenPath(pageRequest, 'runs', { status: 'IN_PROGRESS' }),
    figure: figureOf(deliveries, (counts) => progressFigure(counts, pageRequest.now)),
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
