import { LinkButton } from '../components/button.tsx';
import { ShownOnceNote } from '../components/one-time-secret.tsx';
import { Card, Facts } from '../components/page-parts.tsx';
import { Time } from '../components/time.tsx';
import { settled } from '../management/management.ts';
import { ACCEPTED } from '../pages/refused-form.ts';
import { type Page, type PageRequest, screenPath, seeOther } from '../pages/screen.ts';
import { PeoplePanel, PersonPage } from '../people/people-panel.tsx';
import { createResource, type FormState, itemPage } from '../resources/resource-form.tsx';
import type { ResourceScreens } from '../resources/resource-routes.ts';
import { resourceScreens } from '../resources/resource-screens.ts';
import { Account, DataTokenPage, isErased, type StoredAccount } from './account-answers.ts';
import { ErasurePanel, erasedAccountPage } from './account-erasure.screens.tsx';
import { ACCOUNTS } from './account-form.ts';
import { accountList } from './account-list.screen.tsx';
import { apiPathOf } from './account-paths.ts';
import { TokenPanel } from './data-tokens.tsx';
import { StandingPanel } from './standing.screens.tsx';

/** Accounts are created, changed and erased by operators. */
export const ACCOUNT_SCREENS: ResourceScreens = {
  ...resourceScreens(ACCOUNTS, accountPage),
  list: accountList,
  create: (pageRequest) =>
    createResource(pageRequest, ACCOUNTS, {
      answer: Account,
      next: ({ id }) => seeOther(screenPath({ tenant: id }, 'people/-/new', { 'account-created': '1' })),
    }),
};

async function accountPage(pageRequest: PageRequest, account: StoredAccount, state: FormState): Promise<Page> {
  if (isErased(account)) return erasedAccountPage(account);
  const { management } = pageRequest;
  const [tokens, people] = await Promise.all([
    settled(management.get(`${apiPathOf(account.id)}/data-tokens`, DataTokenPage, { limit: '100' })),
    settled(management.get('people', PersonPage, { tenant: account.id, limit: '10' })),
  ]);
  return itemPage(pageRequest, ACCOUNTS, account, {
    state,
    lead: <span class="mono">{account.id}</span>,
    acts: <LinkButton kind="primary" label="Open as this account" href={screenPath({ tenant: account.id }, '')} />,
    above: <ShownOnceNote query={pageRequest.query}>If nobody has copied the token, make another one.</ShownOnceNote>,
    beside: (
      <>
        <Card title="Plan">
          <Facts
            facts={{
              Plan: <a href={screenPath({ tenant: account.id }, 'usage')}>{account.plan}</a>,
              Created: <Time at={account.createdAt} />,
            }}
          />
        </Card>
        <PeoplePanel tenant={account.id} people={people} />
        <StandingPanel account={account} />
        <TokenPanel account={account} tokens={tokens} refused={ACCEPTED} stated={undefined} />
      </>
    ),
    removal: <ErasurePanel account={account} pageRequest={pageRequest} />,
  });
}
