import { FollowLink, Live } from '../components/live.tsx';
import { PageHead, Problem } from '../components/page-parts.tsx';
import { ManagementFailure, type Settled, settled } from '../management/management.ts';
import { type PageRequest, page, type Screen, screenPath } from '../pages/screen.ts';
import {
  downloadFigure,
  type Figure,
  failedFigure,
  importFigure,
  quotaFigure,
  reviewFigure,
  waitingFigure,
} from './figures.ts';
import { AnyItems, Imports, Requests, Reviews, SomeRuns, Used } from './overview-answers.ts';

const DAY_MILLIS = 86_400_000;
/** The most runs that a tile counts: for more, all shards of the log would be read again. */
const RUNS_MAX = '20';

interface Tile {
  readonly title: string;
  readonly path: string;
  readonly figure: Settled<Figure>;
}

/** The overview of a tenant. A domain that fails, or that is not deployed, affects only its own tile. */
export const overview: Screen = async (pageRequest) => {
  const [tiles, steps] = await Promise.all([tilesOf(pageRequest), firstSteps(pageRequest)]);
  const state = { isOver: false, content: <Tiles tiles={tiles} /> };
  return page(
    'Overview',
    <>
      <PageHead title="Overview" lead="Activity and items that need attention." />
      <div class="stack-l">
        {steps.length > 0 && <FirstSteps pageRequest={pageRequest} steps={steps} />}
        <Live name="state" part={state} />
        <FollowLink isOver={false} />
      </div>
    </>,
    { live: { state } },
  );
};

async function tilesOf(pageRequest: PageRequest): Promise<readonly Tile[]> {
  const { management, now } = pageRequest;
  const from = new Date(now - DAY_MILLIS).toISOString();
  const tile = async (title: string, path: string, asked: Promise<Figure>): Promise<Tile> => ({
    title,
    path,
    figure: await settled(asked),
  });
  return Promise.all([
    tile(
      'Failed webhooks',
      screenPath(pageRequest, 'runs', { status: 'FAILED', resolved: 'false' }),
      management
        .get('runs', SomeRuns, { status: 'FAILED', resolved: 'false', from, limit: RUNS_MAX })
        .then(failedFigure),
    ),
    tile(
      'Webhooks in progress',
      screenPath(pageRequest, 'runs', { status: 'IN_PROGRESS', period: 'all' }),
      management
        .get('runs', SomeRuns, { status: 'IN_PROGRESS', limit: RUNS_MAX })
        .then((runs) => waitingFigure(runs, now)),
    ),
    tile(
      'Records to review',
      screenPath(pageRequest, 'images'),
      management
        .get('image-validations', Reviews, { needsReview: 'true', order: 'oldest', limit: '1', count: 'true' })
        .then((reviews) => reviewFigure(reviews, now)),
    ),
    tile(
      'Downloads in progress',
      screenPath(pageRequest, 'downloads'),
      management.get('requests', Requests, { limit: '50' }).then(downloadFigure),
    ),
    tile(
      'Imports with problems',
      screenPath(pageRequest, 'imports'),
      management.get('loyalty/imports', Imports, { limit: '50' }).then((imports) => importFigure(imports, now)),
    ),
    tile('Quota used', screenPath(pageRequest, 'usage'), management.get('usage', Used).then(quotaFigure)),
  ]);
}

/** Returns whether the domain is not deployed. */
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

/** A first step for a new tenant. */
interface Step {
  /** The list that is not empty once the step was taken. */
  readonly list: string;
  readonly label: string;
  readonly text: string;
  readonly path: string;
}

const STEPS: readonly Step[] = [
  {
    list: 'api-configurations',
    label: 'Send webhooks',
    text: 'Add an endpoint, then use rules to choose which events it receives.',
    path: 'api-configurations/new',
  },
  {
    list: 'requests',
    label: 'Search and download records',
    text: 'Try a query, preview ten records, then download every match.',
    path: 'search',
  },
  {
    list: 'loyalty/places',
    label: 'Add places',
    text: 'Customers check in at places for points.',
    path: 'places/-/new',
  },
  {
    list: 'keys',
    label: 'Convert data',
    text: 'Create a key for your servers to convert, normalize and validate.',
    path: 'keys',
  },
];

/**
 * Returns the first steps for a tenant that has taken none; steps of domains that do not respond are left out. The
 * lists are read one after the other, because for nearly every tenant the first one already has items.
 */
async function firstSteps({ management, tenant, query }: PageRequest): Promise<readonly Step[]> {
  if (query.has('fragment')) return [];
  const open: Step[] = [];
  for (const step of STEPS) {
    const list = step.list === 'keys' ? `accounts/${encodeURIComponent(tenant)}/keys` : step.list;
    const existing = await settled(management.get(list, AnyItems, { limit: '1' }));
    if (existing.ok && existing.value.items.length > 0) return [];
    if (existing.ok) open.push(step);
  }
  return open;
}

function FirstSteps({ pageRequest, steps }: { readonly pageRequest: PageRequest; readonly steps: readonly Step[] }) {
  return (
    <section class="card pad stack">
      <h2>Getting started</h2>
      <div class="tiles">
        {steps.map(({ label, text, path }) => (
          <div key={label} class="stack-s">
            <h3>
              <a href={screenPath(pageRequest, path)}>{label}</a>
            </h3>
            <p class="muted">{text}</p>
          </div>
        ))}
      </div>
    </section>
  );
}
