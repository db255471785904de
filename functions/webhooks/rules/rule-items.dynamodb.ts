import * as z from 'zod';
import type { TenantKey } from '#shared/ids';
import { getItems, type Item, type Key, type Table } from '#shared/table/table.dynamodb';
import { MODULE_IDS, type ModuleId } from '../modules/module.ts';
import { MATCH, RULE } from '../table-keys.ts';
import type { Rule } from './rule.ts';

export const ruleKey = ({ tenant, id }: TenantKey): Key => ({ pk: `${RULE}${tenant}#${id}`, sk: 'RULE' });

/** The partition of the enabled rules on one trigger. It has an item for each rule, whose sort key is the rule's id. */
export const matchPartition = (tenant: string, module: ModuleId, trigger: string) =>
  `${MATCH}${tenant}#${module}#${trigger}`;

const RuleItem = z.object({
  id: z.string(),
  tenant: z.string(),
  name: z.string().default(''),
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

/** Reads rules of a tenant by id (strongly consistent). Deleted ones are left out. */
export async function rulesById(table: Table, tenant: string, ids: readonly string[]): Promise<Map<string, Rule>> {
  const items = await getItems(
    table,
    ids.map((id) => ruleKey({ tenant, id })),
  );
  return new Map(items.map((item) => ruleIn(item)).map((rule) => [rule.id, rule]));
}
