import * as z from 'zod/mini';
import { Badge } from '../components/badge.tsx';
import { noticeOf } from '../components/change-notice.tsx';
import { type Column, DataTable, Pager } from '../components/data-table.tsx';
import { OneTimeSecret, SHOWN_ONCE, ShownOnceNote } from '../components/one-time-secret.tsx';
import { Card, Empty, PageHead, Tabs } from '../components/page-parts.tsx';
import { ShortId } from '../components/short-id.tsx';
import { Ago, Time } from '../components/time.tsx';
import { ManagementFailure, settled } from '../management/management.ts';
import { confirmPage } from '../pages/confirm-page.tsx';
import { Form } from '../pages/form.ts';
import { ACCEPTED, type RefusedForm, refusedForm } from '../pages/refused-form.ts';
import { refusedPage } from '../pages/refused-page.tsx';
import { type Page, type PageRequest, page, type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { KeyForm } from './key-form.tsx';
import { KEY_KINDS, type KeyKind, type ListedKey, UNNAMED } from './key-kinds.ts';

function kindOf({ path }: PageRequest): KeyKind {
  const kind = path['kind'] === undefined ? KEY_KINDS[0] : KEY_KINDS.find(({ name }) => name === path['kind']);
  if (!kind) throw new ManagementFailure({ status: 404, code: 'not-found', detail: 'There is no such kind of key.' });
  return kind;
}

const apiPathOf = ({ tenant }: PageRequest, { name }: KeyKind) => `accounts/${encodeURIComponent(tenant)}/${name}`;
const ownPathOf = (pageRequest: PageRequest, { name }: KeyKind) => screenPath(pageRequest, `keys/${name}`);

/** The list of keys of one kind. */
export const keyList: Screen = (pageRequest) => listPage(pageRequest, new Form(), ACCEPTED);

/** Creates a key and shows its secret, which is not displayed again. */
export const createKey: Screen = async (pageRequest) => {
  const kind = kindOf(pageRequest);
  const body = kind.bodyOf(pageRequest.form);
  const created = await settled(
    pageRequest.management.send({ method: 'POST', path: apiPathOf(pageRequest, kind), body }, kind.newSecret),
  );
  if (!created.ok) return listPage(pageRequest, pageRequest.form, refusedForm(created.failure));
  const { id, secret } = created.value;
  const title = `New ${kind.one}`;
  const own = ownPathOf(pageRequest, kind);
  return page(
    title,
    <>
      <PageHead title={title} under={[own, kind.label]} />
      <OneTimeSecret label={kind.secretLabel} secret={secret} facts={{ Id: <code>{id}</code> }} next={own} />
    </>,
    { reloadLeadsTo: screenPath(pageRequest, `keys/${kind.name}`, { [SHOWN_ONCE]: '1' }) },
  );
};

async function listPage(pageRequest: PageRequest, form: Form, refused: RefusedForm): Promise<Page> {
  const kind = kindOf(pageRequest);
  const cursor = pageRequest.query.get('cursor') ?? '';
  const query = { limit: '50', cursor };
  const { items, nextCursor } = await pageRequest.management.get(apiPathOf(pageRequest, kind), kind.page, query);
  const own = ownPathOf(pageRequest, kind);
  const canMake = pageRequest.person.isOperator || !kind.isForOperators;
  return page(
    'Keys and tokens',
    <>
      <PageHead title="Keys and tokens" lead={kind.lead} />
      <Tabs
        label="Kinds of keys"
        current={own}
        tabs={KEY_KINDS.map((one) => [ownPathOf(pageRequest, one), one.label] as const)}
      />
      <ShownOnceNote
        query={pageRequest.query}
      >{`If you haven't copied it, revoke the newest ${kind.one} and create another.`}</ShownOnceNote>
      <div class="beside">
        <div class="card">
          {items.length > 0 ? (
            <DataTable
              caption={kind.label}
              columns={columnsOf(pageRequest, kind)}
              rows={items}
              keyOf={({ id }) => id}
            />
          ) : (
            <Empty title={`No ${kind.one} yet`}>
              {canMake ? 'Create the first one on this page.' : 'Ask an operator to create one.'}
            </Empty>
          )}
          <Pager
            newest={cursor === '' ? undefined : own}
            older={nextCursor && screenPath(pageRequest, `keys/${kind.name}`, { cursor: nextCursor })}
          />
        </div>
        {canMake ? (
          <KeyForm kind={kind} action={own} form={form} refused={refused} />
        ) : (
          <Card title={`New ${kind.one}`}>
            <p class="muted">Ask an operator to create one.</p>
          </Card>
        )}
      </div>
    </>,
    { status: refused.status },
  );
}

const columnsOf = (pageRequest: PageRequest, kind: KeyKind): readonly Column<ListedKey>[] => [
  { title: kind.titles.about, cell: ({ about }) => about, class: 'strong middle', onPhone: 'first' },
  {
    title: 'State',
    class: 'middle',
    onPhone: 'second',
    cell: (key) => <KeyState credential={key} now={pageRequest.now} />,
  },
  {
    title: kind.name === 'keys' ? 'Key' : 'Id',
    class: 'middle nowrap',
    onPhone: 'first',
    cell: ({ id, prefix }) => (prefix === undefined ? <ShortId id={id} /> : <Prefix prefix={prefix} />),
    text: ({ id }) => id,
  },
  ...(kind.titles.more === ''
    ? []
    : [
        {
          title: kind.titles.more,
          class: 'middle',
          onPhone: 'first' as const,
          cell: ({ more }: ListedKey) => more,
        },
      ]),
  {
    title: 'Created',
    class: 'middle',
    isRight: true,
    from: 1_200,
    onPhone: 'gone',
    cell: ({ createdAt, createdBy }) => (
      <>
        <Time at={createdAt} only="day" />
        {createdBy !== undefined && <div class="small faint nowrap">by {createdBy}</div>}
      </>
    ),
  },
  ...(kind.isTracked ? TRACKED : []),
  {
    title: 'Revoke',
    text: ({ revokedAt }) => revokedAt ?? '',
    class: 'middle',
    isRight: true,
    onPhone: 'second',
    cell: ({ id, revokedAt }) =>
      revokedAt === undefined ? (
        <a class="button small danger" href={`${ownPathOf(pageRequest, kind)}/${encodeURIComponent(id)}/revoke`}>
          Revoke…<span class="hidden"> {id}</span>
        </a>
      ) : (
        <Time at={revokedAt} only="day" />
      ),
  },
];

const TRACKED: readonly Column<ListedKey>[] = [
  {
    title: 'Last used',
    class: 'middle nowrap',
    isRight: true,
    onPhone: 'first',
    cell: ({ lastUsedAt, expiresAt }) => (
      <>
        {lastUsedAt ? (
          <>
            Used <Ago at={lastUsedAt} />
          </>
        ) : (
          'Not used yet'
        )}
        <div class="small faint">
          {expiresAt ? (
            <>
              expires <Time at={expiresAt} only="day" />
            </>
          ) : (
            'no expiry'
          )}
        </div>
      </>
    ),
  },
];

/** The beginning of a key. The secret behind it was shown once. */
const Prefix = ({ prefix }: { readonly prefix: string }) => (
  <span class="mono clip" title={prefix}>
    {prefix}…
  </span>
);

interface KeyStateProps {
  readonly credential: ListedKey;
  readonly now: number;
}

function KeyState({ credential: { revokedAt, expiresAt }, now }: KeyStateProps) {
  if (revokedAt !== undefined) return <Badge tone="plain" icon="cross" label="Revoked" />;
  if (expiresAt && Date.parse(expiresAt) <= now) return <Badge tone="plain" icon="clock" label="Expired" />;
  return <Badge tone="ok" icon="check" label="Active" />;
}

export const confirmRevoking: Screen = async (pageRequest) => {
  const kind = kindOf(pageRequest);
  const id = pageRequest.path['id'] ?? '';
  const newest = await settled(pageRequest.management.get(apiPathOf(pageRequest, kind), kind.page, { limit: '100' }));
  const key = newest.ok ? newest.value.items.find((one) => one.id === id) : undefined;
  return confirmPage({
    title: `Revoke ${key && kind.titles.about === 'Name' && key.about !== UNNAMED ? `the ${kind.one} ${key.about}` : `this ${kind.one}`}?`,
    lead: (
      <>
        <span class="mono">{key?.prefix === undefined ? id : `${key.prefix}…`}</span>
        {key?.lastUsedAt && (
          <>
            , used <Ago at={key.lastUsedAt} />
          </>
        )}
      </>
    ),
    under: [ownPathOf(pageRequest, kind), kind.label],
    text: `${kind.loss} This can't be undone.`,
    action: `${ownPathOf(pageRequest, kind)}/${encodeURIComponent(id)}/revoke`,
    label: 'Revoke',
  });
};

export const revokeKey: Screen = async (pageRequest) => {
  const kind = kindOf(pageRequest);
  const path = `${apiPathOf(pageRequest, kind)}/${encodeURIComponent(pageRequest.path['id'] ?? '')}`;
  const revoked = await settled(pageRequest.management.send({ method: 'DELETE', path }, z.unknown()));
  if (revoked.ok) return seeOther(screenPath(pageRequest, `keys/${kind.name}`, noticeOf('revoked')));
  return refusedPage('Not revoked', [ownPathOf(pageRequest, kind), kind.label], revoked.failure);
};
