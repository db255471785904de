import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { encodeCursor } from '#shared/http/cursor';
import type { Page, PageQuery } from '#shared/http/page';
import type { TenantKey } from '#shared/ids';
import { givingBack, takingOne } from '#shared/quotas/limited-counts.dynamodb';
import { quotaKey } from '#shared/quotas/quotas.dynamodb';
import { revisionOf, unchangedSince } from '#shared/table/revisions.dynamodb';
import { type Key, listItems, readItem, type Table, transact } from '#shared/table/table.dynamodb';
import { conditionCheck, deleteWrite, EXISTS, putWrite } from '#shared/table/writes.dynamodb';
import { configurationKey, countRules } from '../configurations/configuration-store.dynamodb.ts';
import { RULES } from '../table-keys.ts';
import type { Rule, RuleFilter, Rules } from './rule.ts';
import { matchPartition, ruleIn, ruleKey, rulesById } from './rule-items.dynamodb.ts';

const listOf = (tenant: string) => `${RULES}${tenant}`;
const listOfConfiguration = (tenant: string, configuration: string) => `${RULES}${tenant}#${configuration}`;
/** The items that represent a rule in its two lists, so that the index does not copy the rule's body. */
const listingKey = (key: TenantKey): Key => ({ ...ruleKey(key), sk: 'LISTING' });
const configurationListingKey = (key: TenantKey): Key => ({ ...ruleKey(key), sk: 'CONFIGURATION_LISTING' });
const ListingItem = z.object({ rule: z.string(), pk: z.string(), sk: z.string(), position: z.string() });

/** The limit of a page: a function's response has at most 6 MB, as text in JSON. */
const PAGE_BYTES_MAX = 4_000_000;
const READ_AT_ONCE = 10;

/** The key of the count of a tenant's rules. */
const countKey = (tenant: string): Key => quotaKey(tenant, 'rules');

/** @param rulesMax the most rules of a tenant. @default any number */
export const ruleStore = (table: Table, rulesMax = Number.MAX_SAFE_INTEGER): Rules => ({
  add: (rule) => add(table, rule, rulesMax),
  byId: async (key) => (await read(table, key))?.stored,
  hasConfiguration: async ({ tenant, id }) =>
    (await transact(table, [configurationExists(table, { tenant, apiConfigurationId: id })])).done,
  change: (key, edit) => change(table, key, edit),
  remove: (key) => remove(table, key),
  list: (tenant, filter, page) => list(table, { tenant, filter }, page),
});

async function add(table: Table, rule: Rule, rulesMax: number): ReturnType<Rules['add']> {
  const outcome = await transact(table, [
    putRule(table, rule, undefined),
    configurationExists(table, rule),
    countRules(table, configurationOf(rule), 1),
    takingOne(table, { key: countKey(rule.tenant), limit: rulesMax }),
    putWrite(table.name, { ...listingKey(rule), ...listingOf(rule, listOf(rule.tenant)) }),
    listingOfConfiguration(table, rule),
    ...matchKeys(rule).map((key) => putWrite(table.name, key)),
  ]);
  if (outcome.done) return 'added';
  if (outcome.refused[1]) return 'unknown-configuration';
  if (outcome.refused[3]) return 'too-many';
  throw new Error(`There is a rule ${rule.id} already.`);
}

const read = (table: Table, key: TenantKey) =>
  readItem(table, ruleKey(key), (item) => ({ stored: ruleIn(item), revision: revisionOf(item) }));

async function change(
  table: Table,
  key: TenantKey,
  { edit, namesConfiguration }: Parameters<Rules['change']>[1],
): ReturnType<Rules['change']> {
  for (;;) {
    const current = await read(table, key);
    if (!current) return 'missing';
    const changed = edit(current.stored);
    const [before, after] = [matchKeys(current.stored), matchKeys(changed)];
    const outcome = await transact(table, [
      putRule(table, changed, current.revision),
      ...(namesConfiguration(current.stored) ? [configurationExists(table, changed)] : []),
      ...movingConfiguration(table, current.stored, changed),
      ...before.filter((one) => !holds(after, one)).map((one) => deleteWrite(table.name, one)),
      ...after.filter((one) => !holds(before, one)).map((one) => putWrite(table.name, one)),
    ]);
    if (outcome.done) return changed;
    if (!outcome.refused[0]) return 'unknown-configuration';
  }
}

