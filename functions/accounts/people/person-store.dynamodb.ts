import { DeleteItemCommand, type TransactWriteItem, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { ADMINS, PEOPLE } from '#shared/auth/person';
import { PersonItem, personKey } from '#shared/auth/person-items.dynamodb';
import { isoTime } from '#shared/formats/timestamp';
import { getItem, listItems, marshalled, type Table, transact, whenAllowed } from '#shared/table/table.dynamodb';
import type { People, Person } from './person.ts';

const isAdmin = ({ active, role }: Person) => active && role === 'admin';

/** The place in the list of the tenant. Operators are in no list: no tenant may see them. */
const listing = ({ tenant, role, createdAt, id }: Person) =>
  role === 'operator' ? {} : { list: `${PEOPLE}${tenant}`, position: `${createdAt}#${id}` };

/** @param table of the accounts */
export const personStore = (table: Table): People => ({
  async add(person) {
    const item = {
      ...personKey(person.id),
      ...person,
      ...listing(person),
    };
    const put = { TableName: table.name, Item: marshalled(item), ConditionExpression: 'attribute_not_exists(pk)' };
    return (await transact(table, [{ Put: put }, ...adminWrites(table, undefined, person)])).done;
  },

  async byId(id) {
    const item = await getItem(table, personKey(id));
    return item && PersonItem.parse(item);
  },

  async list(tenant, page) {
    const { items, ...rest } = await listItems(table, `${PEOPLE}${tenant}`, page);
    return { ...rest, items: items.map((item) => PersonItem.parse(item)) };
  },

  async replace(read, person) {
    const transacted = await transact(table, [replacement(table, read, person), ...adminWrites(table, read, person)]);
    if (transacted.done) return 'done';
    return transacted.refused[0] ? 'changed' : 'last-admin';
  },

  async endSessions(id, now) {
    await whenAllowed(
      table.client.send(
        new UpdateItemCommand({
          TableName: table.name,
          Key: marshalled(personKey(id)),
          ConditionExpression: 'attribute_exists(pk)',
          UpdateExpression: 'SET signedOutAt = :now',
          ExpressionAttributeValues: marshalled({ ':now': isoTime(now) }),
        }),
      ),
    );
  },

  async remove(id) {
    const remove = new DeleteItemCommand({
      TableName: table.name,
      Key: marshalled(personKey(id)),
      ConditionExpression: 'attribute_not_exists(pk) OR active = :false',
      ExpressionAttributeValues: marshalled({ ':false': false }),
    });
    return (await whenAllowed(table.client.send(remove))).done;
  },
});

function replacement({ name: TableName }: Table, read: Person, person: Person): TransactWriteItem {
  // A value that was only read must not undo a sign-out that was made meanwhile.
  const endsSessions = person.signedOutAt !== read.signedOutAt;
  return {
    Update: {
      TableName,
      Key: marshalled(personKey(read.id)),
      ConditionExpression: '#role = :roleRead AND active = :activeRead AND createdAt = :createdAt',
      UpdateExpression: `SET #name = :name, #role = :role, active = :active${endsSessions ? ', signedOutAt = :signedOutAt' : ''}`,
      ExpressionAttributeNames: { '#role': 'role', '#name': 'name' },
      ExpressionAttributeValues: marshalled({
        ':roleRead': read.role,
        ':activeRead': read.active,
        ':createdAt': read.createdAt,
        ':name': person.name,
        ':role': person.role,
        ':active': person.active,
        ':signedOutAt': endsSessions ? person.signedOutAt : undefined,
      }),
    },
  };
}

/**
 * The writes that keep the names of the active admins. All changes of a tenant's admins meet at this item, so of two
 * admins who demote each other at the same time one is refused.
 */
function adminWrites({ name: TableName }: Table, read: Person | undefined, person: Person): TransactWriteItem[] {
  const [was, is] = [read !== undefined && isAdmin(read), isAdmin(person)];
  if (was === is) return [];
  const key = marshalled({ pk: `${ADMINS}${person.tenant}`, sk: 'ADMINS' });
  const names = { ':names': { SS: [person.id] } };
  if (is) {
    return [
      {
        Update: { TableName, Key: key, UpdateExpression: 'ADD admins :names', ExpressionAttributeValues: names },
      },
    ];
  }
  return [
    {
      Update: {
        TableName,
        Key: key,
        ConditionExpression: 'size(admins) > :one',
        UpdateExpression: 'DELETE admins :names',
        ExpressionAttributeValues: { ...names, ':one': { N: '1' } },
      },
    },
  ];
}
