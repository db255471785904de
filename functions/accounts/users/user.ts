import type { DataCaller } from '#shared/auth/data-caller';
import { renewed } from '#shared/auth/data-credit';
import { Refusal } from '#shared/errors';
import { timestamp } from '#shared/formats/timestamp';
import type { DataTokens } from '../data-tokens/data-token.ts';
import { type Accounts, isErased } from '../tenants/account.ts';

export interface Users {
  readonly accounts: Pick<Accounts, 'byId'>;
  readonly tokens: Pick<DataTokens, 'byId'>;
}

/** The User object (specification 000, section 2) of the caller. */
export async function userOf({ accounts, tokens }: Users, caller: DataCaller, now: number) {
  const token = await tokens.byId(caller.tokenId);
  if (!token) throw noSuchUser();
  const account = await accounts.byId(token.tenant);
  if (!account || isErased(account)) throw noSuchUser();
  return {
    token: caller.token,
    organization: account.organization,
    email: account.email,
    first_name: account.firstName,
    last_name: account.lastName,
    phone_number: account.phoneNumber,
    plan_id: token.planId,
    type: 'user' as const,
    active: account.active ? (1 as const) : (0 as const),
    available_downloads: renewed(token, now).availableDownloads,
    date_registered: timestamp(new Date(account.createdAt)),
  };
}

export const noSuchUser = () => new Refusal(404, 'not-found', 'The requested resource was not found.');
