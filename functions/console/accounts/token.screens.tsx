import { Badge } from '../components/badge.tsx';
import { Submit } from '../components/button.tsx';
import { withNotice } from '../components/change-notice.tsx';
import { Field, fieldStates, PostForm, Select } from '../components/form.tsx';
import { Card, Facts, Note, PageHead, Problem } from '../components/page-parts.tsx';
import { countText } from '../components/quantities.ts';
import { Time } from '../components/time.tsx';
import { ManagementFailure, settled } from '../management/management.ts';
import { ACCEPTED, type RefusedForm, refusedForm } from '../pages/refused-form.ts';
import { type Page, type PageRequest, page, type Screen, seeOther } from '../pages/screen.ts';
import { type Account, DataToken, DataTokenPage } from './account-answers.ts';
import { accountPath, apiPathOf } from './account-paths.ts';
import { MonthlyCredit } from './monthly-credit.tsx';
import { readAccount } from './read-account.ts';
import { statedTokenFields, type TokenFields, tokenChangesOf, tokenFieldsOf } from './token-form.ts';

export const tokenPath = (account: string, token: string): string =>
  `${accountPath(account)}/tokens/${encodeURIComponent(token)}`;

const PLACING = { fields: { availableDownloads: 'downloads', addDownloads: 'downloads' } };

/** The credit of one data token. */
export const tokenScreen: Screen = async (pageRequest) => {
  const { account, token } = await storedToken(pageRequest);
  return tokenPage(pageRequest, { account, token, fields: tokenFieldsOf(token), refused: ACCEPTED });
};

export const changeToken: Screen = async (pageRequest) => {
  const { account, token } = await storedToken(pageRequest);
  const fields = statedTokenFields(pageRequest.form);
  const body = tokenChangesOf(fields, token);
  const saved = seeOther(withNotice(tokenPath(account.id, token.id), 'saved'));
  if (Object.keys(body).length === 0) return saved;
  const path = `${apiPathOf(account.id)}/data-tokens/${encodeURIComponent(token.id)}`;
  const changed = await settled(pageRequest.management.send({ method: 'PATCH', path, body }, DataToken));
  if (changed.ok) return saved;
  return tokenPage(pageRequest, { account, token, fields, refused: refusedForm(changed.failure, PLACING) });
};

/** The API lists tokens and shows none alone. */
async function storedToken({ management, path }: PageRequest): Promise<Pick<TokenView, 'account' | 'token'>> {
  const account = await readAccount(management, path['id']);
  let cursor: string | undefined;
  do {
    // oxlint-disable-next-line no-await-in-loop -- the next page is named by the one before
    const list = await management.get(`${apiPathOf(account.id)}/data-tokens`, DataTokenPage, { limit: '100', cursor });
    const token = list.items.find(({ id }) => id === path['token']);
    if (token) return { account, token };
    cursor = list.nextCursor;
  } while (cursor !== undefined);
  throw new ManagementFailure({ status: 404, code: 'not-found', detail: 'There is no such token.' });
}

interface TokenView {
  readonly account: Account;
  readonly token: DataToken;
  readonly fields: TokenFields;
  readonly refused: RefusedForm;
}

function tokenPage(pageRequest: PageRequest, { account, token, fields, refused }: TokenView): Page {
  return page(
    'Data token',
    <>
      <PageHead
        title="Data token"
        lead={
          <span class="mono" title={token.id}>
            {token.id.slice(0, 12)}…
          </span>
        }
        under={[accountPath(account.id), account.name]}
      />
      <div class="beside">
        {token.revokedAt === undefined ? (
          <TokenForm account={account} token={token} fields={fields} refused={refused} />
        ) : (
          <Note tone="info">The token was revoked. Its credit is lost, and nothing of it can be changed.</Note>
        )}
        <TokenFacts token={token} />
      </div>
    </>,
    { status: refused.status },
  );
}

function TokenFacts({ token }: { readonly token: DataToken }) {
  const { planId, availableDownloads, monthlyDownloads, renewsAt, createdAt, revokedAt } = token;
  return (
    <Card title="Credit">
      <Facts
        facts={{
          Available: `${countText(availableDownloads)} records`,
          Monthly: monthlyDownloads === undefined ? 'Not renewed' : `${countText(monthlyDownloads)} records`,
          'Renews on': renewsAt && <Time at={renewsAt} only="day" />,
          Plan: planId,
          Created: <Time at={createdAt} only="day" />,
          State: revokedAt && <Badge tone="plain" icon="cross" label="Revoked" />,
        }}
      />
    </Card>
  );
}

function TokenForm({ account, token, fields, refused: { wrong, failure } }: TokenView) {
  const state = fieldStates(fields, wrong);
  return (
    <PostForm class="form wide card pad" action={tokenPath(account.id, token.id)}>
      {failure && <Problem failure={failure} />}
      <fieldset class="pair">
        <Select
          name="credit"
          label="Credit"
          value={fields.credit}
          options={[
            ['add', 'Add records'],
            ['set', 'Set to'],
          ]}
        />
        <Field {...state('downloads')} label="Records" hint="Leave empty to keep the credit." inputMode="numeric" />
      </fieldset>
      <MonthlyCredit value={fields.monthlyDownloads} error={wrong['monthlyDownloads']} />
      <Field
        {...state('planId')}
        label="Plan"
        hint="The plan determines which views the token can use."
        isRequired
        maxLength={50}
      />
      <div class="row">
        <Submit kind="primary" label="Save" />
      </div>
    </PostForm>
  );
}
