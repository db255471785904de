import { OneTimeSecret, SHOWN_ONCE } from '../components/one-time-secret.tsx';
import { PageHead } from '../components/page-parts.tsx';
import { countText } from '../components/quantities.ts';
import { aside } from '../management/management.ts';
import { type RefusedForm, refusedForm } from '../pages/refused-form.ts';
import { page, type Screen } from '../pages/screen.ts';
import { apiPathOf } from './account.screens.tsx';
import { Account, DataTokenPage, NewDataToken } from './account-answers.ts';
import { accountPath } from './account-list.screen.tsx';
import { type StatedToken, TokenPanel } from './data-tokens.tsx';

/** Makes a downloads token, which is shown in this one answer and nowhere again. */
export const createToken: Screen = async (visit) => {
  const { management, form } = visit;
  const path = apiPathOf(visit.path['id']);
  const account = await management.get(path, Account);
  const stated = { planId: form.text('planId').trim(), availableDownloads: form.text('availableDownloads').trim() };
  const body = { planId: stated.planId, availableDownloads: numberIn(stated.availableDownloads) };
  if (typeof body.availableDownloads === 'string') {
    return refusedPage({ wrong: { availableDownloads: 'A whole number' }, failure: undefined, status: 400 });
  }
  const made = await aside(management.send({ method: 'POST', path: `${path}/data-tokens`, body }, NewDataToken));
  if (!made.ok) return refusedPage(refusedForm(made.failure));
  const { token, id, planId, availableDownloads } = made.value;
  return page(
    'New downloads token',
    <>
      <PageHead title="New downloads token" under={[accountPath(account.id), account.name]} />
      <OneTimeSecret
        label="Token"
        secret={token}
        facts={{ Id: <code>{id}</code>, Plan: planId, Records: countText(availableDownloads) }}
        next={accountPath(account.id)}
      />
    </>,
    { reloadLeadsTo: `${accountPath(account.id)}?${SHOWN_ONCE}=1` },
  );

  async function refusedPage(refused: RefusedForm) {
    const tokens = await aside(management.get(`${path}/data-tokens`, DataTokenPage, { limit: '100' }));
    return page(
      'New downloads token',
      <>
        <PageHead title="New downloads token" under={[accountPath(account.id), account.name]} />
        <TokenPanel account={account} tokens={tokens} refused={refused} stated={stated satisfies StatedToken} />
      </>,
      { status: refused.status },
    );
  }
};

/** A number, or the text as it is. */
const numberIn = (text: string): number | string =>
  /^\d{1,3}(?:,\d{3})*$|^\d{1,13}$/.test(text) ? Number(text.replaceAll(',', '')) : text;
