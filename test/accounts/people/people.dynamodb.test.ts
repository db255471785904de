import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  changePerson,
  invitePerson,
  type PeopleParts,
  type Person,
  personById,
  removePerson,
  resetPerson,
  type SignIns,
  signOutPerson,
} from '../../../functions/accounts/people/person.ts';
import { personStore } from '../../../functions/accounts/people/person-store.dynamodb.ts';
import { knownPeople } from '../../../shared/auth/person-items.dynamodb.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createTable(endpoint, 'people');
});
afterAll(() => endpoint.close());

const at = (second: number) => Date.UTC(2026, 0, 1, 0, 0, second);

/** The users of a pool: their tenants, and what was asked of them. */
function poolOf(users: Map<string, string> = new Map()) {
  const calls: string[] = [];
  const signIns: SignIns = {
    async create({ id, tenant }) {
      if (!users.has(id)) users.set(id, tenant);
      return users.get(id) === tenant;
    },
    reset: async (id) => void calls.push(`reset ${id}`),
    setEnabled: async (id, isEnabled) => void calls.push(`${isEnabled ? 'enable' : 'disable'} ${id}`),
    signOut: async (id) => void calls.push(`sign out ${id}`),
    remove: async (id) => void users.delete(id),
  };
  return { signIns, users, calls };
}

let tenants = 0;
/** A tenant with two admins, Ada and Ben, and a pool of its own. */
async function tenantOfTwo() {
  tenants += 1;
  const tenant = `tenant-${tenants}`;
  const pool = poolOf();
  const parts: PeopleParts = { people: personStore(table), signIns: pool.signIns, newPassword: () => 'secret' };
  const invite = (name: string, role: 'admin' | 'reviewer' | 'viewer' = 'admin', second = 1) =>
    invitePerson(parts, { name, email: `${name}@${tenant}.example`, role }, { tenant, now: at(second) });
  await invite('ada', 'admin', 1);
  await invite('ben', 'admin', 2);
  const key = (name: string) => ({ tenant, id: `${name}@${tenant}.example` });
  const change = (name: string, changes: Parameters<typeof changePerson>[2], second = 9) =>
    changePerson(parts, key(name), changes, at(second));
  return { tenant, pool, parts, invite, key, change };
}

const LAST = { status: 409, code: 'last-admin' };

