import { type Management, ManagementFailure } from '../management/management.ts';
import { type Account, isErased, StoredAccount } from './account-answers.ts';
import { apiPathOf } from './account-paths.ts';

/** The account, for what only an account that was not erased has. */
export async function readAccount(management: Management, id: string | undefined): Promise<Account> {
  const account = await management.get(apiPathOf(id), StoredAccount);
  if (!isErased(account)) return account;
  throw new ManagementFailure({ status: 409, code: 'account-erased', detail: 'The account was erased.' });
}
