import * as z from 'zod/mini';
import { Badge } from '../components/badge.tsx';
import { LinkButton, Submit } from '../components/button.tsx';
import { noticeOf } from '../components/change-notice.tsx';
import { type Column, DataTable, Pager } from '../components/data-table.tsx';
import { PostForm } from '../components/form.tsx';
import { FollowLink, Live } from '../components/live.tsx';
import { Empty, Facts, PageHead, Problem, Progress } from '../components/page-parts.tsx';
import { countOf, countText } from '../components/quantities.ts';
import { ShortId } from '../components/short-id.tsx';
import { Time } from '../components/time.tsx';
import { type Settled, settled } from '../management/management.ts';
import { type PageRequest, page, type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { type Run, RunPage } from '../runs/run-answers.ts';
import { periodSince } from '../runs/run-filter.ts';
import { ResponseCode, RunStatus } from '../runs/run-status.tsx';
import { refusalWords } from '../runs/selected-replays.ts';
import { BulkReplay, BulkReplayPage, shareDone } from './bulk-replay-answers.ts';

const apiPathOf = (id: string | undefined) => `replays/${encodeURIComponent(id ?? '')}`;

export const bulkReplayList: Screen = async (pageRequest) => {
  const cursor = pageRequest.query.get('cursor') ?? '';
  const replays = await pageRequest.management.get('replays', BulkReplayPage, { limit: '50', cursor });
  const start = <LinkButton kind="primary" label="Replay failed runs…" href={screenPath(pageRequest, 'replays/new')} />;
  return page(
    'Bulk replays',
    <>
      <PageHead title="Bulk replays" lead="Resends failed deliveries that match a filter, 20 per second.">
        {replays.items.length > 0 && start}
      </PageHead>
      <div class="card">
        {replays.items.length > 0 ? (
          <DataTable
            caption="Bulk replays"
            columns={columnsOf(pageRequest)}
            rows={replays.items}
            keyOf={({ id }) => id}
          />
        ) : (
          <Empty title="No bulk replay yet" acts={start}>
            After an endpoint was down, you can resend everything that failed in the meantime.
          </Empty>
        )}
        <Pager
          newest={cursor === '' ? undefined : screenPath(pageRequest, 'replays')}
          older={replays.nextCursor && screenPath(pageRequest, 'replays', { cursor: replays.nextCursor })}
        />
      </div>
    </>,
  );
};

const columnsOf = (pageRequest: PageRequest): readonly Column<BulkReplay>[] => [
  { title: 'Status', cell: ({ status }) => <Status status={status} />, onPhone: 'first' },
  {
    title: 'Bulk replay',
    isRowHeader: true,
    onPhone: 'first',
    cell: ({ id }) => (
      <a class="mono nowrap" href={screenPath(pageRequest, apiPathOf(id))}>
        <ShortId id={id} />
      </a>
    ),
  },
  { title: 'Replayed', cell: ({ replayed }) => countText(replayed), isRight: true, onPhone: 'second' },
  { title: 'Skipped', cell: ({ skipped }) => countText(skipped), isRight: true, onPhone: 'gone' },
  { title: 'Runs since', cell: ({ filter }) => <Since at={filter.from} />, isRight: true, onPhone: 'gone' },
  { title: 'Started', cell: ({ createdAt }) => <Time at={createdAt} />, isRight: true, onPhone: 'second' },
];

function Status({ status }: { readonly status: string }) {
  if (status === 'COMPLETED') return <Badge tone="ok" icon="check" label="Completed" />;
  if (status === 'CANCELLED') return <Badge tone="plain" icon="cross" label="Cancelled" />;
  return <Badge tone="info" icon="clock" label="Running" />;
}

const Name = z.object({ name: z.string() });

export const bulkReplayScreen: Screen = async (pageRequest) => {
  const { management, now } = pageRequest;
  const replay = await management.get(apiPathOf(pageRequest.path['id']), BulkReplay);
  const isOver = replay.status !== 'RUNNING';
  const ownRuns = { bulkReplay: replay.id, from: replay.createdAt, limit: String(COUNTED) };
  const runs = await settled(management.get('runs', RunPage, ownRuns));
  const { configuration: id } = replay.filter;
  const configuration = id ? await settled(management.get(configurationPath(id), Name)) : undefined;
  const isDelivered = runs.ok && runs.value.items.every(({ completedAt }) => completedAt !== null);
  const content = (
    <div class="stack">
      <ReplayProgress replay={replay} runs={runs} />
      <MadeRuns
        pageRequest={pageRequest}
        runs={runs}
        log={screenPath(pageRequest, 'runs', { bulkReplay: replay.id, period: periodSince(replay.createdAt, now) })}
      />
    </div>
  );
  // The replay is over before the last of its runs is.
  const progress = { isOver: isOver && (isDelivered || !runs.ok), content };
  return page(
    'Bulk replay',
    <>
      <PageHead
        title="Bulk replay"
        lead={<span class="mono">{replay.id}</span>}
        under={[screenPath(pageRequest, 'replays'), 'Bulk replays']}
      >
        {!isOver && (
          <PostForm action={screenPath(pageRequest, `${apiPathOf(replay.id)}/cancel`)}>
            <Submit kind="danger" label="Cancel" />
          </PostForm>
        )}
      </PageHead>
      <div class="stack">
        <Live name="progress" part={progress} reloadsAtEnd saysState />
        <FollowLink isOver={progress.isOver} />
        <Criteria pageRequest={pageRequest} replay={replay} configuration={configuration} />
      </div>
    </>,
    { live: { progress } },
  );
};

type Runs = Settled<z.output<typeof RunPage>>;

/** The newest runs of a bulk replay whose outcomes the page counts, and those of them that it lists. */
const COUNTED = 50;
const LISTED = 20;

/** The outcomes of the newest runs in words: `12 completed, 3 failed`. */
function outcomesText({ items, nextCursor }: z.output<typeof RunPage>): string {
  const count = (status: Run['status']) => items.filter((run) => run.status === status).length;
  const outcomes = [
    `${countText(count('COMPLETED'))} completed`,
    `${countText(count('FAILED'))} failed`,
    ...(count('IN_PROGRESS') > 0 ? [`${countText(count('IN_PROGRESS'))} in progress`] : []),
  ].join(', ');
  return nextCursor === undefined ? `Outcomes: ${outcomes}.` : `Outcomes of the newest ${items.length}: ${outcomes}.`;
}

const configurationPath = (id: string) => `api-configurations/${encodeURIComponent(id)}`;

interface CriteriaProps {
  readonly pageRequest: PageRequest;
  readonly replay: BulkReplay;
  /** The configuration that the filter names. */
  readonly configuration: Settled<z.output<typeof Name>> | undefined;
}

/** The runs that the bulk replay was started for. */
function Criteria({ pageRequest, replay: { filter, createdAt, completedAt }, configuration }: CriteriaProps) {
  return (
    <section class="card pad">
      <Facts
        facts={{
          'Runs since': Date.parse(filter.from) === 0 ? 'All' : <Time at={filter.from} />,
          'Runs before': filter.to ? <Time at={filter.to} /> : undefined,
          Module: filter.module ?? undefined,
          'API configuration': filter.configuration ? (
            <a href={screenPath(pageRequest, configurationPath(filter.configuration))}>
              {configuration?.ok ? configuration.value.name : <ShortId id={filter.configuration} />}
            </a>
          ) : undefined,
          'Source record': filter.record ?? undefined,
          Started: <Time at={createdAt} />,
          Ended: completedAt === null ? undefined : <Time at={completedAt} />,
        }}
      />
    </section>
  );
}

function ReplayProgress({ replay, runs }: { readonly replay: BulkReplay; readonly runs: Runs }) {
  const reasons = Object.entries(replay.skippedBecause).filter(([, count]) => count > 0);
  return (
    <div class="card pad stack">
      <div class="head">
        <Status status={replay.status} />
        {replay.status !== 'COMPLETED' && (
          <span class="muted">
            Processed back to <Since at={replay.reached} />
          </span>
        )}
      </div>
      <Progress done={Math.round(1_000 * shareDone(replay))} all={1_000} label="Share of the period" />
      <p>
        <strong>{countOf(replay.replayed, 'run')}</strong> replayed, {countText(replay.skipped)} skipped.
        {runs.ok && runs.value.items.length > 0 && ` ${outcomesText(runs.value)}`}
      </p>
      {reasons.length > 0 && (
        <ul class="bullets muted">
          {reasons.map(([reason, count]) => (
            <li key={reason}>
              {countText(count)} skipped: {refusalWords(reason)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The begin of a period, which is 1970 for all time. */
const Since = ({ at }: { readonly at: string }) => (Date.parse(at) === 0 ? <>the beginning</> : <Time at={at} />);

interface MadeRunsProps {
  readonly pageRequest: PageRequest;
  readonly runs: Runs;
  /** The address of all of them in the delivery log. */
  readonly log: string;
}

/** The newest runs that the bulk replay has made. */
function MadeRuns({ pageRequest, runs, log }: MadeRunsProps) {
  if (!runs.ok) return <Problem failure={runs.failure} title="The runs could not be loaded." />;
  const { items, nextCursor } = runs.value;
  return (
    <section class="card">
      <div class="head">
        <h2>Replays</h2>
        {(items.length > 0 || nextCursor !== undefined) && <a href={log}>View all in the delivery log</a>}
      </div>
      {items.length > 0 ? (
        <DataTable
          caption="Replays"
          columns={madeColumnsOf(pageRequest)}
          rows={items.slice(0, LISTED)}
          keyOf={({ id }) => id}
        />
      ) : (
        <p class="pad muted">None yet.</p>
      )}
    </section>
  );
}

const madeColumnsOf = (pageRequest: PageRequest): readonly Column<Run>[] => {
  const link = (id: string) => (
    <a class="mono nowrap" href={screenPath(pageRequest, `runs/${encodeURIComponent(id)}`)}>
      <ShortId id={id} />
    </a>
  );
  return [
    { title: 'Status', cell: (run) => <RunStatus run={run} />, onPhone: 'first' },
    { title: 'Source record', isRowHeader: true, cell: ({ record }) => record, class: 'strong clip', onPhone: 'first' },
    { title: 'Replay', cell: ({ id }) => link(id), onPhone: 'second' },
    { title: 'Original', cell: ({ replayOf }) => (replayOf === null ? '–' : link(replayOf)), onPhone: 'gone' },
    {
      title: 'Response',
      cell: ({ responseCode, error }) => <ResponseCode code={responseCode} error={error} />,
      onPhone: 'second',
    },
    { title: 'Triggered', cell: ({ triggeredAt }) => <Time at={triggeredAt} />, isRight: true, onPhone: 'first' },
  ];
};

export const cancelBulkReplay: Screen = async (pageRequest) => {
  const path = apiPathOf(pageRequest.path['id']);
  await pageRequest.management.send({ method: 'DELETE', path }, z.unknown());
  return seeOther(screenPath(pageRequest, path, noticeOf('cancelled')));
};
