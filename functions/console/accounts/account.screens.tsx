import { Saved } from '../components/badge.tsx';
import { LinkButton, Submit } from '../components/button.tsx';
import { PostForm } from '../components/form.tsx';
import { ShownOnceNote } from '../components/one-time-secret.tsx';
import { Facts, PageHead } from '../components/page-parts.tsx';
import { Time } from '../components/time.tsx';
import { settled } from '../management/management.ts';
import { ACCEPTED, type RefusedForm, refusedForm } from '../pages/refused-form.ts';
import { type Page, type PageRequest, page, type Screen, screenPath, seeOther } from '../pages/screen.ts';
import { PeoplePanel, PersonPage } from '../people/people-panel.tsx';
import { Account, DataTokenPage, isErased } from './account-answers.ts';
import { ErasurePanel, erasedAccountPage } from './account-erasure.screens.tsx';
import { AccountFormFields } from './account-fields.tsx';
import { type AccountFields, changesOf, fieldsOf, NEW_ACCOUNT, newAccountOf, statedFields } from './account-form.ts';
import { accountPath, NEW_ACCOUNT_PATH } from './account-list.screen.tsx';
import { apiPathOf } from './account-paths.ts';
import { TokenPanel } from './data-tokens.tsx';
import { readAccount, storedAccount } from './read-account.ts';
import { StandingPanel } from './standing.screens.tsx';

const PLACING = { codes: { 'account-exists': 'name' } };

export const newAccount: Screen = () => newAccountPage(NEW_ACCOUNT, ACCEPTED);

export const createAccount: Screen = async ({ form, management }) => {
  const fields = statedFields(form);
  const creation = await settled(
    management.send({ method: 'POST', path: 'accounts', body: newAccountOf(fields) }, Account),
  );
  return creation.ok
    ? seeOther(screenPath({ tenant: creation.value.id }, 'people/-/new', { 'account-created': '1' }))
    : newAccountPage(fields, refusedForm(creation.failure, PLACING));
};

const newAccountPage = (fields: AccountFields, refused: RefusedForm): Page =>
  page(
    'New account',
    <>
      <PageHead title="New account" under={['/console/accounts', 'Accounts']} />
      <PostForm class="form card pad" action={NEW_ACCOUNT_PATH}>
        <AccountFormFields fields={fields} refused={refused} isNew />
        <div class="row">
          <Submit kind="primary" label="Create" />
        </div>
      </PostForm>
    </>,
    { status: refused.status },
  );

export const accountScreen: Screen = async (pageRequest) => {
  const account = await storedAccount(pageRequest.management, pageRequest.path['id']);
  if (isErased(account)) return erasedAccountPage(account);
  return accountPage(pageRequest, account, fieldsOf(account), ACCEPTED);
};

export const changeAccount: Screen = async (pageRequest) => {
  const stored = await readAccount(pageRequest.management, pageRequest.path['id']);
  const path = apiPathOf(stored.id);
  const fields = { ...statedFields(pageRequest.form), name: stored.name, plan: stored.plan };
  const body = changesOf(fields, stored);
  const saved = seeOther(`${accountPath(stored.id)}?saved=1`);
  if (Object.keys(body).length === 0) return saved;
  const changed = await settled(pageRequest.management.send({ method: 'PATCH', path, body }, Account));
  return changed.ok ? saved : accountPage(pageRequest, stored, fields, refusedForm(changed.failure));
};

async function accountPage(
  pageRequest: PageRequest,
  account: Account,
  fields: AccountFields,
  refused: RefusedForm,
): Promise<Page> {
  const { management } = pageRequest;
  const [tokens, people] = await Promise.all([
    settled(management.get(`${apiPathOf(account.id)}/data-tokens`, DataTokenPage, { limit: '100' })),
    settled(management.get('people', PersonPage, { tenant: account.id, limit: '10' })),
  ]);
  return page(
    account.name,
    <>
      <PageHead
        title={account.name}
        lead={<span class="mono">{account.id}</span>}
        under={['/console/accounts', 'Accounts']}
      >
        <LinkButton kind="primary" label="Open as this account" href={screenPath({ tenant: account.id }, '')} />
      </PageHead>
      <ShownOnceNote query={pageRequest.query}>If nobody has copied the token, make another one.</ShownOnceNote>
      <div class="beside">
        <PostForm class="form wide card pad" action={accountPath(account.id)}>
          <AccountFormFields fields={fields} refused={refused} isNew={false} />
          <div class="row">
            <Submit kind="primary" label="Save" />
            {pageRequest.query.has('saved') && refused === ACCEPTED && <Saved />}
          </div>
        </PostForm>
        <div class="stack">
          <section class="card pad stack">
            <h2>Plan</h2>
            <Facts
              facts={{
                Plan: <a href={screenPath({ tenant: account.id }, 'usage')}>{account.plan}</a>,
                Created: <Time at={account.createdAt} />,
              }}
            />
          </section>
          <PeoplePanel tenant={account.id} people={people} />
          <StandingPanel account={account} />
          <ErasurePanel account={account} pageRequest={pageRequest} />
          <TokenPanel account={account} tokens={tokens} refused={ACCEPTED} stated={undefined} />
        </div>
      </div>
    </>,
    { status: refused.status },
  );
}
