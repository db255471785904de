import { Badge } from '../components/badge.tsx';
import { LinkButton } from '../components/button.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Empty, PageHead } from '../components/page-parts.tsx';
import { countOf } from '../components/quantities.ts';
import { ShortId } from '../components/short-id.tsx';
import { settled } from '../management/management.ts';
import { type PageRequest, page, type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { type Run, RunId, RunPage } from './run-answers.ts';
import { addressOf, filterIn } from './run-filter.ts';
import { RunStatus } from './run-status.tsx';
import {
  NONE_SELECTED,
  outcomesAddress,
  outcomesIn,
  refusalOf,
  refusalWords,
  SELECTED_MAX,
  type SelectedReplay,
} from './selected-replays.ts';

/** Replays are made a few at a time, so that a form does not use up the capacity of the API. */
const AT_ONCE = 5;

/** Replays the selected runs, and leads to the page that says which were replayed and which were refused. */
export const replaySelected: Screen = async (pageRequest) => {
  const { form } = pageRequest;
  const selected = [...new Set(form.all('run'))].slice(0, SELECTED_MAX);
  const log = form.text('log');
  if (selected.length === 0) return seeOther(logPath(pageRequest, log, { [NONE_SELECTED]: '1' }));
  const outcomes: SelectedReplay[] = [];
  for (let from = 0; from < selected.length; from += AT_ONCE) {
    const some = selected.slice(from, from + AT_ONCE);
    outcomes.push(...(await Promise.all(some.map((id) => replayOf(pageRequest, id)))));
  }
  return seeOther(screenPath(pageRequest, 'runs/-/replayed', { ...outcomesAddress(outcomes), log }));
};

async function replayOf({ management }: PageRequest, id: string): Promise<SelectedReplay> {
  const path = `runs/${encodeURIComponent(id)}/replay`;
  const query = { unlessReplaying: 'true' };
  try {
    return { id, replay: (await management.send({ method: 'POST', path, query }, RunId)).id };
  } catch (failure) {
    return { id, refused: refusalOf(failure) };
  }
}

const logPath = (pageRequest: PageRequest, log: string, more: Readonly<Record<string, string>> = {}) =>
  screenPath(pageRequest, 'runs', { ...addressOf(filterIn(new URLSearchParams(log))), ...more });

/** The outcomes of a form: each replay with its state, and each refusal with its reason. */
export const replayedRuns: Screen = async (pageRequest) => {
  const outcomes = outcomesIn(pageRequest.query);
  // The replays were made a moment ago, so they are among the newest runs.
  const newest = await settled(pageRequest.management.get('runs', RunPage, { limit: '100' }));
  const runs = new Map(newest.ok ? newest.value.items.map((run) => [run.id, run]) : []);
  const replays = outcomes.filter((one) => 'replay' in one).length;
  return page(
    'Replayed runs',
    <>
      <PageHead
        title="Replayed runs"
        lead={`${countOf(replays, 'run')} replayed, ${outcomes.length - replays} refused.`}
        under={[logPath(pageRequest, pageRequest.query.get('log') ?? ''), 'Delivery log']}
      >
        <LinkButton label="Refresh" href={pageRequest.url} />
      </PageHead>
      <div class="card">
        {outcomes.length > 0 ? (
          <DataTable caption="Outcomes" columns={columnsOf(pageRequest, runs)} rows={outcomes} keyOf={({ id }) => id} />
        ) : (
          <Empty title="Nothing was replayed" />
        )}
      </div>
    </>,
  );
};

const columnsOf = (pageRequest: PageRequest, runs: ReadonlyMap<string, Run>): readonly Column<SelectedReplay>[] => {
  const link = (id: string) => (
    <a class="mono nowrap" href={screenPath(pageRequest, `runs/${encodeURIComponent(id)}`)}>
      <ShortId id={id} />
    </a>
  );
  const recordOf = (one: SelectedReplay) =>
    (runs.get(one.id) ?? ('replay' in one ? runs.get(one.replay) : undefined))?.record ?? '–';
  return [
    {
      title: 'Outcome',
      onPhone: 'first',
      cell: (one) =>
        'replay' in one ? (
          <Badge tone="ok" icon="replay" label="Replayed" />
        ) : (
          <Badge tone="bad" icon="cross" label="Refused" />
        ),
    },
    { title: 'Run', isRowHeader: true, cell: ({ id }) => link(id), onPhone: 'second' },
    { title: 'Source record', class: 'strong clip', cell: recordOf, onPhone: 'first' },
    { title: 'Replay', cell: (one) => ('replay' in one ? link(one.replay) : ''), onPhone: 'second' },
    {
      title: 'State',
      cell: (one) => {
        if ('refused' in one) return refusalWords(one.refused);
        const replay = runs.get(one.replay);
        return replay ? <RunStatus run={replay} /> : '–';
      },
    },
  ];
};
