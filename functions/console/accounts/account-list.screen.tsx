import { Badge } from '../components/badge.tsx';
import { LinkButton } from '../components/button.tsx';
import { type Column, DataTable, Pager } from '../components/data-table.tsx';
import { Empty, PageHead } from '../components/page-parts.tsx';
import { Time } from '../components/time.tsx';
import { page, type Screen, screenPath } from '../pages/screen.ts';
import { AccountPage, isErased, type StoredAccount } from './account-answers.ts';
import { AccountState } from './account-state.tsx';

/** No account has an id of signs alone. */
export const NEW_ACCOUNT_PATH = '/console/accounts/-/new';
export const accountPath = (id: string): string => `/console/accounts/${encodeURIComponent(id)}`;

/** All tenants, for operators. */
export const accountList: Screen = async ({ management, query }) => {
  const cursor = query.get('cursor') ?? '';
  const accounts = await management.get('accounts', AccountPage, { limit: '50', cursor });
  const create = <LinkButton kind="primary" label="New account" href={NEW_ACCOUNT_PATH} />;
  return page(
    'Accounts',
    <>
      <PageHead title="Accounts" lead="Everyone who uses the services, newest first.">
        {accounts.items.length > 0 && create}
      </PageHead>
      <div class="card">
        {accounts.items.length > 0 ? (
          <DataTable caption="Accounts" columns={COLUMNS} rows={accounts.items} keyOf={({ id }) => id} />
        ) : (
          <Empty title="No account yet" acts={create}>
            An account contains everything that belongs to one tenant: keys, tokens, webhooks, places and receipts.
          </Empty>
        )}
        <Pager
          newest={cursor === '' ? undefined : '/console/accounts'}
          older={accounts.nextCursor && `/console/accounts?cursor=${encodeURIComponent(accounts.nextCursor)}`}
        />
      </div>
    </>,
  );
};

const COLUMNS: readonly Column<StoredAccount>[] = [
  {
    title: 'Account',
    class: 'strong',
    onPhone: 'first',
    cell: (account) => (
      <a class="strong" href={accountPath(account.id)}>
        {isErased(account) ? account.id : account.name}
      </a>
    ),
  },
  { title: 'Id', cell: ({ id }) => <span class="mono">{id}</span>, onPhone: 'gone' },
  {
    title: 'Plan',
    cell: (account) => !isErased(account) && <Badge tone="plain" icon="dot" label={account.plan} />,
    onPhone: 'second',
  },
  { title: 'State', cell: (account) => <AccountState account={account} />, onPhone: 'second' },
  {
    title: 'Organization',
    cell: (account) => !isErased(account) && account.organization,
    class: 'clip',
    onPhone: 'first',
  },
  { title: 'E-mail', cell: (account) => !isErased(account) && account.email, class: 'clip', onPhone: 'gone' },
  { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} only="day" />, isRight: true, onPhone: 'second' },
  {
    title: 'Screens',
    cell: (account) =>
      !isErased(account) && (
        <a class="nowrap" href={screenPath({ tenant: account.id }, '')}>
          Open<span class="hidden"> {account.id}</span>
        </a>
      ),
    onPhone: 'first',
  },
];
