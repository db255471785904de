import { Badge } from '../components/badge.tsx';
import { type Column, DataTable, Pager } from '../components/data-table.tsx';
import { Empty, PageHead } from '../components/page-parts.tsx';
import { Time } from '../components/time.tsx';
import { settled } from '../management/management.ts';
import { type PageRequest, page, type Screen, screenPath } from '../pages/screen.ts';
import { Configurations, type Rule, RulePage } from './rule-answers.ts';

/** The list of rules, by module. */
export const ruleList: Screen = async (pageRequest) => {
  const cursor = pageRequest.query.get('cursor') ?? '';
  const [rulePage, configurations] = await Promise.all([
    pageRequest.management.get('rules', RulePage, { limit: '100', cursor }),
    settled(pageRequest.management.get('api-configurations', Configurations, { limit: '100' })),
  ]);
  const names = new Map(configurations.ok ? configurations.value.items.map(({ id, name }) => [id, name]) : []);
  const modules = Map.groupBy(rulePage.items, ({ moduleName }) => moduleName);
  const create = (
    <a class="button primary" href={screenPath(pageRequest, 'rules/new')}>
      New rule
    </a>
  );
  return page(
    'Rules',
    <>
      <PageHead title="Rules" lead="A rule sends a webhook to an API configuration when an event occurs.">
        {rulePage.items.length > 0 && create}
      </PageHead>
      <div class="stack">
        {[...modules].map(([module, rules]) => (
          <section class="card" key={module}>
            <h2>{module}</h2>
            <DataTable
              caption={`Rules of ${module}`}
              columns={columnsOf(pageRequest, names)}
              rows={rules}
              keyOf={({ id }) => id}
            />
          </section>
        ))}
        {rulePage.items.length === 0 && (
          <div class="card">
            {rulePage.nextCursor === undefined ? (
              <Empty title="No rule yet" acts={create}>
                A rule sends a webhook when an event occurs: a request starts, a stage is completed, a download is
                ready.
              </Empty>
            ) : (
              <Empty title="Nothing on this page" />
            )}
          </div>
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
    title: 'Trigger',
    class: 'strong',
    onPhone: 'first',
    cell: ({ id, trigger }) => <a href={screenPath(pageRequest, `rules/${encodeURIComponent(id)}`)}>{trigger}</a>,
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
