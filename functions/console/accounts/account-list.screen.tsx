import { Badge } from '../components/badge.tsx';
import type { Column } from '../components/data-table.tsx';
import { Time } from '../components/time.tsx';
import { type Screen, screenPath } from '../pages/screen.ts';
import { resourceList } from '../resources/resource-list.tsx';
import { isErased, type StoredAccount } from './account-answers.ts';
import { ACCOUNTS } from './account-form.ts';
import { accountPath } from './account-paths.ts';
import { AccountState } from './account-state.tsx';

/** All tenants, for operators. */
export const accountList: Screen = (pageRequest) =>
  resourceList(pageRequest, ACCOUNTS, {
    columns: COLUMNS,
    emptyText:
      'An account contains everything that belongs to one tenant: keys, tokens, webhooks, places and receipts.',
  });

const COLUMNS: readonly Column<StoredAccount>[] = [
  {
    title: 'Account',
    class: 'strong',
    onPhone: 'first',
    cell: (account) => (
      <a class="strong" href={accountPath(account.id)}>
        {ACCOUNTS.nameOf(account)}
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
  { title: 'Email', cell: (account) => !isErased(account) && account.email, class: 'clip', onPhone: 'gone' },
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
