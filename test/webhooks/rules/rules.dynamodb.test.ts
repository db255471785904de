import {
  BatchGetItemCommand,
  type BatchGetItemInput,
  DeleteItemCommand,
  paginateScan,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  configurationKey,
  configurationStore,
} from '../../../functions/webhooks/configurations/configuration-store.dynamodb.ts';
import { createRule, presentRule } from '../../../functions/webhooks/rules/manage-rules.ts';
import { matchingRules } from '../../../functions/webhooks/rules/matching-rules.dynamodb.ts';
import type { Rule, RuleFilter } from '../../../functions/webhooks/rules/rule.ts';
import { ruleStore } from '../../../functions/webhooks/rules/rule-store.dynamodb.ts';
import { newId, type TenantKey } from '../../../shared/ids.ts';
import { dynamoDbClient, marshalled, type Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';
import { withMiddleware } from '../../support/faults/mortal-clients.ts';

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createTable(endpoint, 'webhooks');
});
afterAll(() => endpoint.close());

const CREATED = '2026-01-01T00:00:00.000Z';

async function newConfiguration(tenant: string): Promise<string> {
  const id = newId('cfg');
  await configurationStore(table).add({
    id,
    tenant,
    name: id,
    targetUrl: 'https://example.com/hooks',
    retryIntervalSeconds: 0,
    retryTimeoutSeconds: 30,
    maxAttempts: 3,
    description: '',
    authentication: { type: 'none' },
    enabled: true,
    createdAt: CREATED,
    updatedAt: CREATED,
  });
  return id;
}

/** Deletes a configuration as older versions did, which left its rules. */
const withdraw = (key: TenantKey) =>
  table.client.send(new DeleteItemCommand({ TableName: table.name, Key: marshalled(configurationKey(key)) }));

/** Reads the stored items of a tenant's rules, including their counts. */
async function left(tenant: string) {
  const pages = paginateScan({ client: table.client }, { TableName: table.name, ConsistentRead: true });
  const items = (await Array.fromAsync(pages)).flatMap(({ Items: some = [] }) => some);
  const isOf = new RegExp(`^(RULE|MATCH|CONFIGURATION_RULES)#${tenant}#`);
  return items
    .filter(({ pk, ruleCount }) => isOf.test(pk?.S ?? '') && ruleCount?.N !== '0')
    .map(({ pk, sk }) => `${pk?.S} ${sk?.S}`);
}

let second = 0;
function rule(tenant: string, apiConfigurationId: string, own: Partial<Rule> = {}): Rule {
  second += 1;
  const createdAt = new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
  return {
    id: newId('rule'),
    tenant,
    name: '',
    module: 'dsar',
    trigger: 'DSAR starts',
    apiConfigurationId,
    headers: [{ name: 'X-Trace', value: '1' }],
    body: '{"id": 12345678901234567890}',
    enabled: true,
    createdAt,
    updatedAt: createdAt,
    ...own,
  };
}

async function added(made: Rule): Promise<Rule> {
  expect(await ruleStore(table).add(made)).toBe('added');
  return made;
}

const matching = async (tenant: string, module: Rule['module'] = 'dsar', trigger = 'DSAR starts') =>
  (await Array.fromAsync(matchingRules(table).matching(tenant, module, trigger)))
    .flat()
    .map(({ id }) => id)
    .sort();
const change = (tenant: string, id: string, fields: Partial<Rule>) =>
  ruleStore(table).change(
    { tenant, id },
    {
      edit: (stored) => ({ ...stored, ...fields }),
      namesConfiguration: () => fields.apiConfigurationId !== undefined,
    },
  );

