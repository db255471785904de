import { Badge } from '../components/badge.tsx';
import type { Account } from './account-answers.ts';

/** Whether the account is served. */
export const AccountState = ({ account: { active } }: { readonly account: Pick<Account, 'active'> }) =>
  active ? <Badge tone="ok" icon="check" label="Active" /> : <Badge tone="bad" icon="pause" label="Suspended" />;
