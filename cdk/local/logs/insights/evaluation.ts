/** Runs queries over log events. */
import type { LogEvent } from '../log-groups.ts';
import type { Aggregation, Command, Condition, Grouping, Operand, Query } from './query.ts';

/** A field that an event does not have is absent. */
export type Row = ReadonlyMap<string, string>;

/** An event with the group that it is from, as `@log` shows it. */
export interface SourcedEvent extends LogEvent {
  readonly log: string;
  readonly stream: string;
}

export interface QueryResult {
  readonly rows: readonly Row[];
  readonly matches: number;
}

/** @param limit the most rows, unless the query has a limit of its own */
export function evaluate(query: Query, events: readonly SourcedEvent[], limit: number): QueryResult {
  const newestFirst = events.toSorted((one, other) => other.at - one.at || other.id - one.id).map(rowOf);
  let rows: readonly Row[] = newestFirst;
  let matches = rows.length;
  let columns: readonly string[] | undefined;
  for (const command of query) {
    rows = applied(command, rows);
    if (command.kind === 'filter' && columns === undefined) matches = rows.length;
    if (command.kind === 'fields') columns = [...(columns ?? []), ...command.fields];
    if (command.kind === 'stats') columns = [...command.by, ...command.aggregations].map(({ label }) => label);
  }
  const limited = query.some(({ kind }) => kind === 'limit') ? rows : rows.slice(0, limit);
  return { rows: limited.map((row) => selected(row, columns ?? ['@timestamp', '@message'])), matches };
}

function applied(command: Command, rows: readonly Row[]): readonly Row[] {
  switch (command.kind) {
    case 'fields':
      return rows;
    case 'filter':
      return rows.filter((row) => holds(command.condition, row));
    case 'stats':
      return groupsOf(rows, command.by).map(([group, members]) => {
        const results = command.aggregations.map((aggregation) => [aggregation.label, valueOf(aggregation, members)]);
        return rowWith([...group, ...(results as [string, string | undefined][])]);
      });
    case 'sort':
      return rows.toSorted((one, other) => {
        for (const { field, isDescending } of command.keys) {
          const order = compared(one.get(field), other.get(field));
          if (order !== 0) return isDescending ? -order : order;
        }
        return 0;
      });
    default:
      return rows.slice(0, command.count);
  }
}

/** A field that is missing matches nothing. */
function holds(condition: Condition, row: Row): boolean {
  if ('conditions' in condition) {
    const { kind, conditions } = condition;
    return kind === 'and' ? conditions.every((one) => holds(one, row)) : conditions.some((one) => holds(one, row));
  }
  const value = row.get(condition.field);
  if (value === undefined) return false;
  switch (condition.kind) {
    case 'like':
      return condition.pattern.test(value);
    case 'in':
      return condition.operands.some((operand) => equals(value, operand));
    default:
      return compares(value, condition.comparison, condition.operand);
  }
}

function compares(value: string, comparison: string, operand: Operand): boolean {
  if (comparison === '=') return equals(value, operand);
  if (comparison === '!=') return !equals(value, operand);
  const [left, right] = [numberIn(value), Number(operand)];
  if (left === undefined || Number.isNaN(right)) return false;
  const order = left - right;
  if (comparison === '<') return order < 0;
  if (comparison === '<=') return order <= 0;
  return comparison === '>' ? order > 0 : order >= 0;
}

const equals = (value: string, operand: Operand): boolean =>
  typeof operand === 'number' ? numberIn(value) === operand : value === operand;

type Group = readonly (readonly [string, string | undefined])[];

function groupsOf(rows: readonly Row[], by: readonly Grouping[]): readonly (readonly [Group, readonly Row[]])[] {
  // Without groups there is one row, even of no lines.
  if (by.length === 0) return [[[], rows]];
  const groupOf = (row: Row): Group => by.map((grouping) => [grouping.label, groupValueOf(grouping, row)]);
  return [...Map.groupBy(rows, (row) => JSON.stringify(groupOf(row))).values()].map((members) => [
    groupOf(members[0] as Row),
    members,
  ]);
}

function groupValueOf(grouping: Grouping, row: Row): string | undefined {
  if (grouping.kind === 'field') return row.get(grouping.label);
  const at = Date.parse(`${row.get('@timestamp')?.replace(' ', 'T')}Z`);
  return shownTime(Math.floor(at / grouping.millis) * grouping.millis);
}

function valueOf(aggregation: Aggregation, rows: readonly Row[]): string | undefined {
  if (aggregation.kind === 'count') return String(rows.length);
  const values = rows.flatMap((row) => numberIn(row.get(aggregation.field)) ?? []);
  if (aggregation.kind === 'sum') return String(values.reduce((sum, value) => sum + value, 0));
  const below = Math.ceil((aggregation.percent / 100) * values.length);
  return values.toSorted((one, other) => one - other)[Math.max(0, below - 1)]?.toString();
}

/** Numbers compare as numbers, and before texts; what is missing comes first. */
function compared(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) return Number(one !== undefined) - Number(other !== undefined);
  const [left, right] = [numberIn(one), numberIn(other)];
  if (left !== undefined && right !== undefined) return left - right;
  if (left !== undefined || right !== undefined) return left === undefined ? 1 : -1;
  return one < other ? -1 : Number(one > other);
}

const numberIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^-?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i.test(text) ? Number(text) : undefined;

function rowOf({ at, message, log, stream }: SourcedEvent): Row {
  return rowWith([
    ...membersOf(jsonIn(message), ''),
    ['@timestamp', shownTime(at)],
    ['@ingestionTime', shownTime(at)],
    ['@message', message],
    ['@log', log],
    ['@logStream', stream],
  ]);
}

const rowWith = (entries: Iterable<readonly [string, string | undefined]>): Row =>
  new Map([...entries].filter((entry): entry is [string, string] => entry[1] !== undefined));

const selected = (row: Row, columns: readonly string[]): Row =>
  rowWith(columns.map((column) => [column, row.get(column)]));

/** Logs Insights names the members of objects and lists `error.name` and `values.0`. */
function membersOf(value: unknown, path: string): readonly (readonly [string, string])[] {
  if (value === null || value === undefined) return [];
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object') return [[path, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([name, member]) => membersOf(member, path === '' ? name : `${path}.${name}`));
}

function jsonIn(message: string): unknown {
  if (!message.startsWith('{')) return undefined;
  try {
    return JSON.parse(message);
  } catch {
    return undefined;
  }
}

/** `2026-11-26 12:00:00.000`, in UTC. */
const shownTime = (at: number) => new Date(at).toISOString().replace('T', ' ').replace('Z', '');
