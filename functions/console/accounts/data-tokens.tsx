import { Badge } from '../components/badge.tsx';
import { Submit } from '../components/button.tsx';
import { Field, PostForm } from '../components/form.tsx';
import { Card, Problem } from '../components/page-parts.tsx';
import { countOf, countText } from '../components/quantities.ts';
import type { Settled } from '../management/management.ts';
import type { RefusedForm } from '../pages/refused-form.ts';
import { type Account, creditOf, type DataToken } from './account-answers.ts';
import { accountPath } from './account-paths.ts';
import { MonthlyCredit } from './monthly-credit.tsx';
import { tokenPath } from './token.screens.tsx';

export interface StatedToken {
  readonly planId: string;
  readonly availableDownloads: string;
  readonly monthlyDownloads: string;
}

interface PanelProps {
  readonly account: Account;
  readonly tokens: Settled<{ readonly items: readonly DataToken[]; readonly nextCursor?: string | undefined }>;
  readonly refused: RefusedForm;
  readonly stated: StatedToken | undefined;
}

/** The data tokens of the account with their credit, and the form for a new one. */
export function TokenPanel({ account, tokens, refused, stated }: PanelProps) {
  return (
    <Card title="Download credit">
      <TokenList account={account} tokens={tokens} />
      <hr />
      <h3>New data token</h3>
      <PostForm class="form" action={`${accountPath(account.id)}/tokens`}>
        {refused.failure && <Problem failure={refused.failure} />}
        <Field
          name="availableDownloads"
          label="Credits"
          value={stated?.availableDownloads}
          error={refused.wrong['availableDownloads']}
          hint="A credit is one record downloaded."
          isRequired
        />
        <MonthlyCredit value={stated?.monthlyDownloads} error={refused.wrong['monthlyDownloads']} />
        <Field
          name="planId"
          label="Plan"
          value={stated?.planId ?? 'basic'}
          error={refused.wrong['planId']}
          hint="The data plan: which records and views it may use."
          isRequired
          maxLength={50}
        />
        <div>
          <Submit label="Create token" />
        </div>
      </PostForm>
    </Card>
  );
}

function TokenList({ account, tokens }: Pick<PanelProps, 'account' | 'tokens'>) {
  if (!tokens.ok) return <Problem failure={tokens.failure} title="The tokens could not be loaded." />;
  return (
    <>
      <p>
        <strong>{countText(creditOf(tokens.value.items))}</strong> credits
        {tokens.value.nextCursor !== undefined && ' or more'}, by{' '}
        {countOf(tokens.value.items.filter(({ revokedAt }) => revokedAt === undefined).length, 'token')}
      </p>
      <ul class="stack-s small" hidden={tokens.value.items.length === 0}>
        {tokens.value.items.map(({ id, planId, availableDownloads, monthlyDownloads, revokedAt }) => (
          <li key={id} class="head">
            <span>
              <a class="mono" title={id} href={tokenPath(account.id, id)}>
                {id.slice(0, 12)}…
              </a>{' '}
              {planId}
            </span>
            {revokedAt === undefined ? (
              <span>
                {countText(availableDownloads)}
                {monthlyDownloads !== undefined && ` (${countText(monthlyDownloads)} a month)`}
              </span>
            ) : (
              <Badge tone="plain" icon="cross" label="Revoked" />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
