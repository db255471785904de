import { setTimeout as sleep } from 'node:timers/promises';
import { BatchGetItemCommand, type KeysAndAttributes } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import { type Item, type Key, marshalled, type Table } from '#shared/table.dynamodb';
import { MODULE_IDS, type ModuleId } from './rules/module.ts';
import type { Rule } from './rules/rule.ts';

export const ruleKey = (tenant: string, id: string): Key => ({ pk: `RULE#${tenant}#${id}`, sk: 'RULE' });

/** One partition per event that may fire rules, one item per rule that is enabled for it; the sort key is the rule's id. */
export const matchPartition = (tenant: string, module: ModuleId, trigger: string) =>
  `MATCH#${tenant}#${module}#${trigger}`;

const RuleItem = z.object({
  id: z.string(),
  tenant: z.string(),
  module: z.enum(MODULE_IDS),
  trigger: z.string(),
  apiConfigurationId: z.string(),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  body: z.string(),
  enabled: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export const ruleIn = (item: Item): Rule => RuleItem.parse(item);

type Keys = NonNullable<KeysAndAttributes['Keys']>;

/** As many as one call takes. */
const BATCH = 100;
const FRUITLESS_CALLS_MAX = 8;

/** The rules of a tenant as they are now (strongly consistent), by id. Those that are gone are left out. */
export async function rulesById(table: Table, tenant: string, ids: readonly string[]): Promise<Map<string, Rule>> {
  const rules = new Map<string, Rule>();
  for (let from = 0; from < ids.length; from += BATCH) {
    const keys = ids.slice(from, from + BATCH).map((id) => marshalled(ruleKey(tenant, id)));
    for (const item of await batch(table, keys)) {
      const rule = ruleIn(item);
      rules.set(rule.id, rule);
    }
  }
  return rules;
}

/** An answer holds at most 16 MB and a busy table gives less: what is left over is asked for again. */
async function batch(table: Table, all: Keys): Promise<Item[]> {
  const items: Item[] = [];
  let keys = all;
  for (let fruitless = 0; keys.length > 0; ) {
    const { Responses: answers = {}, UnprocessedKeys: left = {} } = await table.client.send(
      new BatchGetItemCommand({ RequestItems: { [table.name]: { Keys: keys, ConsistentRead: true } } }),
    );
    const found = answers[table.name] ?? [];
    items.push(...found.map((item) => unmarshall(item)));
    keys = left[table.name]?.Keys ?? [];
    fruitless = found.length === 0 ? fruitless + 1 : 0;
    if (fruitless > FRUITLESS_CALLS_MAX) throw new Error('DynamoDB gives no items of a batch.');
    if (keys.length > 0) await sleep(Math.random() * 20 * 2 ** fruitless);
  }
  return items;
}
