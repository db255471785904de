import * as z from 'zod';
import { noSuch, Refusal } from '#shared/errors';
import { EmailAddress } from '#shared/formats/email-address';
import { isoTime } from '#shared/formats/timestamp';
import { faultOf } from '#shared/http/invalid-input';
import type { Page, PageQuery } from '#shared/http/page';

const line = (max: number) => z.string().trim().min(1).max(max);
const emptyOrLine = (max: number) => z.string().trim().max(max);

export const PlanName = z.enum(['free', 'starter', 'growth', 'scale']).meta({ id: 'PlanName' });
export const BillingCurrency = z.enum(['USD', 'EUR', 'GBP']).meta({ id: 'BillingCurrency' });
const ApiIntegration = z.boolean().describe('False: no webhooks are made, and those that wait are paused.');

const ORIGINS_MAX = 20;
const AllowedOrigins = z
  .array(z.string().max(300).refine(isOrigin, 'must be an origin such as https://shop.example.com'))
  .max(ORIGINS_MAX)
  .refine((origins) => new Set(origins).size === origins.length, 'names an origin twice')
  .describe('Scripts of these origins may read answers of `/v1`, `/v3` and `/api/v1` to credentials of the account.');

/** True of an origin as browsers state it: without path, and without the port that its scheme implies. */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, origin } = new URL(text);
  return origin === text && (protocol === 'https:' || protocol === 'http:');
}

/** A tenant as an operator states it. */
export const NewAccount = z
  .strictObject({
    name: line(100).describe('The id is made from it.'),
    plan: PlanName.default('free'),
    billingCurrency: BillingCurrency.default('USD'),
    organization: emptyOrLine(200).default(''),
    email: z.union([EmailAddress, z.literal('')]).default(''),
    firstName: emptyOrLine(100).default(''),
    lastName: emptyOrLine(100).default(''),
    phoneNumber: emptyOrLine(40).default(''),
    apiIntegration: ApiIntegration.default(true),
    allowedOrigins: AllowedOrigins.default([]),
  })
  .meta({ id: 'NewAccount' });
export type NewAccount = z.output<typeof NewAccount>;

/** The fields that may change later: all but the name, because the id comes from it. */
export const AccountChange = z
  .strictObject({
    organization: emptyOrLine(200),
    email: EmailAddress,
    firstName: emptyOrLine(100),
    lastName: emptyOrLine(100),
    phoneNumber: emptyOrLine(40),
    billingCurrency: BillingCurrency,
    active: z.boolean().describe('False suspends the account, true resumes it.'),
    apiIntegration: ApiIntegration,
    allowedOrigins: AllowedOrigins,
  })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'Name at least one field to change.')
  .meta({ id: 'AccountChange' });
export type AccountChange = z.output<typeof AccountChange>;

export interface Account extends NewAccount {
  readonly id: string;
  readonly active: boolean;
  readonly createdAt: string;
  /** The time of the suspension. */
  readonly suspendedAt?: string | undefined;
  /** The currency in which something is billed; absent while nothing is. */
  readonly billedIn?: Account['billingCurrency'] | undefined;
  /** The time when its webhooks last resumed after a pause. */
  readonly deliveriesResumedAt?: string | undefined;
}

/** The tombstone of an erased account. It stays, so that its id is never given again. */
export interface ErasedAccount extends Pick<Account, 'id' | 'createdAt'> {
  /** Its credentials stay refused. */
  readonly active: false;
  readonly suspendedAt: string;
  /** The id of the erasure. */
  readonly erasure: string;
}
export type StoredAccount = Account | ErasedAccount;

export const isErased = (account: StoredAccount): account is ErasedAccount => 'erasure' in account;

/** The switches that decide whether credentials are accepted and webhooks are sent. */
type Standing = Pick<Account, 'active' | 'apiIntegration'>;

/** The fields to set; those that are undefined are removed. */
type StoredChange = Partial<Account>;

export interface Accounts {
  /** False if the id is taken. */
  add(account: Account): Promise<boolean>;
  byId(id: string): Promise<StoredAccount | undefined>;
  /** The account as changed; undefined if it was erased, or its standing is no longer the one that was seen. */
  change(id: string, change: StoredChange, seen: Standing): Promise<Account | undefined>;
  list(page: PageQuery): Promise<Page<StoredAccount>>;
}

/** `Acme, Inc.` becomes `acme-inc`. Undefined when nothing is left. */
export function accountIdOf(name: string): string | undefined {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const slug = (plain.match(/[a-z0-9]+/g) ?? []).join('-').slice(0, 63).replace(/-$/, '');
  return slug || undefined;
}

/** Creates a tenant. Its id comes from its name, so that a second account of the same name is refused. */
export async function createAccount(accounts: Accounts, input: NewAccount, now: number): Promise<Account> {
  const id = requireId(input.name);
  const account: Account = { ...input, id, active: true, createdAt: isoTime(now) };
  if (await accounts.add(account)) return account;
  throw accountExists(id);
}

export function requireId(name: string): string {
  return accountIdOf(name) ?? refuse(faultOf('name', 'needs at least one letter a to z or digit'));
}

function refuse(refusal: Refusal): never {
  throw refusal;
}

export const accountExists = (id: string) =>
  faultOf('name', `An account with the id ${id} already exists.`, { status: 409, code: 'account-exists' });

/** The account, or what is left of it. */
export async function storedAccount(accounts: Pick<Accounts, 'byId'>, id: string): Promise<StoredAccount> {
  return (await accounts.byId(id)) ?? noSuch('account');
}

/** The account, if it was not erased. */
export async function accountById(accounts: Pick<Accounts, 'byId'>, id: string): Promise<Account> {
  const account = await storedAccount(accounts, id);
  if (!isErased(account)) return account;
  throw new Refusal(409, 'account-erased', 'The account was erased. Its id can never be used again.');
}

/** The most changes of the same account that may come first. */
const TRIES_MAX = 10;

/** Changes the fields that are named. A suspended account keeps the time of its first suspension until it is resumed. */
export async function changeAccount(
  accounts: Accounts,
  id: string,
  change: AccountChange,
  now: number,
): Promise<Account> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const seen = await accountById(accounts, id);
    requireFreeCurrency(seen, change);
    const changed = await accounts.change(id, withTimes(seen, change, now), seen);
    if (changed) return changed;
  }
  throw new Error(`The account ${id} changes faster than it can be written.`);
}

export function requireFreeCurrency({ billedIn }: Account, { billingCurrency }: AccountChange): void {
  if (billingCurrency === undefined || billedIn === undefined || billedIn === billingCurrency) return;
  throw faultOf(
    'billingCurrency',
    `The plan is billed in ${billedIn}. Change to Free first, and change the currency once Free is active.`,
    { status: 409, code: 'currency-in-use' },
  );
}

const delivers = ({ active, apiIntegration }: Standing) => active && apiIntegration;

/** The change, with the times that follow from it. */
function withTimes(seen: Account, change: AccountChange, now: number): StoredChange {
  const next = { ...seen, ...change };
  const at = isoTime(now);
  return {
    ...change,
    ...(seen.active !== next.active && { suspendedAt: next.active ? undefined : at }),
    ...(!delivers(seen) && delivers(next) && { deliveriesResumedAt: at }),
  };
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
  apiIntegration: account.apiIntegration,
  allowedOrigins: account.allowedOrigins,
  createdAt: account.createdAt,
  ...(account.suspendedAt !== undefined && { suspendedAt: account.suspendedAt }),
  ...(account.billedIn !== undefined && { billedIn: account.billedIn }),
});