async function remove(table: Table, key: TenantKey): Promise<boolean> {
  for (;;) {
    const current = await read(table, key);
    if (!current) return false;
    const outcome = await transact(table, [
      deleteWrite(table.name, ruleKey(key), unchangedSince(current.revision)),
      deleteWrite(table.name, listingKey(key)),
      deleteWrite(table.name, configurationListingKey(key)),
      countRules(table, configurationOf(current.stored), -1),
      givingBack(table, countKey(key.tenant)),
      ...matchKeys(current.stored).map((one) => deleteWrite(table.name, one)),
    ]);
    if (outcome.done) return true;
  }
}

interface Listing {
  readonly tenant: string;
  readonly filter: RuleFilter;
}

async function list(table: Table, { tenant, filter }: Listing, page: PageQuery): Promise<Page<Rule>> {
  const { configuration, module } = filter;
  const name = configuration === undefined ? listOf(tenant) : listOfConfiguration(tenant, configuration);
  const { items, ...rest } = await listItems(table, name, page);
  const listings = items.map((item) => ListingItem.parse(item));
  const rules: Rule[] = [];
  let bytes = 0;
  let last: z.output<typeof ListingItem> | undefined;
  for (let from = 0; from < listings.length; from += READ_AT_ONCE) {
    const some = listings.slice(from, from + READ_AT_ONCE);
    const rulesOfPage = await rulesById(
      table,
      tenant,
      some.map(({ rule }) => rule),
    );
    for (const one of some) {
      const rule = rulesOfPage.get(one.rule);
      // The rule was just deleted or moved, and the index does not show it yet.
      if (!rule || (configuration !== undefined && rule.apiConfigurationId !== configuration)) continue;
      if (module !== undefined && rule.module !== module) continue;
      bytes += answeredBytes(rule);
      if (last && bytes > PAGE_BYTES_MAX) {
        const { pk, sk, position } = last;
        return { items: rules, nextCursor: encodeCursor(name, { pk, sk, position }) };
      }
      rules.push(rule);
      last = one;
    }
  }
  return { ...rest, items: rules };
}

/** The size of a rule in a response, which contains the body as JSON and as text. */
const answeredBytes = (rule: Rule) =>
  Buffer.byteLength(JSON.stringify(rule)) + Buffer.byteLength(JSON.stringify(JSON.stringify(rule.body)));

/** @param revision the revision that is replaced; undefined for a new rule. */
const putRule = (table: Table, rule: Rule, revision: number | undefined) =>
  putWrite(table.name, { ...ruleKey(rule), ...rule, revision: (revision ?? 0) + 1 }, unchangedSince(revision));

const configurationOf = ({
  tenant,
  apiConfigurationId: id,
}: Pick<Rule, 'tenant' | 'apiConfigurationId'>): TenantKey => ({ tenant, id });
const listingOf = ({ id, createdAt }: Rule, name: string) => ({
  rule: id,
  list: name,
  position: `${createdAt}#${id}`,
});
const listingOfConfiguration = (table: Table, rule: Rule) =>
  putWrite(table.name, {
    ...configurationListingKey(rule),
    ...listingOf(rule, listOfConfiguration(rule.tenant, rule.apiConfigurationId)),
  });

/** The writes that move a rule to the count and the list of another configuration. */
function movingConfiguration(table: Table, before: Rule, after: Rule): TransactWriteItem[] {
  if (before.apiConfigurationId === after.apiConfigurationId) return [];
  return [
    countRules(table, configurationOf(before), -1),
    countRules(table, configurationOf(after), 1),
    listingOfConfiguration(table, after),
  ];
}

const configurationExists = (table: Table, rule: Pick<Rule, 'tenant' | 'apiConfigurationId'>): TransactWriteItem =>
  conditionCheck(table.name, configurationKey(configurationOf(rule)), EXISTS);

/** The keys by which events match the rule: none for a disabled rule. */
function matchKeys({ tenant, module, trigger, enabled, id }: Rule): Key[] {
  return enabled ? [{ pk: matchPartition(tenant, module, trigger), sk: id }] : [];
}

const holds = (keys: readonly Key[], { pk }: Key) => keys.some((key) => key.pk === pk);
