import { LinkButton, Submit } from '../components/button.tsx';
import { PostForm } from '../components/form.tsx';
import { Card, Facts } from '../components/page-parts.tsx';
import { Time } from '../components/time.tsx';
import { confirmPage } from '../pages/confirm-page.tsx';
import { type PageRequest, type Screen, seeOther } from '../pages/screen.ts';
import { Account } from './account-answers.ts';
import { accountPath, apiPathOf } from './account-paths.ts';
import { AccountState } from './account-state.tsx';
import { readAccount } from './read-account.ts';

/** The state of the account, and the buttons that change it. Only suspension asks first. */
export function StandingPanel({ account }: { readonly account: Account }) {
  const { id, active, apiIntegration, suspendedAt } = account;
  const own = accountPath(id);
  return (
    <Card title="Access">
      <Facts
        facts={{
          State: <AccountState account={account} />,
          Since: suspendedAt && <Time at={suspendedAt} />,
          Webhooks: apiIntegration ? 'On' : 'Off',
        }}
      />
      <div class="row">
        <PostForm action={`${own}/webhooks`} sends={{ apiIntegration: !apiIntegration }}>
          <input type="hidden" name="apiIntegration" value={apiIntegration ? 'off' : 'on'} />
          <Submit kind="small" label={apiIntegration ? 'Turn webhooks off' : 'Turn webhooks on'} />
        </PostForm>
        {active ? (
          <LinkButton kind="small danger" label="Suspend…" href={`${own}/suspend`} />
        ) : (
          <PostForm action={`${own}/resume`}>
            <Submit kind="small" label="Resume" />
          </PostForm>
        )}
      </div>
      <p class="hint">
        {apiIntegration
          ? 'While webhooks are off, events are refused and pending deliveries wait.'
          : 'Events are refused and pending deliveries wait until webhooks are turned on.'}
      </p>
    </Card>
  );
}

export const confirmSuspension: Screen = async (pageRequest) => {
  const { id, name } = await readAccount(pageRequest.management, pageRequest.path['id']);
  return confirmPage({
    title: `Suspend ${name}?`,
    lead: <span class="mono">{id}</span>,
    under: [accountPath(id), name],
    text: 'Within a minute all keys, tokens and people of this account are refused, and its webhooks wait. Nothing is lost, and the account can be resumed at any time.',
    action: `${accountPath(id)}/suspend`,
    label: 'Suspend',
  });
};

const change = async (pageRequest: PageRequest, body: Partial<Pick<Account, 'active' | 'apiIntegration'>>) => {
  const path = apiPathOf(pageRequest.path['id']);
  const { id } = await pageRequest.management.send({ method: 'PATCH', path, body }, Account);
  return seeOther(accountPath(id));
};

export const suspendAccount: Screen = (pageRequest) => change(pageRequest, { active: false });
export const resumeAccount: Screen = (pageRequest) => change(pageRequest, { active: true });
export const switchWebhooks: Screen = (pageRequest) =>
  change(pageRequest, { apiIntegration: pageRequest.form.text('apiIntegration') === 'on' });
