import { OneTimeSecret, SHOWN_ONCE } from '../components/one-time-secret.tsx';
import { PageHead } from '../components/page-parts.tsx';
import { countText } from '../components/quantities.ts';
import { settled } from '../management/management.ts';
import { type RefusedForm, refusedForm } from '../pages/refused-form.ts';
import { page, type Screen } from '../pages/screen.ts';
import { DataTokenPage, NewDataToken } from './account-answers.ts';
import { accountPath, apiPathOf } from './account-paths.ts';
import { type StatedToken, TokenPanel } from './data-tokens.tsx';
import { readAccount } from './read-account.ts';
import { numberIn } from './token-form.ts';

/** Makes a data token, which is shown in this one answer and nowhere again. */
export const createToken: Screen = async (pageRequest) => {
  const { management, form } = pageRequest;
  const path = apiPathOf(pageRequest.path['id']);
  const account = await readAccount(management, pageRequest.path['id']);
  const [planId, downloads, monthly] = (['planId', 'availableDownloads', 'monthlyDownloads'] as const).map((name) =>
    form.text(name).trim(),
  ) as [string, string, string];
  const stated: StatedToken = { planId, availableDownloads: downloads, monthlyDownloads: monthly };
  const body = {
    planId,
    availableDownloads: numberIn(downloads),
    ...(monthly !== '' && { monthlyDownloads: numberIn(monthly) }),
  };
  const creation = await settled(management.send({ method: 'POST', path: `${path}/data-tokens`, body }, NewDataToken));
  if (!creation.ok) return refusedPage(refusedForm(creation.failure));
  const { token, id, availableDownloads } = creation.value;
  return page(
    'New data token',
    <>
      <PageHead title="New data token" under={[accountPath(account.id), account.name]} />
      <OneTimeSecret
        label="Token"
        secret={token}
        facts={{ Id: <code>{id}</code>, Plan: planId, Credits: countText(availableDownloads) }}
        next={accountPath(account.id)}
      />
    </>,
    { reloadLeadsTo: `${accountPath(account.id)}?${SHOWN_ONCE}=1` },
  );

  async function refusedPage(refused: RefusedForm) {
    const tokens = await settled(management.get(`${path}/data-tokens`, DataTokenPage, { limit: '100' }));
    return page(
      'New data token',
      <>
        <PageHead title="New data token" under={[accountPath(account.id), account.name]} />
        <TokenPanel account={account} tokens={tokens} refused={refused} stated={stated} />
      </>,
      { status: refused.status },
    );
  }
};
