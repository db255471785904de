import type { Erasure } from '#shared/erasures/erasure';
import type { TenantKey } from '#shared/ids';
import { presentErasure, requireErasure } from '../erasure/erasure-state.ts';
import { isErased, presentAccount, type StoredAccount } from './account.ts';

/** An account as the management API shows it: of one that was erased what is left, and the state of its erasure. */
export const presentStored =
  (erasureOf: (key: TenantKey) => Promise<Erasure | undefined>) => async (account: StoredAccount) => {
    if (!isErased(account)) return presentAccount(account);
    const { id, active, createdAt, suspendedAt } = account;
    const erasure = requireErasure(await erasureOf({ tenant: id, id: account.erasure }));
    return { id, active, createdAt, suspendedAt, erasure: presentErasure(erasure) };
  };
