import * as z from 'zod';
import { CallerRecord, RECORD_TYPES } from '../items/caller-record.ts';
import type { Options } from '../items/options.ts';
import { Issue } from '../schemas/issues.ts';
import { pointerTo } from '../schemas/pointer.ts';
import { type CheckResult, checkRecord } from './record-check.ts';

/** The most issues of one record; more would help nobody. */
const ISSUES_MAX = 200;

export const ValidateItem = z
  .strictObject({
    type: z.enum(RECORD_TYPES).optional().meta({ description: 'Whose rules apply.' }),
    record: CallerRecord.meta({ description: 'The record. Members without a rule may hold anything.' }),
    schema: z
      .unknown()
      .optional()
      .meta({
        type: ['object', 'boolean'] as never,
        description: "The caller's own JSON Schema 2020-12, instead of a type or beside it.",
      }),
  })
  .refine(({ type, schema }) => type !== undefined || schema !== undefined, 'must have a type or a schema')
  .meta({ anyOf: ['type', 'schema'].map((name) => ({ properties: { [name]: {} }, required: [name] })) });
export type ValidateItem = z.output<typeof ValidateItem>;

export const ValidateResult = z.strictObject({
  valid: z.boolean().meta({ description: 'There are no errors.' }),
  verdict: z
    .enum(['accept', 'confirm', 'fix'])
    .meta({ description: 'accept: nothing found; confirm: warnings only; fix: errors.' }),
  summary: z.strictObject({ errors: z.number().int(), warnings: z.number().int() }),
  issues: z
    .array(Issue)
    .max(ISSUES_MAX)
    .meta({ description: `Errors first. At most ${ISSUES_MAX} are listed; the summary counts all.` }),
  fields: z
    .record(z.string(), z.enum(['valid', 'suspect', 'invalid']))
    .meta({ description: 'Every value that was checked, by JSON pointer.' }),
});
export type ValidateResult = z.output<typeof ValidateResult>;

/** Checks one record by the rules of its type, by the caller's schema, or by both. */
export async function validateItem(
  { type, record, schema }: ValidateItem,
  { options, now }: { options: Options; now: number },
): Promise<ValidateResult> {
  const members = record;
  const byRules: CheckResult = type ? await checkRecord(members, { type, options, now }) : { issues: [], judged: [] };
  const bySchema = schema === undefined ? [] : await issuesBySchema(record, schema);
  const judged = schema === undefined ? [] : Object.keys(members).map((name) => pointerTo('', name));
  return resultOf([...byRules.issues, ...bySchema], [...byRules.judged, ...judged]);
}

/** The checker of schemas is loaded on first use, since most requests have no schema. */
async function issuesBySchema(record: unknown, schema: unknown): Promise<readonly Issue[]> {
  const { checkSchema } = await import('../schemas/schema-check.ts');
  return checkSchema(record, schema);
}

function resultOf(issues: readonly Issue[], judged: readonly string[]): ValidateResult {
  const errors = issues.filter(({ severity }) => severity === 'error');
  const warnings = issues.filter(({ severity }) => severity === 'warning');
  const listed = [...errors.sort(byPath), ...warnings.sort(byPath)].slice(0, ISSUES_MAX);
  return {
    valid: errors.length === 0,
    verdict: errors.length > 0 ? 'fix' : warnings.length > 0 ? 'confirm' : 'accept',
    summary: { errors: errors.length, warnings: warnings.length },
    issues: listed,
    fields: Object.fromEntries(fieldsOf(issues, judged)),
  };
}

const byPath = (one: Issue, other: Issue): number => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0);

type State = ValidateResult['fields'][string];

/** The states of all values that were checked, and of all that an issue names. */
function fieldsOf(issues: readonly Issue[], judged: readonly string[]): ReadonlyMap<string, State> {
  const states = new Map<string, State>(judged.map((path) => [path, 'valid']));
  for (const { path, severity } of issues) {
    for (const each of [path, ...parentsOf(path).filter((parent) => states.has(parent))]) {
      if (severity === 'error') states.set(each, 'invalid');
      else if (states.get(each) !== 'invalid') states.set(each, 'suspect');
    }
  }
  return states;
}

function parentsOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(2).map((_, index) => parts.slice(0, index + 2).join('/'));
}