describe('rules in DynamoDB', () => {
  it('are found again as they were stated, by their tenant only', async () => {
    const store = ruleStore(table);
    const newRule = await added(rule('found', await newConfiguration('found')));
    expect(await store.byId({ tenant: 'found', id: newRule.id })).toEqual(newRule);
    expect(await store.byId({ tenant: 'other', id: newRule.id })).toBeUndefined();
    expect(await change('other', newRule.id, { enabled: false })).toBe('missing');
    expect(await store.remove({ tenant: 'other', id: newRule.id })).toBe(false);
    expect(await matching('other')).toEqual([]);
    expect(await Array.fromAsync(matchingRules(table).matching('found', 'dsar', 'DSAR starts'))).toEqual([[newRule]]);
  });

  it('name a configuration of their own tenant, when they are made and when they are changed', async () => {
    const store = ruleStore(table);
    const own = await newConfiguration('own');
    const foreign = await newConfiguration('foreign');
    expect(await store.add(rule('own', foreign))).toBe('unknown-configuration');
    expect(await store.add(rule('own', 'cfg_none'))).toBe('unknown-configuration');
    const newRule = await added(rule('own', own));
    expect(await change('own', newRule.id, { apiConfigurationId: foreign })).toBe('unknown-configuration');
    expect((await store.byId({ tenant: 'own', id: newRule.id }))?.apiConfigurationId).toBe(own);
    expect((await store.list('own', {}, { limit: 10 })).items).toEqual([newRule]);
  });

  it('may be turned off and deleted where an older version deleted their configuration', async () => {
    const configuration = await newConfiguration('orphan');
    const newRule = await added(rule('orphan', configuration));
    await withdraw({ tenant: 'orphan', id: configuration });
    expect(await matching('orphan')).toEqual([newRule.id]);
    expect(await change('orphan', newRule.id, { enabled: false })).toMatchObject({ enabled: false });
    expect(await change('orphan', newRule.id, { apiConfigurationId: configuration })).toBe('unknown-configuration');
    expect(await ruleStore(table).remove({ tenant: 'orphan', id: newRule.id })).toBe(true);
  });

  it('keep their configuration from being deleted as long as they name it', async () => {
    const configurations = configurationStore(table);
    const [one, other] = [await newConfiguration('used'), await newConfiguration('used')];
    const removal = (id: string) => configurations.remove({ tenant: 'used', id });
    const [first, second] = [await added(rule('used', one)), await added(rule('used', one, { enabled: false }))];
    expect(await removal(one)).toEqual({ kind: 'in-use', ruleCount: 2 });
    await change('used', first.id, { apiConfigurationId: other });
    await change('used', second.id, { apiConfigurationId: one });
    expect([await removal(one), await removal(other)]).toEqual([
      { kind: 'in-use', ruleCount: 1 },
      { kind: 'in-use', ruleCount: 1 },
    ]);
    await ruleStore(table).remove({ tenant: 'used', id: second.id });
    await change('used', first.id, { enabled: false });
    expect([await removal(one), await removal(other)]).toEqual([{ kind: 'removed' }, { kind: 'in-use', ruleCount: 1 }]);
    await ruleStore(table).remove({ tenant: 'used', id: first.id });
    expect(await removal(other)).toEqual({ kind: 'removed' });
    expect(await left('used')).toEqual([]);
  });

  it('and their configuration are never both changed for the worse, when one is made while the other is deleted', async () => {
    for (let round = 0; round < 10; round += 1) {
      const tenant = newId('tenant');
      const [id, from] = [await newConfiguration(tenant), await newConfiguration(tenant)];
      const moved = await added(rule(tenant, from));
      const [made, changed, removed] = await Promise.all([
        ruleStore(table).add(rule(tenant, id)),
        change(tenant, moved.id, { apiConfigurationId: id }),
        configurationStore(table).remove({ tenant, id }),
      ]);
      const uses = Number(made === 'added') + Number(changed !== 'unknown-configuration');
      const stillThere = await configurationStore(table).byId({ tenant, id });
      if (removed.kind === 'removed') expect([uses, stillThere]).toEqual([0, undefined]);
      else expect([uses, stillThere?.id]).toEqual([2, id]);
      const { items } = await ruleStore(table).list(tenant, { configuration: id }, { limit: 10 });
      expect(items).toHaveLength(uses);
    }
  });

  it('are listed by configuration wherever they are moved, page by page, and by module', async () => {
    const [one, other] = [await newConfiguration('by'), await newConfiguration('by')];
    const newRule: Rule[] = [];
    for (let n = 0; n < 6; n += 1) {
      const module = n % 3 ? 'dsar' : 'consent';
      newRule.push(await added(rule('by', n % 2 ? one : other, { module, trigger: 'Stage started' })));
    }
    const ids = (...numbers: number[]) => numbers.map((n) => newRule[n]?.id);
    async function listed(filter: RuleFilter, limit = 2): Promise<string[]> {
      const matches: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await ruleStore(table).list('by', filter, { limit, ...(cursor && { cursor }) });
        matches.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor;
      } while (cursor);
      return matches;
    }
    expect(await listed({ configuration: one })).toEqual(ids(5, 3, 1));
    expect(await listed({ configuration: other })).toEqual(ids(4, 2, 0));
    expect(await listed({ module: 'consent' })).toEqual(ids(3, 0));
    expect(await listed({ configuration: one, module: 'consent' }, 1)).toEqual(ids(3));
    await change('by', newRule[3]?.id ?? '', { apiConfigurationId: other });
    expect(await listed({ configuration: one })).toEqual(ids(5, 1));
    expect(await listed({ configuration: other })).toEqual(ids(4, 3, 2, 0));
    expect(await listed({ configuration: 'cfg_none' })).toEqual([]);
    const { nextCursor } = await ruleStore(table).list('by', { configuration: one }, { limit: 1 });
    const elsewhere = ruleStore(table).list('by', {}, { limit: 1, cursor: nextCursor ?? '' });
    await expect(elsewhere).rejects.toMatchObject({ code: 'invalid-cursor' });
  });

  it('match the events that they are enabled for at this moment, wherever they are moved', async () => {
    const newRule = await added(rule('moved', await newConfiguration('moved')));
    expect(await matching('moved')).toEqual([newRule.id]);
    await change('moved', newRule.id, { trigger: 'DSAR is completed' });
    expect(await matching('moved')).toEqual([]);
    expect(await matching('moved', 'dsar', 'DSAR is completed')).toEqual([newRule.id]);
    await change('moved', newRule.id, { module: 'consent', trigger: 'Consent submitted', enabled: false });
    expect(await matching('moved', 'dsar', 'DSAR is completed')).toEqual([]);
    expect(await matching('moved', 'consent', 'Consent submitted')).toEqual([]);
    await change('moved', newRule.id, { enabled: true });
    await change('moved', newRule.id, { headers: [] });
    expect(await matching('moved', 'consent', 'Consent submitted')).toEqual([newRule.id]);
    await ruleStore(table).remove({ tenant: 'moved', id: newRule.id });
    expect(await matching('moved', 'consent', 'Consent submitted')).toEqual([]);
  });

  it.each<[string, Partial<Rule>]>([
    ['turned off', { enabled: false }],
    ['moved to another trigger', { trigger: 'DSAR is completed' }],
    ['moved to another module', { module: 'consent' }],
  ])('do not match an event when they are %s after they were found and before they are read', async (_how, fields) => {
    const tenant = newId('tenant');
    const newRule = await added(rule(tenant, await newConfiguration(tenant)));
    const client = withMiddleware(
      table.client,
      'change',
      (next: (args: unknown) => Promise<unknown>, { commandName }: { commandName: string }) =>
        async (args: unknown) => {
          if (commandName === BatchGetItemCommand.name) await change(tenant, newRule.id, fields);
          return next(args);
        },
    );
    const matches = await Array.fromAsync(matchingRules({ ...table, client }).matching(tenant, 'dsar', 'DSAR starts'));
    expect(matches).toEqual([[]]);
  });

  it('leave nothing behind after a storm of changes and a deletion', async () => {
    const newRule = await added(rule('storm', await newConfiguration('storm')));
    const triggers = ['DSAR starts', 'DSAR is completed', 'Stage started'];
    await Promise.all([
      ...Array.from({ length: 15 }, (_, i) =>
        change('storm', newRule.id, { trigger: triggers[i % 3] ?? '', enabled: i % 4 > 0 }),
      ),
      ruleStore(table).remove({ tenant: 'storm', id: newRule.id }),
    ]);
    expect(await left('storm')).toEqual([]);
  });

  it('all match, when there are more than one read gives', async () => {
    const configuration = await newConfiguration('many');
    const body = JSON.stringify({ text: 'x'.repeat(200_000) });
    const newRule: Rule[] = [];
    for (let i = 0; i < 105; i += 1) {
      newRule.push(await added(rule('many', configuration, i < 85 ? { body } : {})));
    }
    expect(await matching('many')).toEqual(newRule.map(({ id }) => id).sort());
  });

  it('all match, when a busy table answers in parts and sometimes not at all', async () => {
    const configuration = await newConfiguration('busy');
    const newRule: Rule[] = [];
    for (let i = 0; i < 9; i += 1) newRule.push(await added(rule('busy', configuration)));
    const client = dynamoDbClient({ ...endpoint.clientOptions() });
    let calls = 0;
    client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (commandName !== BatchGetItemCommand.name) return next(args);
          calls += 1;
          const { Keys: keys = [] } = (args.input as BatchGetItemInput).RequestItems?.[table.name] ?? {};
          const given = calls % 2 ? keys.slice(0, 2) : [];
          const rest = { UnprocessedKeys: { [table.name]: { Keys: keys.slice(given.length) } } };
          if (given.length === 0) return { output: { $metadata: {}, ...rest }, response: {} };
          const input = { RequestItems: { [table.name]: { Keys: given, ConsistentRead: true } } };
          const { output, response } = await next({ ...args, input });
          return { output: { ...output, ...(keys.length > given.length && rest) }, response };
        },
      { step: 'initialize' },
    );
    const matches = await Array.fromAsync(matchingRules({ ...table, client }).matching('busy', 'dsar', 'DSAR starts'));
    expect(
      matches
        .flat()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(newRule.map(({ id }) => id).sort());
    expect(calls).toBe(9);
  });

  it('are listed newest first, each once, in pages that fit into an answer', async () => {
    const configuration = await newConfiguration('pages');
    const large = JSON.stringify({ text: 'x'.repeat(260_000) });
    const newRule: string[] = [];
    for (let i = 0; i < 40; i += 1) {
      const { id } = await added(rule('pages', configuration, { body: i % 2 ? large : '{}' }));
      newRule.unshift(id);
    }
    const listed: string[] = [];
    const sizes: number[] = [];
    let cursor: string | undefined;
    do {
      const { items, nextCursor } = await ruleStore(table).list('pages', {}, { limit: 25, ...(cursor && { cursor }) });
      listed.push(...items.map(({ id }) => id));
      sizes.push(JSON.stringify(items).length);
      cursor = nextCursor;
    } while (cursor);
    expect(listed).toEqual(newRule);
    expect(Math.max(...sizes)).toBeLessThan(4_100_000);
    expect(sizes.length).toBeLessThan(5);
  });

  it('are listed in parts if all that is shown of them is more than a function may answer', async () => {
    const configuration = await newConfiguration('parts');
    // Shown as JSON and as text, it has three bytes for one.
    const body = JSON.stringify({ text: '"'.repeat(131_066) });
    for (let i = 0; i < 9; i += 1) await added(rule('parts', configuration, { body }));
    const { items, nextCursor } = await ruleStore(table).list('parts', {}, { limit: 9 });
    expect(items.length).toBeLessThan(9);
    expect(nextCursor).toEqual(expect.any(String));
    const [one] = items.map((item) => JSON.stringify(presentRule(item)).length);
    expect(one).toBeGreaterThan(3 * 262_000);
    expect(items.length * one!).toBeLessThan(6 * 1_024 * 1_024);
  });

  it('keep their bodies out of the index', async () => {
    const { Items: items = [] } = await table.client.send(
      new ScanCommand({ TableName: table.name, IndexName: 'Listing' }),
    );
    expect(items.some(({ rule: id }) => id !== undefined)).toBe(true);
    expect(items.filter(({ body }) => body !== undefined)).toEqual([]);
  });
});

