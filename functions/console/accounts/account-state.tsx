import { Badge } from '../components/badge.tsx';
import { isErased, type StoredAccount } from './account-answers.ts';

/** The state of the account, in a word. */
export function AccountState({ account }: { readonly account: StoredAccount }) {
  if (isErased(account)) return <Badge tone="plain" icon="dot" label="Erased" />;
  return account.active ? (
    <Badge tone="ok" icon="check" label="Active" />
  ) : (
    <Badge tone="bad" icon="pause" label="Suspended" />
  );
}
