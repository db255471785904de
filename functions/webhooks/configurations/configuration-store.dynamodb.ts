import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type { TenantKey } from '#shared/ids';
import { type Condition, revisionOf, unchangedSince } from '#shared/revisions.dynamodb';
import { getItem, type Item, type Key, listItems, marshalled, type Table, transact } from '#shared/table.dynamodb';
import { CONFIGURATION, CONFIGURATION_NAME, CONFIGURATIONS } from '../table-keys.ts';
import type { Configuration, Configurations } from './configuration.ts';

const listOf = (tenant: string) => `${CONFIGURATIONS}${tenant}`;
export const configurationKey = ({ tenant, id }: TenantKey): Key => ({
  pk: `${CONFIGURATION}${tenant}#${id}`,
  sk: 'CONFIGURATION',
});
/** Reserves a name for one configuration. */
const nameKey = (tenant: string, name: string): Key => ({
  pk: `${CONFIGURATION_NAME}${tenant}#${name}`,
  sk: 'CONFIGURATION_NAME',
});

const ConfigurationItem = z.object({
  id: z.string(),
  tenant: z.string(),
  name: z.string(),
  targetUrl: z.string(),
  retryIntervalSeconds: z.number(),
  retryTimeoutSeconds: z.number(),
  maxAttempts: z.number(),
  description: z.string(),
  authentication: z.discriminatedUnion('type', [
    z.object({ type: z.literal('none') }),
    z.object({ type: z.literal('apiKey'), headerName: z.string(), secret: z.string() }),
    z.object({ type: z.literal('bearer'), secret: z.string() }),
    z.object({ type: z.literal('basic'), username: z.string(), secret: z.string() }),
  ]),
  createdAt: z.string(),
  updatedAt: z.string(),
});
const configurationIn = (item: Item): Configuration => ConfigurationItem.parse(item);

export const configurationStore = (table: Table): Configurations => ({
  add: (configuration) => add(table, configuration),
  byId: async (key) => (await read(table, key))?.stored,
  change: (key, edit) => change(table, key, edit),
  remove: (key) => remove(table, key),
  list: async (tenant, page) => {
    const { items, ...rest } = await listItems(table, listOf(tenant), page);
    return { ...rest, items: items.map(configurationIn) };
  },
});

async function add(table: Table, configuration: Configuration): Promise<'added' | 'name-taken'> {
  const outcome = await transact(table, [saving(table, configuration, undefined), takingName(table, configuration)]);
  if (outcome.done) return 'added';
  if (outcome.refused[1]) return 'name-taken';
  throw new Error(`There is a configuration ${configuration.id} already.`);
}

async function read(table: Table, key: TenantKey) {
  const item = await getItem(table, configurationKey(key));
  return item && { stored: configurationIn(item), revision: revisionOf(item) };
}

async function change(
  table: Table,
  key: TenantKey,
  edit: (stored: Configuration) => Configuration,
): ReturnType<Configurations['change']> {
  for (;;) {
    const found = await read(table, key);
    if (!found) return 'missing';
    const { stored, revision } = found;
    const changed = edit(stored);
    const renaming = changed.name === stored.name ? [] : [takingName(table, changed), givingNameBack(table, stored)];
    const outcome = await transact(table, [saving(table, changed, revision), ...renaming]);
    if (outcome.done) return changed;
    const [notAsSeen, nameTaken] = outcome.refused;
    if (notAsSeen) continue;
    if (nameTaken) return 'name-taken';
    throw new Error(`The name of ${key.id} is not reserved for it.`);
  }
}

async function remove(table: Table, key: TenantKey): Promise<boolean> {
  for (;;) {
    const found = await read(table, key);
    if (!found) return false;
    const outcome = await transact(table, [
      removing(table, configurationKey(key), unchangedSince(found.revision)),
      givingNameBack(table, found.stored),
    ]);
    if (outcome.done) return true;
    if (!outcome.refused[0]) throw new Error(`The name of ${key.id} is not reserved for it.`);
  }
}

/** @param seen the revision that is replaced; undefined for a new configuration. */
const saving = (table: Table, configuration: Configuration, seen: number | undefined): TransactWriteItem => ({
  Put: {
    TableName: table.name,
    Item: marshalled({
      ...configurationKey(configuration),
      ...configuration,
      revision: (seen ?? 0) + 1,
      list: listOf(configuration.tenant),
      position: `${configuration.createdAt}#${configuration.id}`,
    }),
    ...unchangedSince(seen),
  },
});

const removing = (table: Table, key: Key, condition: Condition): TransactWriteItem => ({
  Delete: { TableName: table.name, Key: marshalled(key), ...condition },
});

const takingName = (table: Table, { tenant, name, id }: Configuration): TransactWriteItem => ({
  Put: {
    TableName: table.name,
    Item: marshalled({ ...nameKey(tenant, name), configuration: id }),
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

const givingNameBack = (table: Table, { tenant, name, id }: Configuration): TransactWriteItem =>
  removing(table, nameKey(tenant, name), {
    ConditionExpression: 'configuration = :id',
    ExpressionAttributeValues: marshalled({ ':id': id }),
  });
