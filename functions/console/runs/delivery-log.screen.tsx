import * as z from 'zod/mini';
import { REPLAYS_MAX } from '#shared/replay-limit';
import { LinkButton, Submit } from '../components/button.tsx';
import { type Column, DataTable, Pager } from '../components/data-table.tsx';
import { durationText } from '../components/durations.ts';
import { Field, PostForm, Select } from '../components/form.tsx';
import { Empty, Note, PageHead, Problem, Tabs } from '../components/page-parts.tsx';
import { ShortId } from '../components/short-id.tsx';
import { Time, Until } from '../components/time.tsx';
import { type Settled, settled } from '../management/management.ts';
import { type PageRequest, page, type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { Delivering, PauseNote } from './pause-note.tsx';
import { reviewPath } from './review-path.ts';
import { Named, type Run, RunPage } from './run-answers.ts';
import { addressOf, filterIn, PERIODS, periodLabel, queryOf, type RunFilter, STATUSES } from './run-filter.ts';
import { isReplayable, ResponseCode, RunStatus, shortId } from './run-status.tsx';
import { NONE_SELECTED } from './selected-replays.ts';

/** The delivery log: the runs of a tenant, newest first, with the columns that the specification requires. */
export const deliveryLog: Screen = async (pageRequest) => {
  const { management, query, now } = pageRequest;
  const filter = filterIn(query);
  if (filter.record.startsWith('run_')) {
    const path = `runs/${encodeURIComponent(filter.record)}`;
    if ((await settled(management.get(path, z.unknown()))).ok) return seeOther(screenPath(pageRequest, path));
  }
  const [runs, modules, configurations, account] = await Promise.all([
    management.get('runs', RunPage, queryOf(filter, now)),
    settled(management.get('modules', Named)),
    settled(management.get('api-configurations', Named, { limit: '100' })),
    settled(management.get(`accounts/${encodeURIComponent(pageRequest.tenant)}`, Delivering)),
  ]);
  const path = (changes: Partial<RunFilter>) =>
    screenPath(pageRequest, 'runs', addressOf({ ...filter, cursor: '', ...changes }));
  return page(
    'Delivery log',
    <>
      <PageHead title="Delivery log" lead="All sent and pending webhooks, newest first.">
        <LinkButton label="Refresh" href={path({ cursor: filter.cursor })} />
        <LinkButton label="Replay all failed…" href={reviewPath(pageRequest, filter)} />
      </PageHead>
      <PauseNote account={account} />
      {query.has(NONE_SELECTED) && <Note tone="warn">Select at least one failed run.</Note>}
      <Tabs
        label="Status"
        current={path({})}
        tabs={STATUSES.map(([status, resolved, label]) => [path({ status, resolved }), label] as const)}
      />
      <Filters
        action={screenPath(pageRequest, 'runs')}
        filter={filter}
        modules={modules}
        configurations={configurations}
      />
      {filter.bulkReplay && (
        <OfBulkReplay pageRequest={pageRequest} id={filter.bulkReplay} all={path({ bulkReplay: '' })} />
      )}
      <div class="card">
        {runs.items.length > 0 ? (
          <Runs pageRequest={pageRequest} filter={filter} runs={runs.items} />
        ) : (
          <NoRuns
            pageRequest={pageRequest}
            filter={filter}
            reached={runs.nextCursor === undefined ? undefined : runs.reached}
          />
        )}
        <Pager
          newest={filter.cursor === '' ? undefined : path({})}
          older={runs.nextCursor === undefined ? undefined : path({ cursor: runs.nextCursor })}
          label={runs.items.length > 0 ? 'Older' : 'Keep searching'}
        />
      </div>
    </>,
  );
};

interface OfBulkReplayProps {
  readonly pageRequest: PageRequest;
  readonly id: string;
  /** The address of the log without this filter. */
  readonly all: string;
}

function OfBulkReplay({ pageRequest, id, all }: OfBulkReplayProps) {
  return (
    <p class="spaced muted">
      Only runs of the{' '}
      <a href={screenPath(pageRequest, `replays/${encodeURIComponent(id)}`)}>
        bulk replay <ShortId id={id} />
      </a>
      . <a href={all}>Show all</a>
    </p>
  );
}

interface RunsProps {
  readonly pageRequest: PageRequest;
  readonly filter: RunFilter;
  readonly runs: readonly Run[];
}

/** The runs of a page. If one of them can be replayed, they are a form that replays the selected ones. */
function Runs({ pageRequest, filter, runs }: RunsProps) {
  const isSelectable = runs.some(isReplayable);
  const table = (
    <DataTable
      caption={`Runs, ${periodLabel(filter).toLowerCase()}`}
      columns={columnsOf(pageRequest, isSelectable)}
      rows={runs}
      keyOf={({ id }) => id}
    />
  );
  if (!isSelectable) return table;
  return (
    <PostForm action={screenPath(pageRequest, 'runs/-/replay')}>
      <input type="hidden" name="log" value={new URLSearchParams(addressOf(filter)).toString()} />
      {table}
      <div class="row selection">
        <Submit kind="small" label="Replay selected" />
        <button class="button small" type="button" data-checks="run" hidden>
          Select all
        </button>
        <span class="small muted">Failed runs can be replayed {REPLAYS_MAX} times.</span>
      </div>
    </PostForm>
  );
}

const TRIGGERED: Column<Run> = {
  title: 'Triggered',
  text: ({ triggeredAt }) => triggeredAt,
  // In two parts, between which the line may break.
  cell: ({ triggeredAt: at }) => (
    <>
      <Time at={at} only="day" /> <Time at={at} sameDayAs={at} />
    </>
  ),
  isRight: true,
  onPhone: 'second',
};

/** @param isSelectable true if the runs that can be replayed have a box */
const columnsOf = (pageRequest: PageRequest, isSelectable: boolean): readonly Column<Run>[] => [
  {
    title: 'Status',
    cell: (run) => (isSelectable ? <Selectable run={run} /> : <RunStatus run={run} />),
    onPhone: 'first',
  },
  {
    title: 'Run',
    from: 1_520,
    onPhone: 'gone',
    cell: ({ id }) => (
      <a class="mono nowrap" href={screenPath(pageRequest, `runs/${id}`)}>
        <ShortId id={id} />
      </a>
    ),
  },
  {
    title: 'Source record',
    isRowHeader: true,
    class: 'strong clip',
    onPhone: 'first',
    cell: (run) => <SourceRecord pageRequest={pageRequest} run={run} />,
    text: ({ record }) => record,
  },
  { title: 'API configuration', class: 'clip wraps', cell: (run) => run.apiConfigurationName, onPhone: 'first' },
  {
    title: 'Module',
    class: 'clip module',
    from: 1_200,
    onPhone: 'gone',
    cell: ({ moduleName }) => <span title={moduleName}>{moduleName}</span>,
  },
  {
    title: 'Response',
    cell: ({ responseCode, error }) => <ResponseCode code={responseCode} error={error} />,
    onPhone: 'second',
  },
  {
    title: 'Attempts',
    cell: (run) => <Attempts run={run} />,
    class: 'nowrap',
    isRight: true,
    onPhone: 'second',
  },
  TRIGGERED,
  { title: 'Completed', cell: (run) => <Completed run={run} />, isRight: true, onPhone: 'gone' },
  {
    title: 'Duration',
    cell: ({ durationMs }) => (durationMs === null ? '–' : durationText(durationMs)),
    isRight: true,
    class: 'nowrap',
    onPhone: 'gone',
  },
];

/** The status, beside a box if the run can be replayed. */
function Selectable({ run }: { readonly run: Run }) {
  const label = `Select ${run.record}, ${shortId(run.id)}`;
  return (
    <span class="pick">
      {isReplayable(run) ? <input type="checkbox" name="run" value={run.id} aria-label={label} /> : <span />}
      <RunStatus run={run} />
    </span>
  );
}

/** The source record, with a mark if the run is a replay; on narrow screens with the id of the run. */
function SourceRecord({ pageRequest, run }: { readonly pageRequest: PageRequest; readonly run: Run }) {
  const { id, record, replayOf } = run;
  return (
    <>
      <a
        class="strong"
        href={screenPath(pageRequest, `runs/${id}`)}
        title={record}
        aria-label={`${record}, ${shortId(id)}`}
      >
        {record}
      </a>
      {replayOf !== null && (
        <a class="tag" href={screenPath(pageRequest, `runs/${replayOf}`)} title={`Replay of ${replayOf}`}>
          A replay<span class="hidden"> of {replayOf}</span>
        </a>
      )}
      <span class="narrow faint">
        <ShortId id={id} />
      </span>
    </>
  );
}

function Attempts({ run: { attempts, maxAttempts } }: { readonly run: Run }) {
  return (
    <>
      {attempts} of {maxAttempts}
      <span class="on-phone"> attempts</span>
    </>
  );
}

function Completed({ run }: { readonly run: Run }) {
  if (run.completedAt !== null) return <Time at={run.completedAt} sameDayAs={run.triggeredAt} />;
  if (run.paused || run.waitsForEndpoint || run.nextAttemptAt === null || run.attempts === 0) return <>–</>;
  return (
    <span class="nowrap">
      retry <Until at={run.nextAttemptAt} />
    </span>
  );
}

interface FiltersProps {
  readonly action: string;
  readonly filter: RunFilter;
  readonly modules: Settled<Named>;
  readonly configurations: Settled<Named>;
}

type Named = { readonly items: readonly { readonly id: string; readonly name: string }[] };

function Filters({ action, filter, modules, configurations }: FiltersProps) {
  const choices = (all: string, named: Settled<Named>) => [
    ['', all] as const,
    ...(named.ok ? named.value.items.map(({ id, name }) => [id, name] as const) : []),
  ];
  return (
    <details class="filters">
      <summary>
        Filters <span class="faint">{periodLabel(filter).toLowerCase()}</span>
      </summary>
      <form method="get" action={action}>
        {filter.status && <input type="hidden" name="status" value={filter.status} />}
        {filter.resolved && <input type="hidden" name="resolved" value={filter.resolved} />}
        {filter.bulkReplay && <input type="hidden" name="bulkReplay" value={filter.bulkReplay} />}
        <Select name="module" label="Module" value={filter.module} options={choices('All modules', modules)} />
        <Select
          name="configuration"
          label="API configuration"
          value={filter.configuration}
          options={choices('All configurations', configurations)}
        />
        <Select
          name="period"
          label="Triggered"
          value={filter.period}
          options={PERIODS.map(([value, label]) => [value, label] as const)}
        />
        <div class="grow">
          <Field name="record" label="Source record or run id" value={filter.record} placeholder="4711" type="search" />
        </div>
        <Submit label="Apply" />
      </form>
      {!modules.ok && <Problem failure={modules.failure} title="The modules could not be loaded." />}
      {!configurations.ok && (
        <Problem failure={configurations.failure} title="The API configurations could not be loaded." />
      )}
    </details>
  );
}

interface NoRunsProps {
  readonly pageRequest: PageRequest;
  readonly filter: RunFilter;
  /** The time back to which the log has been searched, if there is more. */
  readonly reached: string | undefined;
}

function NoRuns({ pageRequest, filter, reached }: NoRunsProps) {
  const isFiltered = [filter.status, filter.module, filter.configuration, filter.record, filter.bulkReplay].some(
    (part) => part !== '',
  );
  if (reached !== undefined) {
    return (
      <Empty title="No match so far">
        No run since <Time at={reached} /> matches. Keep searching to go further back.
      </Empty>
    );
  }
  if (isFiltered || filter.period !== 'all') {
    const acts = <a href={screenPath(pageRequest, 'runs', { period: 'all' })}>Show all time</a>;
    return (
      <Empty title="No runs match" acts={acts}>
        No run {isFiltered ? 'matches these filters' : 'was triggered'} in this period:{' '}
        {periodLabel(filter).toLowerCase()}.{filter.record && ' Enter a source record or a run id as a whole.'}
      </Empty>
    );
  }
  const acts = (
    <>
      <LinkButton label="Add an API configuration" href={screenPath(pageRequest, 'api-configurations/new')} />
      <LinkButton label="Add a rule" href={screenPath(pageRequest, 'rules/new')} />
    </>
  );
  return (
    <Empty title="No webhooks yet" acts={acts}>
      A run is created when an event triggers a rule. Add an API configuration for your endpoint, then a rule for the
      events.
    </Empty>
  );
}