describe('people of a tenant', () => {
  it('are listed newest first, and nobody of another tenant is', async () => {
    const { tenant, parts, invite } = await tenantOfTwo();
    await tenantOfTwo();
    await invite('cleo', 'viewer', 3);
    const first = await parts.people.list(tenant, { limit: 2 });
    expect(first.items.map(({ name, role }) => [name, role])).toEqual([
      ['cleo', 'viewer'],
      ['ben', 'admin'],
    ]);
    const rest = await parts.people.list(tenant, { limit: 2, cursor: first.nextCursor });
    expect(rest.items.map(({ name }) => name)).toEqual(['ada']);
  });

  it('are invited once, also where the address already signs in for another tenant', async () => {
    const one = await tenantOfTwo();
    await expect(one.invite('ada')).rejects.toMatchObject({ status: 409, code: 'person-exists' });
    one.pool.users.set(`eve@${one.tenant}.example`, 'elsewhere');
    await expect(one.invite('eve')).rejects.toMatchObject({ status: 409, code: 'person-exists' });
    expect(await one.parts.people.byId(`eve@${one.tenant}.example`)).toBeUndefined();
  });

  it('are invited after an interrupted invitation has made the user, once when two admins do it at the same time', async () => {
    const { tenant, pool, invite, parts } = await tenantOfTwo();
    pool.users.set(`cleo@${tenant}.example`, tenant);
    const outcomes = await Promise.allSettled([invite('cleo'), invite('cleo')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await parts.people.byId(`cleo@${tenant}.example`)).toMatchObject({ role: 'admin' });
  });

  it('are seen by their own tenant alone, and operators by none', async () => {
    const { tenant, parts, key } = await tenantOfTwo();
    await expect(personById(parts, { ...key('ada'), tenant: 'other' })).rejects.toMatchObject({ status: 404 });
    const operator: Person = {
      id: `olga@${tenant}.example`,
      name: 'Olga',
      tenant,
      role: 'operator',
      active: true,
      createdAt: '2026-01-01T00:00:00.000Z',
    };
    await parts.people.add(operator);
    await expect(personById(parts, key('olga'))).rejects.toMatchObject({ status: 404 });
    await expect(resetPerson(parts, key('olga'), at(3))).rejects.toMatchObject({ status: 404 });
    await expect(removePerson(parts, key('olga'))).rejects.toMatchObject({ status: 404 });
    expect((await parts.people.list(tenant, { limit: 10 })).items.map(({ name }) => name)).toEqual(['ben', 'ada']);
  });

  it('are disabled and enabled in the pool, and sessions from before stay ended', async () => {
    const { change, pool, key, parts } = await tenantOfTwo();
    expect(await change('ben', { active: false }, 9)).toMatchObject({ active: false });
    expect(pool.calls.slice(-2)).toEqual([`disable ${key('ben').id}`, `sign out ${key('ben').id}`]);
    expect(await change('ben', { active: true }, 10)).toMatchObject({ active: true, role: 'admin' });
    expect(pool.calls.at(-1)).toBe(`enable ${key('ben').id}`);
    expect(await knownPeople(table).byId(key('ben').id)).toMatchObject({ signedOutAt: new Date(at(9)).toISOString() });
    await signOutPerson(parts, key('ben'), at(11));
    expect(await knownPeople(table).byId(key('ben').id)).toMatchObject({ signedOutAt: new Date(at(11)).toISOString() });
  });

  it('have their last request noted by one of many that saw the same one, and by none once they are gone', async () => {
    const { key, parts } = await tenantOfTwo();
    const { id } = key('ada');
    const lookups = knownPeople(table);
    await Promise.all([20, 21, 22].map((second) => lookups.recordRequest(id, {}, at(second))));
    const seen = (await lookups.byId(id))?.lastSeenAt;
    expect([20, 21, 22].map((second) => new Date(at(second)).toISOString())).toContain(seen);
    await lookups.recordRequest(id, {}, at(40));
    expect((await lookups.byId(id))?.lastSeenAt).toBe(seen);
    await removePerson(parts, key('ada'));
    await lookups.recordRequest(id, { lastSeenAt: seen }, at(50));
    expect(await lookups.byId(id)).toBeUndefined();
  });
});

describe('the last active admin of a tenant', () => {
  it('cannot be disabled, demoted or deleted', async () => {
    const { change, key, parts, pool, invite } = await tenantOfTwo();
    await invite('cleo', 'reviewer');
    await change('ben', { role: 'viewer' });
    for (const changes of [{ active: false }, { role: 'reviewer' as const }]) {
      await expect(change('ada', changes)).rejects.toMatchObject(LAST);
    }
    await expect(removePerson(parts, key('ada'))).rejects.toMatchObject(LAST);
    expect(pool.users.has(key('ada').id)).toBe(true);
    expect(await change('ada', { name: 'Ada L.' })).toMatchObject({ name: 'Ada L.', role: 'admin', active: true });
    await change('cleo', { role: 'admin' });
    expect(await change('ada', { active: false })).toMatchObject({ active: false });
    await expect(change('cleo', { active: false })).rejects.toMatchObject(LAST);
  });

  it('is still there after two admins have demoted each other at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { tenant, change, parts } = await tenantOfTwo();
      const outcomes = await Promise.allSettled([change('ada', { role: 'viewer' }), change('ben', { active: false })]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const { items } = await parts.people.list(tenant, { limit: 10 });
      expect(items.filter(({ role, active }) => role === 'admin' && active)).toHaveLength(1);
    }
  });

  it('is not counted twice when the same change is made twice', async () => {
    const { change, key, parts, invite } = await tenantOfTwo();
    await change('ben', { role: 'viewer' });
    await change('ben', { role: 'viewer' });
    await change('ben', { role: 'admin' });
    await change('ben', { role: 'admin' });
    await removePerson(parts, key('ben'));
    await expect(removePerson(parts, key('ben'))).rejects.toMatchObject({ status: 404 });
    await expect(change('ada', { role: 'viewer' })).rejects.toMatchObject(LAST);
    await invite('dora');
    expect(await change('ada', { role: 'viewer' })).toMatchObject({ role: 'viewer' });
  });
});

describe('a change of a person', () => {
  it('gives way to another one that was made since the person was read', async () => {
    const { parts, key } = await tenantOfTwo();
    const read = await personById(parts, key('ben'));
    expect(await parts.people.replace(read, { ...read, role: 'reviewer' })).toBe('done');
    expect(await parts.people.replace(read, { ...read, role: 'viewer' })).toBe('changed');
  });

  it('does not undo a sign-out that was made since the person was read', async () => {
    const { parts, key } = await tenantOfTwo();
    await signOutPerson(parts, key('ben'), at(5));
    const read = await personById(parts, key('ben'));
    await signOutPerson(parts, key('ben'), at(6));
    expect(await parts.people.replace(read, { ...read, name: 'Benjamin' })).toBe('done');
    expect(await personById(parts, key('ben'))).toMatchObject({
      name: 'Benjamin',
      signedOutAt: new Date(at(6)).toISOString(),
    });
  });

  it('ends the sessions of nobody whom it does not disable', async () => {
    const { change, key } = await tenantOfTwo();
    await change('ben', { active: false }, 9);
    await change('ben', { name: 'Benjamin' }, 10);
    expect(await knownPeople(table).byId(key('ben').id)).toMatchObject({ signedOutAt: new Date(at(9)).toISOString() });
  });

  it('keeps a person who was enabled again while a deletion was under way', async () => {
    const { parts, key } = await tenantOfTwo();
    expect(await parts.people.remove(key('ben').id)).toBe(false);
    const pool = {
      ...parts.signIns,
      remove: async () => void (await changePerson(parts, key('ben'), { active: true }, at(9))),
    };
    await expect(removePerson({ ...parts, signIns: pool }, key('ben'))).rejects.toMatchObject({
      status: 409,
      code: 'changed-meanwhile',
    });
    expect(await personById(parts, key('ben'))).toMatchObject({ active: true });
  });
});
