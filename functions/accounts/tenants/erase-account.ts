import type { ManagementCaller } from '#shared/auth/management-caller';
import type { Erasure, OpenAccountErasure } from '#shared/erasures/erasure';
import { Refusal } from '#shared/errors';
import { isoTime } from '#shared/formats/timestamp';
import type { TenantKey } from '#shared/ids';
import { requireErasure } from '../erasure/erasure-state.ts';
import { type Account, type Accounts, type ErasedAccount, isErased, storedAccount } from './account.ts';

/** The time for which an account must have been suspended: by then mistakes are noticed, and calls in progress have ended. */
const SUSPENDED_MILLIS = 24 * 60 * 60_000;

export interface AccountErasures {
  readonly accounts: Pick<Accounts, 'byId'>;
  readonly erasure: (key: TenantKey) => Promise<Erasure | undefined>;
  /** Leaves nothing of the account but `rest`, and opens its erasure. False if it is no longer as it was read. */
  readonly open: (rest: ErasedAccount, erasure: OpenAccountErasure) => Promise<boolean>;
}

interface Request {
  readonly caller: Pick<ManagementCaller, 'tenant'>;
  /** The account. */
  readonly id: string;
  /** Names a new erasure. */
  readonly erasure: string;
  readonly now: number;
}

/** The most changes of the same account that may come first. */
const TRIES_MAX = 10;

/** Opens the erasure of a suspended account; the same one again if it is open or complete already. */
export async function eraseAccount(
  { accounts, erasure: erasureOf, open }: AccountErasures,
  { caller, id, erasure, now }: Request,
): Promise<Erasure> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const account = await storedAccount(accounts, id);
    if (isErased(account)) return requireErasure(await erasureOf({ tenant: id, id: account.erasure }));
    const suspendedAt = requireErasable(account, caller, now);
    const opened: OpenAccountErasure = {
      subject: 'account',
      tenant: id,
      id: erasure,
      requestedAt: isoTime(now),
      erasedAt: {},
    };
    if (await open({ id, active: false, createdAt: account.createdAt, suspendedAt, erasure }, opened)) return opened;
  }
  throw new Error(`The account ${id} changes faster than it can be erased.`);
}

/** Returns since when the account has been suspended. */
function requireErasable(
  { id, active, suspendedAt, billedIn }: Account,
  { tenant }: Pick<ManagementCaller, 'tenant'>,
  now: number,
): string {
  if (tenant === id) throw conflict('own-account', 'You cannot erase the account that you belong to.');
  if (active || suspendedAt === undefined) {
    throw conflict('account-active', 'Only a suspended account can be erased. Suspend it and wait 24 hours.');
  }
  const erasableAt = Date.parse(suspendedAt) + SUSPENDED_MILLIS;
  if (now < erasableAt) {
    throw conflict(
      'account-suspended-recently',
      `The account can be erased from ${isoTime(erasableAt)}, 24 hours after it was suspended.`,
    );
  }
  if (billedIn === undefined) return suspendedAt;
  throw conflict(
    'account-billed',
    'The account has a paid plan. Change to Free, and erase the account once Free is active and the last invoice is issued.',
  );
}

const conflict = (code: string, detail: string) => new Refusal(409, code, detail);
