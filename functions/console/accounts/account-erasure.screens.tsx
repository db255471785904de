import * as z from 'zod/mini';
import { LinkButton } from '../components/button.tsx';
import { FollowLink, Live } from '../components/live.tsx';
import { Card, Facts, PageHead } from '../components/page-parts.tsx';
import { Time } from '../components/time.tsx';
import { ErasureProgress, ErasureRemains } from '../erasures/erasure-parts.tsx';
import { settled } from '../management/management.ts';
import { confirmPage } from '../pages/confirm-page.tsx';
import { refusedPage } from '../pages/refused-page.tsx';
import { type Page, type PageRequest, page, type Screen, seeOther } from '../pages/screen.ts';
import type { Account, ErasedAccount } from './account-answers.ts';
import { accountPath, apiPathOf } from './account-paths.ts';
import { readAccount } from './read-account.ts';

const SUSPENDED_MILLIS = 24 * 60 * 60_000;

/** The button that erases the account, or the reason why it cannot be erased. */
export function ErasurePanel({
  account,
  pageRequest,
}: {
  readonly account: Account;
  readonly pageRequest: PageRequest;
}) {
  const reason = reasonNotErasable(account, pageRequest);
  return (
    <Card title="Erasure">
      {reason ?? (
        <div class="row">
          <LinkButton kind="small danger" label="Erase…" href={`${accountPath(account.id)}/erase`} />
        </div>
      )}
    </Card>
  );
}

function reasonNotErasable({ id, active, suspendedAt, billedIn }: Account, { person, now }: PageRequest) {
  if (person.tenant === id) return <p class="hint">You belong to this account, so you can't erase it.</p>;
  if (active || suspendedAt === undefined) {
    return <p class="hint">An account can be erased once it has been suspended for 24 hours.</p>;
  }
  const erasableAt = Date.parse(suspendedAt) + SUSPENDED_MILLIS;
  if (now < erasableAt) {
    return (
      <p class="hint">
        It can be erased from <Time at={new Date(erasableAt).toISOString()} />, 24 hours after it was suspended.
      </p>
    );
  }
  if (billedIn === undefined) return undefined;
  return <p class="hint">It has a paid plan. Change to Free first, and erase it once the change takes effect.</p>;
}

export const confirmAccountErasure: Screen = async (pageRequest) => {
  const { id, name } = await readAccount(pageRequest.management, pageRequest.path['id']);
  return confirmPage({
    title: `Erase ${name}?`,
    lead: <span class="mono">{id}</span>,
    under: [accountPath(id), name],
    text: "Everything in this account is erased from all services: people, keys and tokens, downloads, webhooks, usage, places, receipts and pictures. Invoices and the audit log remain, and the id is never reused. Erasure can't be undone.",
    action: `${accountPath(id)}/erase`,
    label: 'Erase the account',
  });
};

export const eraseAccount: Screen = async (pageRequest) => {
  const id = pageRequest.path['id'] ?? '';
  const erased = await settled(pageRequest.management.send({ method: 'DELETE', path: apiPathOf(id) }, z.unknown()));
  return erased.ok ? seeOther(accountPath(id)) : refusedPage('Not erased', [accountPath(id), id], erased.failure);
};

/** The page of an erased account: the progress of its erasure, and what remains. */
export function erasedAccountPage({ id, createdAt, suspendedAt, erasure }: ErasedAccount): Page {
  const isOver = erasure.status === 'completed';
  const progress = { content: <ErasureProgress erasure={erasure} />, isOver };
  return page(
    id,
    <>
      <PageHead
        title="Erased account"
        lead={<span class="mono">{id}</span>}
        under={['/console/accounts', 'Accounts']}
      />
      <div class="stack">
        <section class="card pad">
          <Facts facts={{ Created: <Time at={createdAt} />, Suspended: <Time at={suspendedAt} /> }} />
        </section>
        <Live name="progress" part={progress} saysState />
        <FollowLink isOver={isOver} />
        <ErasureRemains erasure={erasure} />
      </div>
    </>,
    { live: { progress } },
  );
}
