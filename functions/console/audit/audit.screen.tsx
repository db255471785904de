import { Badge } from '../components/badge.tsx';
import { Submit } from '../components/button.tsx';
import { type Column, DataTable, Pager } from '../components/data-table.tsx';
import { Field, Select } from '../components/form.tsx';
import { Empty, PageHead } from '../components/page-parts.tsx';
import { Time } from '../components/time.tsx';
import { type PageRequest, page, type Screen, screenPath } from '../pages/screen.ts';
import { type Line, LinePage } from './audit-answers.ts';
import { ACTIONS, actionText, beginOf, fieldsText, isAction, PERIODS, targetText } from './audit-words.ts';

/** The audit log of a tenant. */
export const tenantAudit: Screen = (pageRequest) => auditPage(pageRequest, screenPath(pageRequest, 'audit'));

export const ALL_AUDIT_PATH = '/console/audit';

/** The audit log of all tenants, for operators. */
export const operatorAudit: Screen = (pageRequest) => auditPage(pageRequest, ALL_AUDIT_PATH);

interface Filter {
  readonly actor: string;
  readonly action: string;
  readonly item: string;
  readonly period: string;
}

async function auditPage(pageRequest: PageRequest, path: string) {
  const { query, tenant, management, now } = pageRequest;
  const text = (name: string) => (query.get(name) ?? '').trim();
  const filter: Filter = {
    actor: text('actor').slice(0, 128),
    action: isAction(text('action')) ? text('action') : '',
    item: text('item').slice(0, 200),
    period: text('period'),
  };
  const cursor = text('cursor');
  const { actor, action, item } = filter;
  const from = beginOf(filter.period, now);
  const lines = await management.get('audit', LinePage, { limit: '50', cursor, tenant, actor, action, item, from });
  const address = (more: Record<string, string>) => {
    const search = new URLSearchParams(Object.entries({ ...filter, ...more }).filter(([, value]) => value !== ''));
    return search.size > 0 ? `${path}?${search.toString()}` : path;
  };
  return page(
    'Audit log',
    <>
      <PageHead title="Audit log" lead="Every change and who made it, newest first, for the last 400 days." />
      <Filters action={path} filter={filter} />
      <div class="card">
        {lines.items.length > 0 ? (
          <DataTable
            caption="Changes"
            columns={columnsOf(tenant, (action) => address({ action }))}
            rows={lines.items}
            keyOf={({ id }) => id}
          />
        ) : (
          <Empty title={lines.nextCursor === undefined ? 'No changes match' : 'No match so far'}>
            {lines.nextCursor === undefined
              ? 'This log lists every change through the management API and this console.'
              : 'No match so far. Keep searching to go further back.'}
          </Empty>
        )}
        <Pager
          newest={cursor === '' ? undefined : address({})}
          older={lines.nextCursor && address({ cursor: lines.nextCursor })}
          label={lines.items.length > 0 ? 'Older' : 'Keep searching'}
        />
      </div>
    </>,
  );
}

interface FiltersProps {
  readonly action: string;
  readonly filter: Filter;
}

function Filters({ action, filter }: FiltersProps) {
  return (
    <details class="filters">
      <summary>Filters</summary>
      <form method="get" action={action}>
        <Field name="actor" label="Person or key" value={filter.actor} placeholder="Name or id" type="search" />
        <Select name="action" label="Action" value={filter.action} options={actionOptions(filter.action)} />
        <Field name="item" label="Item" value={filter.item} placeholder="A part of its id" type="search" />
        <Select name="period" label="Time" value={filter.period} options={PERIODS} />
        <Submit label="Apply" />
      </form>
    </details>
  );
}

/** All actions, and the one in the address. */
const actionOptions = (current: string) => {
  const isListed = current === '' || ACTIONS.some(([action]) => action === current);
  return [['', 'All actions'] as const, ...(isListed ? [] : [[current, actionText(current)] as const]), ...ACTIONS];
};

const OUTCOMES = {
  done: { tone: 'ok', icon: 'check', label: 'Done' },
  refused: { tone: 'plain', icon: 'dot', label: 'Refused' },
  failed: { tone: 'bad', icon: 'cross', label: 'Failed' },
  unknown: { tone: 'warn', icon: 'dot', label: 'Unknown' },
} as const;

const OUTCOME: Column<Line> = {
  title: 'Outcome',
  onPhone: 'first',
  cell: ({ outcome, status }) => (
    <span title={status === null ? 'It is unknown whether the change was made.' : `HTTP status ${status}`}>
      <Badge {...OUTCOMES[outcome]} />
    </span>
  ),
};

const columnsOf = (tenant: string, filtered: (action: string) => string): readonly Column<Line>[] => [
  { title: 'Time', cell: ({ time }) => <Time at={time} />, class: 'nowrap', onPhone: 'second' },
  {
    title: 'Action',
    isRowHeader: true,
    onPhone: 'first',
    cell: ({ action, fields, values }) => (
      <>
        <a class="strong" href={filtered(action)} title={`Show only ${action}`}>
          {actionText(action, { fields, values })}
        </a>
        {fields.length > 0 && (
          <div class="faint clip" title={fieldsText({ fields, values })}>
            {fieldsText({ fields, values })}
          </div>
        )}
      </>
    ),
  },
  {
    title: 'By',
    class: 'clip',
    onPhone: 'first',
    cell: ({ actor }) => (
      <span title={actor.id}>
        {actor.name ?? actor.id}
        <div class="faint">{roleOf(actor)}</div>
      </span>
    ),
  },
  ...(tenant === ''
    ? [{ title: 'Account', cell: (line: Line) => line.tenant ?? '–', class: 'mono', onPhone: 'second' } as const]
    : []),
  {
    title: 'Item',
    class: 'mono clip',
    onPhone: 'first',
    cell: (line) => <span title={targetText(line)}>{targetText(line) || '–'}</span>,
  },
  {
    title: 'From',
    class: 'nowrap',
    onPhone: 'gone',
    // The log of all accounts has one column more.
    ...(tenant === '' && { from: 1_520 }),
    cell: ({ address, via }) => (
      <>
        {address}
        <div class="faint">{via === 'console' ? 'Console' : 'API'}</div>
      </>
    ),
  },
  OUTCOME,
];

function roleOf({ kind, operator }: Line['actor']): string {
  if (kind === 'key') return 'Key';
  return operator ? 'Operator' : 'Person';
}
