import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linesOfAll, linesOfTenant } from '../../../functions/accounts/audit/audit-lists.dynamodb.ts';
import { auditPage } from '../../../functions/accounts/audit/audit-pages.ts';
import type { NewLine } from '../../../shared/audit/audit-line.ts';
import { auditWriter } from '../../../shared/audit/audit-writer.dynamodb.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';

let endpoint: LocalEndpoint;
let table: Table;
const at = (second: number) => Date.UTC(2026, 0, 1, 0, 0, second);
const LINES = 230;

beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createTable(endpoint, 'audit-lists');
  const writer = auditWriter(table);
  const line = (n: number): NewLine => ({
    tenant: n % 10 === 0 ? 'other' : 'acme',
    actor: { kind: 'key', id: 'key-1', isOperator: false },
    action: 'rules.create',
    route: 'POST /manage/v1/rules',
    target: {},
    fields: [],
    values: {},
    address: '203.0.113.9',
    isConsole: false,
    requestId: String(n),
  });
  await Promise.all(
    Array.from({ length: LINES }, async (_, n) => {
      const { end } = await writer.begin(line(n), at(n));
      if (n % 2 === 0) await end({ outcome: 'done', status: 201, createdId: `rule-${n}` });
    }),
  );
});
afterAll(() => endpoint.close());

const sinceOf = (second: number) => new Date(at(second)).toISOString();
const END = '2027';

async function allOf(lists: ReturnType<typeof linesOfAll>, limit: number): Promise<string[]> {
  const seen: string[] = [];
  for (let before: string | undefined = END; before !== undefined; ) {
    const page = await auditPage(lists, {}, { before, limit });
    seen.push(...page.lines.map(({ line }) => line.requestId));
    before = page.reached;
  }
  return seen;
}

describe('the lines of the audit log in DynamoDB', () => {
  const every = Array.from({ length: LINES }, (_, n) => n).toReversed();

  it('are shown to a tenant alone, newest first, page by page, with their outcome', async () => {
    const own = every.filter((n) => n % 10 !== 0).map(String);
    expect(await allOf(linesOfTenant(table, 'acme', sinceOf(0)), 60)).toEqual(own);
    const { lines } = await auditPage(linesOfTenant(table, 'acme', sinceOf(0)), {}, { before: END, limit: 2 });
    expect(lines.map(({ line }) => [line.outcome, line.createdId])).toEqual([
      [undefined, undefined],
      ['done', 'rule-228'],
    ]);
    expect(await allOf(linesOfTenant(table, 'nobody', sinceOf(0)), 60)).toEqual([]);
  });

  it('are shown to operators all together, in the order of their time', async () => {
    expect(await allOf(linesOfAll(table, sinceOf(0)), 40)).toEqual(every.map(String));
  });

  it('begin at the first moment, and end before the last one', async () => {
    const lists = linesOfAll(table, sinceOf(5));
    const { lines } = await auditPage(lists, {}, { before: sinceOf(8), limit: 50 });
    expect(lines.map(({ line }) => line.requestId)).toEqual(['7', '6', '5']);
    expect(await auditPage(lists, {}, { before: sinceOf(1), limit: 50 })).toEqual({ lines: [] });
  });
});
