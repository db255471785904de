import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { ADMINS, PEOPLE } from '#shared/auth/person';
import { PersonItem, personKey } from '#shared/auth/person-items.dynamodb';
import { isoTime } from '#shared/formats/timestamp';
import { listPage, readItem, type Table, transact } from '#shared/table/table.dynamodb';
import { deleteItem, EXISTS, IS_NEW, putWrite, updateItem, updateWrite } from '#shared/table/writes.dynamodb';
import type { People, Person } from './person.ts';

const isAdmin = ({ active, role }: Person) => active && role === 'admin';

/** The place in the list of the tenant. Operators are in no list: no tenant may see them. */
const listing = ({ tenant, role, createdAt, id }: Person) =>
  role === 'operator' ? {} : { list: `${PEOPLE}${tenant}`, position: `${createdAt}#${id}` };

/** @param table of the accounts */
export const personStore = (table: Table): People => ({
  async add(person) {
    const put = putWrite(table.name, { ...personKey(person.id), ...person, ...listing(person) }, IS_NEW);
    return (await transact(table, [put, ...adminWrites(table, undefined, person)])).done;
  },

  byId: (id) => readItem(table, personKey(id), (item) => PersonItem.parse(item)),

  list: (tenant, page) => listPage(table, `${PEOPLE}${tenant}`, page, (item) => PersonItem.parse(item)),

  async replace(read, person) {
    const transacted = await transact(table, [replacement(table, read, person), ...adminWrites(table, read, person)]);
    if (transacted.done) return 'done';
    return transacted.refused[0] ? 'changed' : 'last-admin';
  },

  async endSessions(id, now) {
    await updateItem(table, personKey(id), {
      ...EXISTS,
      change: 'SET signedOutAt = :now',
      values: { now: isoTime(now) },
    });
  },

  async remove(id) {
    const isInactive = { condition: 'attribute_not_exists(pk) OR active = :false', values: { false: false } };
    return (await deleteItem(table, personKey(id), isInactive)).done;
  },
});

function replacement(table: Table, read: Person, person: Person): TransactWriteItem {
  // A value that was only read must not undo a sign-out that was made meanwhile.
  const endsSessions = person.signedOutAt !== read.signedOutAt;
  return updateWrite(table.name, personKey(read.id), {
    condition: '#role = :roleRead AND active = :activeRead AND createdAt = :createdAt',
    change: `SET #name = :name, #role = :role, active = :active${endsSessions ? ', signedOutAt = :signedOutAt' : ''}`,
    values: {
      roleRead: read.role,
      activeRead: read.active,
      createdAt: read.createdAt,
      name: person.name,
      role: person.role,
      active: person.active,
      signedOutAt: endsSessions ? person.signedOutAt : undefined,
    },
  });
}

/**
 * The writes that keep the names of the active admins. All changes of a tenant's admins meet at this item, so of two
 * admins who demote each other at the same time one is refused.
 */
function adminWrites({ name }: Table, read: Person | undefined, person: Person): TransactWriteItem[] {
  const [was, is] = [read !== undefined && isAdmin(read), isAdmin(person)];
  if (was === is) return [];
  const key = { pk: `${ADMINS}${person.tenant}`, sk: 'ADMINS' };
  const ids = new Set([person.id]);
  if (is) return [updateWrite(name, key, { change: 'ADD admins :ids', values: { ids } })];
  const isOneOfMore = { condition: 'size(admins) > :one', values: { ids, one: 1 } };
  return [updateWrite(name, key, { change: 'DELETE admins :ids', ...isOneOfMore })];
}
