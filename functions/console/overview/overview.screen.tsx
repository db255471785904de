import { FollowLink, Live } from '../components/live.tsx';
import { PageHead, Problem } from '../components/page-parts.tsx';
import { type Aside, aside, ManagementFailure } from '../management/management.ts';
import { page, type Screen, screenPath, type Visit } from '../pages/screen.ts';
import {
  downloadFigure,
  type Figure,
  failedFigure,
  importFigure,
  quotaFigure,
  reviewFigure,
  waitingFigure,
} from './figures.ts';
import { Imports, Requests, Reviews, Some, SomeRuns, Used } from './overview-answers.ts';

const DAY_MILLIS = 86_400_000;
/** Runs that a tile counts: more of them would be read from all shards of the log once more. */
const SEEN = '20';

interface Tile {
  readonly title: string;
  readonly path: string;
  readonly figure: Aside<Figure>;
}

/** How things stand for a tenant. A domain that fails, or that the stage does not have, takes no other tile with it. */
export const overview: Screen = async (visit) => {
  const [tiles, steps] = await Promise.all([tilesOf(visit), firstSteps(visit)]);
  const state = { isOver: false, content: <Tiles tiles={tiles} /> };
  return page(
    'Overview',
    <>
      <PageHead title="Overview" lead="What runs, what waits and what needs somebody." />
      <div class="stack-l">
        {steps.length > 0 && <FirstSteps visit={visit} steps={steps} />}
        <Live name="state" part={state} />
        <FollowLink isOver={false} />
      </div>
    </>,
    { live: { state } },
  );
};

async function tilesOf(visit: Visit): Promise<readonly Tile[]> {
  const { management, now } = visit;
  const from = new Date(now - DAY_MILLIS).toISOString();
  const tile = async (title: string, path: string, asked: Promise<Figure>): Promise<Tile> => ({
    title,
    path,
    figure: await aside(asked),
  });
  return Promise.all([
    tile(
      'Failed webhooks',
      screenPath(visit, 'runs', { status: 'FAILED', resolved: 'false' }),
      management.get('runs', SomeRuns, { status: 'FAILED', resolved: 'false', from, limit: SEEN }).then(failedFigure),
    ),
    tile(
      'Webhooks in progress',
      screenPath(visit, 'runs', { status: 'IN_PROGRESS', period: 'all' }),
      management.get('runs', SomeRuns, { status: 'IN_PROGRESS', limit: SEEN }).then((runs) => waitingFigure(runs, now)),
    ),
    tile(
      'Records to review',
      screenPath(visit, 'images'),
      management
        .get('image-validations', Reviews, { needsReview: 'true', order: 'oldest', limit: '1', count: 'true' })
        .then((reviews) => reviewFigure(reviews, now)),
    ),
    tile(
      'Downloads under way',
      screenPath(visit, 'downloads'),
      management.get('requests', Requests, { limit: '50' }).then(downloadFigure),
    ),
    tile(
      'Imports with problems',
      screenPath(visit, 'imports'),
      management.get('loyalty/imports', Imports, { limit: '50' }).then((imports) => importFigure(imports, now)),
    ),
    tile('Quota used', screenPath(visit, 'usage'), management.get('usage', Used).then(quotaFigure)),
  ]);
}

/** The stage does not have the domain. */
const isAbsent = (failure: unknown) => failure instanceof ManagementFailure && failure.status === 404;

function Tiles({ tiles }: { readonly tiles: readonly Tile[] }) {
  return (
    <div class="tiles">
      {tiles.map(({ title, path, figure }) => {
        if (!figure.ok && isAbsent(figure.failure)) return null;
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

/** What a tenant may begin with. */
interface Step {
  /** The list that is no longer empty once somebody has begun with it. */
  readonly list: string;
  readonly label: string;
  readonly text: string;
  readonly path: string;
}

const STEPS: readonly Step[] = [
  {
    list: 'api-configurations',
    label: 'Send webhooks',
    text: 'Name an endpoint of yours; then say with rules which events go there.',
    path: 'api-configurations/new',
  },
  {
    list: 'requests',
    label: 'Search and download records',
    text: 'Try a query, look at ten records, download all of them.',
    path: 'search',
  },
  {
    list: 'loyalty/places',
    label: 'Add places',
    text: 'Where customers check in for points.',
    path: 'places/-/new',
  },
  {
    list: 'keys',
    label: 'Convert data',
    text: 'Make a key, with which your servers convert, normalize and validate.',
    path: 'keys',
  },
];

/**
 * Where nobody has begun with anything yet, all that one may begin with; the beginnings of domains that do not answer
 * are left out. One list after the other: for nearly every tenant, the first tells that somebody has begun.
 */
async function firstSteps({ management, tenant, query }: Visit): Promise<readonly Step[]> {
  if (query.has('fragment')) return [];
  const open: Step[] = [];
  for (const step of STEPS) {
    const list = step.list === 'keys' ? `accounts/${encodeURIComponent(tenant)}/keys` : step.list;
    const found = await aside(management.get(list, Some, { limit: '1' }));
    if (found.ok && found.value.items.length > 0) return [];
    if (found.ok) open.push(step);
  }
  return open;
}

function FirstSteps({ visit, steps }: { readonly visit: Visit; readonly steps: readonly Step[] }) {
  return (
    <section class="card pad stack">
      <h2>Where to begin</h2>
      <div class="tiles">
        {steps.map(({ label, text, path }) => (
          <div key={label} class="stack-s">
            <h3>
              <a href={screenPath(visit, path)}>{label}</a>
            </h3>
            <p class="muted">{text}</p>
          </div>
        ))}
      </div>
    </section>
  );
}
