import { describe, expect, it } from 'vitest';
import { type AccountStatus, cachedStatus, UNRESTRICTED } from '../../../shared/auth/account-status.ts';

const SUSPENDED: AccountStatus = { active: false, apiIntegration: true };
const at = (seconds: number) => seconds * 1_000;

/** Statuses by tenant, as the table holds them; reading fails while it is down. */
function table() {
  const state = { statuses: new Map<string, AccountStatus>(), isDown: false, reads: 0 };
  const read = async (tenant: string) => {
    state.reads += 1;
    if (state.isDown) throw new Error('The table is down.');
    return state.statuses.get(tenant) ?? UNRESTRICTED;
  };
  return { state, read };
}

describe('the status of an account', () => {
  it('is read once in half a minute, so that with any cache of a credential a change takes less than a minute', async () => {
    const { state, read } = table();
    const statusOf = cachedStatus(read);
    expect(await statusOf('acme', at(0))).toEqual(UNRESTRICTED);
    state.statuses.set('acme', SUSPENDED);
    expect(await statusOf('acme', at(29))).toEqual(UNRESTRICTED);
    expect(state.reads).toBe(1);
    expect(await statusOf('acme', at(30))).toEqual(SUSPENDED);
    expect(await statusOf('other', at(30))).toEqual(UNRESTRICTED);
  });

  it('stays what it was while it cannot be read', async () => {
    const { state, read } = table();
    const statusOf = cachedStatus(read, { whenUnreadable: UNRESTRICTED });
    state.statuses.set('acme', SUSPENDED);
    await statusOf('acme', at(0));
    state.isDown = true;
    expect(await statusOf('acme', at(31))).toEqual(SUSPENDED);
    expect(state.reads).toBe(2);
    state.isDown = false;
    state.statuses.delete('acme');
    expect(await statusOf('acme', at(62))).toEqual(UNRESTRICTED);
  });

  it('that was never read and cannot be read now is an error, unless a default is given', async () => {
    const { state, read } = table();
    state.isDown = true;
    await expect(cachedStatus(read)('acme', at(0))).rejects.toThrow('The table is down.');
    const open = cachedStatus(read, { whenUnreadable: UNRESTRICTED });
    expect(await open('acme', at(0))).toEqual(UNRESTRICTED);
    await open('acme', at(1));
    expect(state.reads).toBe(2);
  });
});
