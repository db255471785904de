import { queryItems } from '#shared/table/queries.dynamodb';
import type { Table } from '#shared/table/table.dynamodb';
import type { RulesOf } from './rule.ts';
import { matchPartition, rulesById } from './rule-items.dynamodb.ts';

/** Rules are read in small groups, because each has a body that may be large. */
const RULES_AT_A_TIME = 10;

export const matchingRules = (table: Table): RulesOf => ({
  async *matching(tenant, module, trigger) {
    const values = { pk: matchPartition(tenant, module, trigger) };
    const items = await Array.fromAsync(queryItems(table, { where: 'pk = :pk', values, attributes: 'sk' }));
    const ids = items.map(({ sk }) => String(sk));
    for (let from = 0; from < ids.length; from += RULES_AT_A_TIME) {
      const rules = await rulesById(table, tenant, ids.slice(from, from + RULES_AT_A_TIME));
      // A rule may have been moved between the two reads.
      yield [...rules.values()].filter((rule) => rule.enabled && rule.module === module && rule.trigger === trigger);
    }
  },
});
