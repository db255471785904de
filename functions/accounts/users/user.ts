import type { DataCaller } from '#shared/auth/data-account';
import { timestamp } from '#shared/timestamp';
import type { DataToken } from '../data-tokens/data-token.ts';
import type { Account } from '../tenants/account.ts';

/** The User object (specification 000, section 2). */
export const presentUser = (caller: DataCaller, token: DataToken, account: Account) => ({
  token: caller.token,
  organization: account.organization,
  email: account.email,
  first_name: account.firstName,
  last_name: account.lastName,
  phone_number: account.phoneNumber,
  plan_id: token.planId,
  type: 'user',
  active: account.active ? 1 : 0,
  available_downloads: token.availableDownloads,
  date_registered: timestamp(new Date(account.createdAt)),
});
