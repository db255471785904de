import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { cursorAt } from '#shared/http/cursor';
import { getItem, type Key, listItems, marshalled, type Table, transact } from '#shared/table.dynamodb';
import { configurationKey } from '../configurations/configuration-store.dynamodb.ts';
import { revisionOf, unchangedSince } from '../configurations/revisions.dynamodb.ts';
import { RULES } from '../table-keys.ts';
import type { Rule, Rules } from './rule.ts';
import { matchPartition, ruleIn, ruleKey, rulesById } from './rule-items.dynamodb.ts';

const listOf = (tenant: string) => `${RULES}${tenant}`;
/** Stands in the list in place of the rule, whose body would be copied into the index. */
const listingKey = (tenant: string, id: string): Key => ({ ...ruleKey(tenant, id), sk: 'LISTING' });
const Listed = z.object({ rule: z.string(), pk: z.string(), sk: z.string(), position: z.string() });

/** An answer of a function may have 6 MB. Rules are counted as text in JSON, as they go out of it. */
const PAGE_BYTES_MAX = 4_000_000;
const READ_AT_ONCE = 10;

export const ruleStore = (table: Table): Rules => {
  const put = (item: object, condition = {}): TransactWriteItem => ({
    Put: { TableName: table.name, Item: marshalled(item), ...condition },
  });
  const remove = (key: Key, condition = {}): TransactWriteItem => ({
    Delete: { TableName: table.name, Key: marshalled(key), ...condition },
  });
  const save = (rule: Rule, seen: number | undefined) =>
    put({ ...ruleKey(rule.tenant, rule.id), ...rule, revision: (seen ?? 0) + 1 }, unchangedSince(seen));
  const configurationExists = ({ tenant, apiConfigurationId }: Rule): TransactWriteItem => ({
    ConditionCheck: {
      TableName: table.name,
      Key: marshalled(configurationKey(tenant, apiConfigurationId)),
      ConditionExpression: 'attribute_exists(pk)',
    },
  });

  const read = async (tenant: string, id: string) => {
    const item = await getItem(table, ruleKey(tenant, id));
    return item && { stored: ruleIn(item), revision: revisionOf(item) };
  };

  return {
    async add(rule) {
      const { tenant, id } = rule;
      const listing = { rule: id, list: listOf(tenant), position: `${rule.createdAt}#${id}` };
      const outcome = await transact(table, [
        save(rule, undefined),
        configurationExists(rule),
        put({ ...listingKey(tenant, id), ...listing }),
        ...matchKeys(rule).map((key) => put(key)),
      ]);
      if (outcome.done) return 'added';
      if (outcome.refused[1]) return 'unknown-configuration';
      throw new Error(`There is a rule ${id} already.`);
    },

    async byId(tenant, id) {
      return (await read(tenant, id))?.stored;
    },

    async change(tenant, id, { edit, namesConfiguration }) {
      for (;;) {
        const found = await read(tenant, id);
        if (!found) return 'missing';
        const changed = edit(found.stored);
        const [before, after] = [matchKeys(found.stored), matchKeys(changed)];
        const outcome = await transact(table, [
          save(changed, found.revision),
          ...(namesConfiguration(found.stored) ? [configurationExists(changed)] : []),
          ...before.filter((key) => !holds(after, key)).map((key) => remove(key)),
          ...after.filter((key) => !holds(before, key)).map((key) => put(key)),
        ]);
        if (outcome.done) return changed;
        if (!outcome.refused[0]) return 'unknown-configuration';
      }
    },

    async remove(tenant, id) {
      for (;;) {
        const found = await read(tenant, id);
        if (!found) return false;
        const outcome = await transact(table, [
          remove(ruleKey(tenant, id), unchangedSince(found.revision)),
          remove(listingKey(tenant, id)),
          ...matchKeys(found.stored).map((key) => remove(key)),
        ]);
        if (outcome.done) return true;
      }
    },

    async list(tenant, page) {
      const list = listOf(tenant);
      const { items, ...rest } = await listItems(table, list, page);
      const listed = items.map((item) => Listed.parse(item));
      const rules: Rule[] = [];
      let bytes = 0;
      let last: z.output<typeof Listed> | undefined;
      for (let from = 0; from < listed.length; from += READ_AT_ONCE) {
        const some = listed.slice(from, from + READ_AT_ONCE);
        const found = await rulesById(
          table,
          tenant,
          some.map(({ rule }) => rule),
        );
        for (const one of some) {
          const rule = found.get(one.rule);
          // Deleted at this moment; the index follows.
          if (!rule) continue;
          bytes += Buffer.byteLength(JSON.stringify(rule));
          if (last && bytes > PAGE_BYTES_MAX) {
            const { pk, sk, position } = last;
            return { items: rules, nextCursor: cursorAt(list, { pk, sk, position }) };
          }
          rules.push(rule);
          last = one;
        }
      }
      return { ...rest, items: rules };
    },
  };
};

/** Where events find the rule: in one place, or nowhere when it is not enabled. */
function matchKeys({ tenant, module, trigger, enabled, id }: Rule): Key[] {
  return enabled ? [{ pk: matchPartition(tenant, module, trigger), sk: id }] : [];
}

const holds = (keys: readonly Key[], { pk }: Key) => keys.some((key) => key.pk === pk);
