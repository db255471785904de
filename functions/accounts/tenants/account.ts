import * as z from 'zod';
import { Refusal } from '#shared/errors';
import type { Page, PageQuery } from '#shared/http/page';
import { isoTime } from '#shared/timestamp';

const line = (max: number) => z.string().trim().min(1).max(max);
const optionalLine = (max: number) => z.string().trim().max(max).default('');

/** A tenant as an operator states it. */
export const NewAccount = z.strictObject({
  name: line(100),
  plan: z.enum(['free', 'starter', 'growth', 'scale']).default('free'),
  billingCurrency: z.enum(['USD', 'EUR', 'GBP']).default('USD'),
  organization: optionalLine(200),
  email: z.union([z.email().max(254), z.literal('')]).default(''),
  firstName: optionalLine(100),
  lastName: optionalLine(100),
  phoneNumber: optionalLine(40),
});
export type NewAccount = z.output<typeof NewAccount>;

/** What may change later: all but the name, because the id comes from it. */
export const AccountChange = z
  .strictObject({
    organization: line(200),
    email: z.email().max(254),
    firstName: line(100),
    lastName: line(100),
    phoneNumber: line(40),
    billingCurrency: z.enum(['USD', 'EUR', 'GBP']),
  })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'Name at least one field to change.');
export type AccountChange = z.output<typeof AccountChange>;

export interface Account extends NewAccount {
  readonly id: string;
  readonly active: boolean;
  readonly createdAt: string;
}

export interface Accounts {
  /** False if the id is taken. */
  add(account: Account): Promise<boolean>;
  byId(id: string): Promise<Account | undefined>;
  /** The account as changed, undefined if there is none. */
  change(id: string, change: AccountChange): Promise<Account | undefined>;
  list(page: PageQuery): Promise<Page<Account>>;
}

/** `Acme, Inc.` becomes `acme-inc`. Undefined when nothing is left. */
export function accountIdOf(name: string): string | undefined {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const slug = (plain.match(/[a-z0-9]+/g) ?? []).join('-').slice(0, 63).replace(/-$/, '');
  return slug || undefined;
}

/** Creates a tenant. Its id comes from its name, so that a second account of the same name is refused. */
export async function createAccount(accounts: Accounts, stated: NewAccount, now: number): Promise<Account> {
  const id = accountIdOf(stated.name);
  if (!id) throw new Refusal(400, 'invalid-input', 'name: needs at least one letter a to z or digit.');
  const account: Account = { ...stated, id, active: true, createdAt: isoTime(now) };
  if (await accounts.add(account)) return account;
  throw new Refusal(409, 'account-exists', `There is an account ${id} already.`);
}

export async function accountById(accounts: Pick<Accounts, 'byId'>, id: string): Promise<Account> {
  return (await accounts.byId(id)) ?? missing();
}

export async function changeAccount(accounts: Accounts, id: string, change: AccountChange): Promise<Account> {
  return (await accounts.change(id, change)) ?? missing();
}

function missing(): never {
  throw new Refusal(404, 'not-found', 'There is no such account.');
}

/** The account as the management API shows it. */
export const presentAccount = (account: Account) => ({
  id: account.id,
  name: account.name,
  plan: account.plan,
  billingCurrency: account.billingCurrency,
  organization: account.organization,
  email: account.email,
  firstName: account.firstName,
  lastName: account.lastName,
  phoneNumber: account.phoneNumber,
  active: account.active,
  createdAt: account.createdAt,
});
