import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AuditLists, auditPage, type PlacedLine } from '../../../functions/accounts/audit/audit-pages.ts';
import {
  AuditQuery,
  type AuditRecord,
  passes,
  periodOf,
  presentLine,
} from '../../../functions/accounts/audit/audit-query.ts';
import { AUDIT_MILLIS } from '../../../shared/audit/audit-line.ts';

const LINE: AuditRecord = {
  id: 'aud_1',
  tenant: 'acme',
  time: '2026-01-01T00:00:00.000Z',
  actor: { kind: 'person', id: 'sub-1', name: 'Dana@example.com', isOperator: false },
  action: 'accounts.plan.replace',
  route: 'PUT /manage/v1/accounts/{id}/plan',
  target: { id: 'acme' },
  fields: ['plan'],
  values: { plan: 'growth' },
  address: '203.0.113.9',
  isConsole: true,
  requestId: 'r-1',
  createdId: 'rule_1',
};

/** Lists in memory. */
const listsOf = (lists: readonly (readonly PlacedLine[])[]): AuditLists => ({
  before: (position) =>
    lists.map(async function* (list) {
      const rest = list.filter((placed) => placed.position < position);
      yield* rest.toSorted((a, b) => (a.position < b.position ? 1 : -1));
    }),
});

const placedAt = (n: number, isOwn: boolean): PlacedLine => ({
  position: String(n).padStart(5, '0'),
  line: { ...LINE, id: `aud_${n}`, action: isOwn ? 'rules.create' : 'runs.replay.create' },
});

describe('pages of the audit log', () => {
  it('show every line that passes the filter once, newest first, however the lines are spread over the lists', async () => {
    const spread = fc.array(fc.record({ list: fc.nat(3), isOwn: fc.boolean() }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(spread, fc.integer({ min: 1, max: 7 }), async (all, limit) => {
        const lines = all.map(({ list, isOwn }, n) => ({ list, placed: placedAt(n, isOwn) }));
        const lists = listsOf(
          [0, 1, 2, 3].map((list) => lines.filter((one) => one.list === list).map(({ placed }) => placed)),
        );
        const ids: string[] = [];
        let before: string | undefined = '~';
        for (let pages = 0; before !== undefined; pages += 1) {
          expect(pages).toBeLessThan(100);
          const page = await auditPage(lists, { action: 'rules' }, { before, limit });
          expect(page.lines.length).toBeLessThanOrEqual(limit);
          ids.push(...page.lines.map(({ line }) => line.id));
          before = page.reached;
        }
        const expected = all.flatMap(({ isOwn }, n) => (isOwn ? [`aud_${n}`] : [])).toReversed();
        expect(ids).toEqual(expected);
      }),
    );
  });

  it('end early where nothing passes the filter, and say how far they have looked', async () => {
    const list = Array.from({ length: 1_500 }, (_, n) => placedAt(n, false));
    const page = await auditPage(listsOf([list]), { action: 'rules' }, { before: '~', limit: 5 });
    expect(page).toEqual({ lines: [], reached: '00500' });
  });
});

describe('the filter', () => {
  it.each([
    [{}, true],
    [{ actor: 'sub-1' }, true],
    [{ actor: 'dana@EXAMPLE.com' }, true],
    [{ actor: 'dana' }, false],
    [{ action: 'accounts' }, true],
    [{ action: 'accounts.plan' }, true],
    [{ action: 'accounts.plan.replace' }, true],
    [{ action: 'account' }, false],
    [{ action: 'accounts', actor: 'sub-2' }, false],
    [{ item: 'CME' }, true],
    [{ item: 'rule_' }, true],
    [{ item: 'nowhere' }, false],
  ])('%j lets the line pass: %s', (filter, isShown) => expect(passes(filter, LINE)).toBe(isShown));

  it.each([{ from: 'yesterday' }, { to: '2026-01-01' }, { action: 'Rules!' }, { actor: ' ' }, { tenant: 'A B' }])(
    'is refused where it cannot be read: %j',
    (query) => expect(AuditQuery.safeParse(query).success).toBe(false),
  );

  it('never reaches behind the 400 days, although the table deletes later', () => {
    const now = Date.UTC(2026, 5, 1);
    const oldest = new Date(now - AUDIT_MILLIS).toISOString();
    expect(periodOf({}, now).from).toBe(oldest);
    expect(periodOf({ from: 0 }, now).from).toBe(oldest);
    expect(periodOf({ from: now }, now).from).toBe(new Date(now).toISOString());
  });
});

describe('a line as it is shown', () => {
  it('says who, what, when, from where and how it ended', () => {
    expect(presentLine({ ...LINE, outcome: 'done', status: 200 })).toEqual({
      id: 'aud_1',
      time: LINE.time,
      tenant: 'acme',
      actor: { kind: 'person', id: 'sub-1', name: 'Dana@example.com', operator: false },
      action: 'accounts.plan.replace',
      route: 'PUT /manage/v1/accounts/{id}/plan',
      target: { id: 'acme' },
      createdId: 'rule_1',
      fields: ['plan'],
      values: { plan: 'growth' },
      address: '203.0.113.9',
      via: 'console',
      requestId: 'r-1',
      outcome: 'done',
      status: 200,
    });
  });

  it('without an outcome is unknown: the change may have been made or not', () => {
    expect(presentLine(LINE)).toMatchObject({ outcome: 'unknown', status: null });
  });
});
