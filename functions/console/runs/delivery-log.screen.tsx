import { type Column, DataTable, Pager } from '../components/data-table.tsx';
import { durationText } from '../components/durations.ts';
import { Field, Select } from '../components/form.tsx';
import { Empty, PageHead, Problem, Tabs } from '../components/page-parts.tsx';
import { Time, Until } from '../components/time.tsx';
import { type Settled, settled } from '../management/management.ts';
import { type PageRequest, page, type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { Delivering, PauseNote } from './pause-note.tsx';
import { reviewPath } from './review-path.ts';
import { Named, type Run, RunPage } from './run-answers.ts';
import { addressOf, filterIn, PERIODS, periodLabel, queryOf, type RunFilter, STATUSES } from './run-filter.ts';
import { ResponseCode, RunStatus, shortId } from './run-status.tsx';

/** The delivery log: the runs of a tenant, newest first, with the columns that the specification requires. */
export const deliveryLog: Screen = async (pageRequest) => {
  const { management, query, now } = pageRequest;
  const filter = filterIn(query);
  if (filter.record.startsWith('run_'))
    return seeOther(screenPath(pageRequest, `runs/${encodeURIComponent(filter.record)}`));
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
        <a class="button" href={path({ cursor: filter.cursor })}>
          Refresh
        </a>
        <a class="button primary" href={reviewPath(pageRequest, filter)}>
          Replay failed…
        </a>
      </PageHead>
      <PauseNote account={account} />
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
      <div class="card">
        {runs.items.length > 0 ? (
          <DataTable
            caption={`Runs, ${periodLabel(filter).toLowerCase()}`}
            columns={columnsOf(pageRequest)}
            rows={runs.items}
            keyOf={({ id }) => id}
          />
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

const columnsOf = (pageRequest: PageRequest): readonly Column<Run>[] => [
  { title: 'Status', cell: (run) => <RunStatus run={run} />, onPhone: 'first' },
  {
    title: 'Run',
    onPhone: 'gone',
    cell: ({ id }) => (
      <a class="mono nowrap" href={screenPath(pageRequest, `runs/${id}`)}>
        {shortId(id)}
      </a>
    ),
  },
  {
    title: 'Source record',
    class: 'strong clip',
    onPhone: 'first',
    cell: ({ id, record }) => (
      <a class="strong" href={screenPath(pageRequest, `runs/${id}`)} title={record}>
        {record}
      </a>
    ),
  },
  { title: 'API configuration', class: 'clip', cell: (run) => run.apiConfigurationName, onPhone: 'first' },
  { title: 'Module', cell: (run) => run.moduleName, class: 'nowrap', onPhone: 'gone' },
  {
    title: 'Response',
    cell: ({ responseCode, error }) => <ResponseCode code={responseCode} error={error} />,
    onPhone: 'second',
  },
  { title: 'Triggered', cell: (run) => <Time at={run.triggeredAt} />, isRight: true, onPhone: 'second' },
  { title: 'Completed', cell: (run) => <Completed run={run} />, isRight: true, onPhone: 'gone' },
  { title: 'Duration', cell: (run) => <Duration run={run} />, isRight: true, class: 'nowrap', onPhone: 'second' },
];

function Completed({ run }: { readonly run: Run }) {
  if (run.completedAt !== null) return <Time at={run.completedAt} sameDayAs={run.triggeredAt} />;
  if (run.paused || run.waitsForEndpoint || run.nextAttemptAt === null || run.attempts === 0) return <>–</>;
  return (
    <span class="nowrap">
      retry <Until at={run.nextAttemptAt} />
    </span>
  );
}

function Duration({ run }: { readonly run: Run }) {
  return (
    <>
      {run.durationMs === null ? '–' : durationText(run.durationMs)}{' '}
      <span class="faint" title={`${run.attempts} of at most ${run.maxAttempts} attempts`}>
        {run.attempts}/{run.maxAttempts}
      </span>
    </>
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
        <button class="button" type="submit">
          Apply
        </button>
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
  const isFiltered = [filter.status, filter.module, filter.configuration, filter.record].some((part) => part !== '');
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
        {periodLabel(filter).toLowerCase()}.
      </Empty>
    );
  }
  const acts = (
    <>
      <a class="button" href={screenPath(pageRequest, 'api-configurations/new')}>
        Add an API configuration
      </a>
      <a class="button" href={screenPath(pageRequest, 'rules/new')}>
        Add a rule
      </a>
    </>
  );
  return (
    <Empty title="No webhooks yet" acts={acts}>
      A run is created when an event triggers a rule. Add an API configuration for your endpoint, then a rule for the
      events.
    </Empty>
  );
}
