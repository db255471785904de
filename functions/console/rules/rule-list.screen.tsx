import { Badge } from '../components/badge.tsx';
import { LinkButton } from '../components/button.tsx';
import { type Column, DataTable, Pager } from '../components/data-table.tsx';
import { Empty, PageHead } from '../components/page-parts.tsx';
import { Time } from '../components/time.tsx';
import { settled } from '../management/management.ts';
import { type PageRequest, page, type Screen, screenPath } from '../pages/screen.ts';
import { Configurations, eventName, type Rule, RulePage, ruleTitle } from './rule-answers.ts';

/** The list of rules. */
export const ruleList: Screen = async (pageRequest) => {
  const cursor = pageRequest.query.get('cursor') ?? '';
  const [rulePage, configurations] = await Promise.all([
    pageRequest.management.get('rules', RulePage, { limit: '100', cursor }),
    settled(pageRequest.management.get('api-configurations', Configurations, { limit: '100' })),
  ]);
  const names = new Map(configurations.ok ? configurations.value.items.map(({ id, name }) => [id, name]) : []);
  const create = <LinkButton kind="primary" label="New rule" href={screenPath(pageRequest, 'rules/new')} />;
  return page(
    'Rules',
    <>
      <PageHead title="Rules" lead="A rule sends a webhook to an API configuration when an event occurs.">
        {rulePage.items.length > 0 && create}
      </PageHead>
      <div class="card">
        {rulePage.items.length > 0 ? (
          <DataTable
            caption="Rules"
            columns={columnsOf(pageRequest, names)}
            rows={rulePage.items}
            keyOf={({ id }) => id}
          />
        ) : rulePage.nextCursor === undefined ? (
          <Empty title="No rule yet" acts={create}>
            A rule sends a webhook when an event occurs: a request starts, a stage is completed, a download is ready.
          </Empty>
        ) : (
          <Empty title="Nothing on this page" />
        )}
        <Pager
          newest={cursor === '' ? undefined : screenPath(pageRequest, 'rules')}
          older={rulePage.nextCursor && screenPath(pageRequest, 'rules', { cursor: rulePage.nextCursor })}
        />
      </div>
    </>,
  );
};

const columnsOf = (pageRequest: PageRequest, names: ReadonlyMap<string, string>): readonly Column<Rule>[] => [
  {
    title: 'Rule',
    class: 'strong',
    onPhone: 'first',
    cell: (rule) => (
      <>
        <a href={screenPath(pageRequest, `rules/${encodeURIComponent(rule.id)}`)}>{ruleTitle(rule)}</a>
        {rule.name !== '' && <span class="below faint">{eventName(rule)}</span>}
      </>
    ),
  },
  {
    title: 'State',
    onPhone: 'second',
    cell: ({ enabled }) =>
      enabled ? <Badge tone="ok" icon="check" label="Enabled" /> : <Badge tone="plain" icon="pause" label="Disabled" />,
  },
  {
    title: 'API configuration',
    onPhone: 'first',
    cell: ({ apiConfigurationId: id }) => (
      <a href={screenPath(pageRequest, `api-configurations/${encodeURIComponent(id)}`)}>{names.get(id) ?? id}</a>
    ),
  },
  { title: 'Headers', cell: ({ headers }) => Object.keys(headers).length, isRight: true, onPhone: 'gone' },
  { title: 'Changed', cell: ({ updatedAt }) => <Time at={updatedAt} />, isRight: true, onPhone: 'second' },
];
