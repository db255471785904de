import type { ComponentChildren } from 'preact';
import { Badge } from '../components/badge.tsx';
import { LinkButton } from '../components/button.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { durationText } from '../components/durations.ts';
import { FollowLink, Live } from '../components/live.tsx';
import { PageHead } from '../components/page-parts.tsx';
import { countOf, countText } from '../components/quantities.ts';
import { Time } from '../components/time.tsx';
import { page, type Screen } from '../pages/screen.ts';
import { deadLettersPath } from './dead-letters.screens.tsx';
import { slugOf } from './runbook.ts';
import { SIGN_IN_LIMIT_PATH } from './sign-in-limit.screen.tsx';
import { type Alarm, type DeadLetters, type Queue, System } from './system-answers.ts';
import { alarmsWorstFirst, deadLettersWorstFirst, isEmpty, queuesWorstFirst } from './worst-first.ts';

/** The queues, dead letters and alarms of the whole deployment, for operators. */
export const systemScreen: Screen = async ({ management }) => {
  const system = await management.get('system', System);
  const state = { isOver: false, content: <State system={system} /> };
  return page(
    'System',
    <>
      <PageHead title="System" lead="Alarms, dead letters and queues of the whole deployment.">
        <LinkButton label="Sign-in limits" href={SIGN_IN_LIMIT_PATH} />
      </PageHead>
      <Live name="state" part={state} />
      <FollowLink isOver={false} />
    </>,
    { live: { state } },
  );
};

function State({ system }: { readonly system: System }) {
  const activeAlarms = system.alarms.filter(({ state }) => state === 'ALARM').length;
  const deadLetterCount = system.deadLetters.reduce((sum, { count }) => sum + count, 0);
  const waiting = system.queues.reduce((sum, queue) => sum + queue.waiting, 0);
  const oldest = Math.max(0, ...system.dueWork.map(({ oldestSeconds }) => oldestSeconds));
  return (
    <div class="stack">
      <div class="tiles">
        <Figure label="Active alarms" value={countText(activeAlarms)} isBad={activeAlarms > 0} />
        <Figure label="Dead letters" value={countText(deadLetterCount)} isBad={deadLetterCount > 0} />
        <Figure label="Waiting messages" value={countText(waiting)} isBad={false} />
        <Figure
          label="Oldest due work"
          value={system.dueWork.length === 0 ? '–' : oldest === 0 ? 'none' : durationText(oldest * 1_000)}
          isBad={false}
        />
      </div>
      <Panel title="Alarms">
        <Sorted
          caption="Alarms"
          columns={ALARMS}
          rows={alarmsWorstFirst(system.alarms)}
          isHealthy={({ state }) => state === 'OK'}
          healthy={{ caption: 'Healthy alarms', one: 'alarm', state: 'OK' }}
        />
      </Panel>
      <Panel title="Dead letters">
        {deadLetterCount === 0 ? (
          <p class="pad muted">No dead letters.</p>
        ) : (
          <DataTable
            caption="Dead letters"
            columns={LETTERS}
            rows={deadLettersWorstFirst(system.deadLetters)}
            keyOf={({ name }) => name}
          />
        )}
      </Panel>
      <Panel title="Queues">
        <Sorted
          caption="Queues"
          columns={QUEUES}
          rows={queuesWorstFirst(system.queues)}
          isHealthy={isEmpty}
          healthy={{ caption: 'Empty queues', one: 'queue', state: 'empty' }}
        />
      </Panel>
      <p class="small muted">
        Measured <Time at={system.measuredAt} />. Counts are approximate.
      </p>
    </div>
  );
}

interface PanelProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

const Panel = ({ title, children }: PanelProps) => (
  <div class="card">
    <h2>{title}</h2>
    {children}
  </div>
);

interface SortedProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly isHealthy: (row: Row) => boolean;
  /** The words for the healthy rows: `Empty queues`, each of which is a `queue` that is `empty`. */
  readonly healthy: { readonly caption: string; readonly one: string; readonly state: string };
}

