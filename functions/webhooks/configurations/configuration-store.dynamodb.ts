import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { getItem, type Item, type Key, listItems, marshalled, type Table, transact } from '#shared/table.dynamodb';
import { CONFIGURATION, CONFIGURATION_NAME, CONFIGURATIONS } from '../table-keys.ts';
import type { Configuration, Configurations } from './configuration.ts';
import { type Condition, revisionOf, unchangedSince } from './revisions.dynamodb.ts';

const listOf = (tenant: string) => `${CONFIGURATIONS}${tenant}`;
export const configurationKey = (tenant: string, id: string): Key => ({
  pk: `${CONFIGURATION}${tenant}#${id}`,
  sk: 'CONFIGURATION',
});
/** Holds a name for one configuration. */
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

export const configurationStore = (table: Table): Configurations => {
  const put = (configuration: Configuration, seen: number | undefined): TransactWriteItem => ({
    Put: {
      TableName: table.name,
      Item: marshalled({
        ...configurationKey(configuration.tenant, configuration.id),
        ...configuration,
        revision: (seen ?? 0) + 1,
        list: listOf(configuration.tenant),
        position: `${configuration.createdAt}#${configuration.id}`,
      }),
      ...unchangedSince(seen),
    },
  });
  const remove = (key: Key, condition: Condition): TransactWriteItem => ({
    Delete: { TableName: table.name, Key: marshalled(key), ...condition },
  });
  const takeName = ({ tenant, name, id }: Configuration): TransactWriteItem => ({
    Put: {
      TableName: table.name,
      Item: marshalled({ ...nameKey(tenant, name), configuration: id }),
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  });
  const giveNameBack = ({ tenant, name, id }: Configuration): TransactWriteItem =>
    remove(nameKey(tenant, name), {
      ConditionExpression: 'configuration = :id',
      ExpressionAttributeValues: marshalled({ ':id': id }),
    });

  const read = async (tenant: string, id: string) => {
    const item = await getItem(table, configurationKey(tenant, id));
    return item && { stored: configurationIn(item), revision: revisionOf(item) };
  };

  return {
    async add(configuration) {
      const outcome = await transact(table, [put(configuration, undefined), takeName(configuration)]);
      if (outcome.done) return 'added';
      if (outcome.refused[1]) return 'name-taken';
      throw new Error(`There is a configuration ${configuration.id} already.`);
    },

    async byId(tenant, id) {
      return (await read(tenant, id))?.stored;
    },

    async change(tenant, id, edit) {
      for (;;) {
        const found = await read(tenant, id);
        if (!found) return 'missing';
        const { stored, revision } = found;
        const changed = edit(stored);
        const renaming = changed.name === stored.name ? [] : [takeName(changed), giveNameBack(stored)];
        const outcome = await transact(table, [put(changed, revision), ...renaming]);
        if (outcome.done) return changed;
        const [notAsSeen, nameTaken] = outcome.refused;
        if (notAsSeen) continue;
        if (nameTaken) return 'name-taken';
        throw new Error(`The name of ${id} is not held for it.`);
      }
    },

    async remove(tenant, id) {
      for (;;) {
        const found = await read(tenant, id);
        if (!found) return false;
        const outcome = await transact(table, [
          remove(configurationKey(tenant, id), unchangedSince(found.revision)),
          giveNameBack(found.stored),
        ]);
        if (outcome.done) return true;
        if (!outcome.refused[0]) throw new Error(`The name of ${id} is not held for it.`);
      }
    },

    async list(tenant, page) {
      const { items, ...rest } = await listItems(table, listOf(tenant), page);
      return { ...rest, items: items.map(configurationIn) };
    },
  };
};
