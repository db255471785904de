import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type { TenantKey } from '#shared/ids';
import { revisionOf, unchangedSince } from '#shared/table/revisions.dynamodb';
import { getItem, type Item, type Key, listPage, readItem, type Table, transact } from '#shared/table/table.dynamodb';
import { deleteWrite, IS_NEW, putWrite, updateWrite } from '#shared/table/writes.dynamodb';
import { CONFIGURATION, CONFIGURATION_NAME, CONFIGURATION_RULES, CONFIGURATIONS } from '../table-keys.ts';
import type { Configuration, Configurations, Removal } from './configuration.ts';

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

/**
 * The key of the item that counts the rules of a configuration. It is separate because functions that write rules may
 * not write configurations.
 */
const rulesKey = ({ tenant, id }: TenantKey): Key => ({
  pk: `${CONFIGURATION_RULES}${tenant}#${id}`,
  sk: 'CONFIGURATION_RULES',
});
const RulesItem = z.object({ ruleCount: z.number() });

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
  signingSecrets: z.array(z.object({ secret: z.string(), endsAt: z.string().optional() })).optional(),
  enabled: z.boolean().default(true),
  createdAt: z.string(),
  updatedAt: z.string(),
});
const configurationIn = (item: Item): Configuration => ConfigurationItem.parse(item);

export const configurationStore = (table: Table): Configurations => ({
  add: (configuration) => add(table, configuration),
  byId: async (key) => (await read(table, key))?.stored,
  isNameTaken: async (tenant, name) => (await getItem(table, nameKey(tenant, name))) !== undefined,
  change: (key, edit) => change(table, key, edit),
  remove: (key) => remove(table, key),
  list: (tenant, page) => listPage(table, listOf(tenant), page, configurationIn),
});

async function add(table: Table, configuration: Configuration): Promise<'added' | 'name-taken'> {
  const outcome = await transact(table, [
    putConfiguration(table, configuration, undefined),
    reserveName(table, configuration),
  ]);
  if (outcome.done) return 'added';
  if (outcome.refused[1]) return 'name-taken';
  throw new Error(`There is a configuration ${configuration.id} already.`);
}

const read = (table: Table, key: TenantKey) =>
  readItem(table, configurationKey(key), (item) => ({ stored: configurationIn(item), revision: revisionOf(item) }));

async function change(
  table: Table,
  key: TenantKey,
  edit: (stored: Configuration) => Configuration | Promise<Configuration>,
): ReturnType<Configurations['change']> {
  for (;;) {
    const current = await read(table, key);
    if (!current) return 'missing';
    const { stored, revision } = current;
    const changed = await edit(stored);
    const renaming = changed.name === stored.name ? [] : [reserveName(table, changed), releaseName(table, stored)];
    const outcome = await transact(table, [putConfiguration(table, changed, revision), ...renaming]);
    if (outcome.done) return changed;
    const [conflict, nameTaken] = outcome.refused;
    if (conflict) continue;
    if (nameTaken) return 'name-taken';
    throw new Error(`The name of ${key.id} is not reserved for it.`);
  }
}

/** A write that counts rules, for the transaction that creates, moves or deletes one. */
export const countRules = (table: Table, key: TenantKey, by: 1 | -1): TransactWriteItem =>
  updateWrite(table.name, rulesKey(key), { change: 'ADD ruleCount :by', values: { by } });

/**
 * Deletes a configuration that no rule uses. Rules are counted in transactions, so a rule that is created at the same
 * time either prevents this or is refused.
 */
async function remove(table: Table, key: TenantKey): Promise<Removal> {
  for (;;) {
    const current = await read(table, key);
    if (!current) return { kind: 'missing' };
    const outcome = await transact(table, [
      deleteWrite(table.name, configurationKey(key), unchangedSince(current.revision)),
      releaseName(table, current.stored),
      deleteWrite(table.name, rulesKey(key), {
        condition: 'attribute_not_exists(pk) OR ruleCount <= :none',
        values: { none: 0 },
        returnsOld: true,
      }),
    ]);
    if (outcome.done) return { kind: 'removed' };
    const [conflict, , inUse] = outcome.refused;
    if (conflict) continue;
    if (inUse) return { kind: 'in-use', ...RulesItem.parse(inUse.item) };
    throw new Error(`The name of ${key.id} is not reserved for it.`);
  }
}

/** @param revision the revision that is replaced; undefined for a new configuration. */
function putConfiguration(table: Table, configuration: Configuration, revision: number | undefined): TransactWriteItem {
  const item = {
    ...configurationKey(configuration),
    ...configuration,
    revision: (revision ?? 0) + 1,
    list: listOf(configuration.tenant),
    position: `${configuration.createdAt}#${configuration.id}`,
  };
  return putWrite(table.name, item, unchangedSince(revision));
}

const reserveName = (table: Table, { tenant, name, id }: Configuration): TransactWriteItem =>
  putWrite(table.name, { ...nameKey(tenant, name), configuration: id }, IS_NEW);

const releaseName = (table: Table, { tenant, name, id }: Configuration): TransactWriteItem =>
  deleteWrite(table.name, nameKey(tenant, name), { condition: 'configuration = :id', values: { id } });