describe('the number of rules of a tenant', () => {
  it('has a limit that is exact, however many are added at once, and a rule that goes makes room', async () => {
    const store = ruleStore(table, 3);
    const configuration = await newConfiguration('full');
    const newRule = Array.from({ length: 8 }, () => rule('full', configuration));
    const outcomes = await Promise.all(newRule.map((one) => store.add(one)));
    expect(outcomes.toSorted()).toEqual([...Array(3).fill('added'), ...Array(5).fill('too-many')]);
    const stored = newRule.filter((_one, n) => outcomes[n] === 'added').map(({ id }) => id);
    expect(await matching('full')).toEqual(stored.toSorted());

    const [first = ''] = stored;
    const removed = await Promise.all([1, 2, 3].map(() => store.remove({ tenant: 'full', id: first })));
    expect(removed.filter(Boolean)).toHaveLength(1);
    expect(await store.add(rule('full', configuration))).toBe('added');
    expect(await store.add(rule('full', configuration))).toBe('too-many');
    expect(await store.add(rule('empty', await newConfiguration('empty')))).toBe('added');
  });

  it('is told to whoever adds one too many', async () => {
    const store = ruleStore(table, 1);
    const { id: _, tenant, createdAt: __, updatedAt: ___, ...input } = rule('told', await newConfiguration('told'));
    const create = () => createRule(store, input, { tenant, id: newId('rule'), now: 0 });
    await create();
    await expect(create()).rejects.toMatchObject({ status: 409, code: 'too-many-rules' });
  });
});