/** A table of what needs attention. What is healthy is folded below it. */
function Sorted<Row extends { readonly name: string }>({ rows, isHealthy, healthy, ...table }: SortedProps<Row>) {
  const { true: well = [], false: unwell = [] } = Object.groupBy(rows, (row) => `${isHealthy(row)}`);
  const keyOf = ({ name }: Row) => name;
  const which = unwell.length === 0 ? 'All ' : '';
  return (
    <>
      {unwell.length > 0 && <DataTable {...table} rows={unwell} keyOf={keyOf} />}
      {well.length > 0 && (
        <details id={`healthy-${healthy.one}`} class="folded">
          <summary>
            {which}
            {countOf(well.length, healthy.one)} {well.length === 1 ? 'is' : 'are'} {healthy.state}
          </summary>
          <DataTable {...table} caption={healthy.caption} rows={well} keyOf={keyOf} />
        </details>
      )}
    </>
  );
}

interface FigureProps {
  readonly label: string;
  readonly value: string;
  readonly isBad: boolean;
}

const Figure = ({ label, value, isBad }: FigureProps) => (
  <div class="card tile">
    <div class={isBad ? 'figure poor' : 'figure'}>{value}</div>
    {label}
  </div>
);

function AlarmState({ state }: Pick<Alarm, 'state'>) {
  if (state === 'ALARM') return <Badge tone="bad" icon="warning" label="Active" />;
  if (state === 'OK') return <Badge tone="ok" icon="check" label="OK" />;
  return <Badge tone="plain" icon="dot" label="No data" />;
}

const ALARMS: readonly Column<Alarm>[] = [
  { title: 'State', cell: ({ state }) => <AlarmState state={state} />, onPhone: 'second' },
  { title: 'Alarm', isRowHeader: true, cell: ({ name }) => name, class: 'strong nowrap', onPhone: 'first' },
  {
    title: 'Meaning',
    cell: ({ meaning, reason, state }) => (
      <>
        {meaning}
        {state === 'ALARM' && <div class="small faint">{reason}</div>}
      </>
    ),
  },
  { title: 'Runbook', cell: ({ runbook }) => runbook && <Runbook section={runbook} />, onPhone: 'first' },
  { title: 'Since', cell: ({ since }) => <Time at={since} />, isRight: true, onPhone: 'second' },
];

const LETTERS: readonly Column<DeadLetters>[] = [
  { title: 'Queue', cell: ({ name }) => name, class: 'strong', onPhone: 'first' },
  {
    title: 'Messages',
    cell: ({ count }) => <span class={count > 0 ? 'poor strong' : ''}>{countText(count)}</span>,
    isRight: true,
    onPhone: 'second',
  },
  {
    title: 'Action',
    cell: ({ count, redriveAs }) =>
      count > 0 &&
      (redriveAs === undefined ? (
        <Runbook section="Dead letters" />
      ) : (
        <a href={deadLettersPath(redriveAs)}>
          Show<span class="hidden"> the dead letters of {redriveAs}</span>
        </a>
      )),
  },
];

const QUEUES: readonly Column<Queue>[] = [
  { title: 'Queue', cell: ({ name }) => name, class: 'strong', onPhone: 'first' },
  { title: 'Waiting', cell: ({ waiting }) => countText(waiting), isRight: true, onPhone: 'second' },
  { title: 'In progress', cell: ({ inFlight }) => countText(inFlight), isRight: true, onPhone: 'gone' },
  { title: 'Delayed', cell: ({ delayed }) => countText(delayed), isRight: true, onPhone: 'gone' },
  {
    title: 'Oldest',
    cell: ({ oldestSeconds }) => (oldestSeconds === undefined ? '–' : durationText(oldestSeconds * 1_000)),
    isRight: true,
    onPhone: 'gone',
  },
];

const Runbook = ({ section }: { readonly section: string }) => (
  <a class="nowrap" href={`/console/system/runbook/${slugOf(section)}`}>
    {section}
  </a>
);
