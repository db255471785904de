import * as z from 'zod';
import type { JsonObject, RecordType } from '../../items/caller-record.ts';
import { ItemRefusal } from '../../items/item-refusal.ts';
import type { Options } from '../../items/options.ts';
import type { Enrichment } from './enrichment.ts';

/** The input of a group of derivations. */
export interface Subject {
  readonly type: RecordType;
  readonly fields: JsonObject;
  readonly options: Options;
}

/** A member of the record from which nothing could be derived, although it has a value. */
export const UnresolvedMember = z.strictObject({
  path: z.string().meta({ description: 'JSON pointer into the record.' }),
  code: z
    .string()
    .meta({ description: 'As in errors of items, such as unknown-unit.', examples: ['unparseable-value'] }),
  detail: z.string(),
  suggestion: z.string().optional(),
  candidates: z.array(z.string()).optional(),
});
export type UnresolvedMember = z.output<typeof UnresolvedMember>;

/** The result of a group of derivations. */
export interface Derivation {
  readonly enrichment: Enrichment;
  /** The data sources of members that reference data determines, by JSON pointer into the enrichment. */
  readonly sources?: Readonly<Record<string, string>>;
  readonly unresolved?: readonly UnresolvedMember[];
}

/** A bad value does not fail the request: it is reported in the answer, and everything else is still derived. */
export function unresolvedAt(path: string, error: unknown): UnresolvedMember {
  if (!(error instanceof ItemRefusal)) throw error;
  const { suggestion, candidates } = error.facts;
  return {
    path,
    code: error.code,
    detail: error.detail,
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(candidates === undefined ? {} : { candidates: [...candidates] }),
  };
}

/** Returns the result of `derive`, or its refusal as unresolved. */
export function attempt(path: string, derive: () => Derivation): Derivation {
  try {
    return derive();
  } catch (error) {
    return { enrichment: {}, unresolved: [unresolvedAt(path, error)] };
  }
}

export const NOTHING: Derivation = { enrichment: {} };

/** Merges results. Groups derive different members, so nothing is overwritten. */
export function together(parts: readonly Derivation[]): Derivation {
  return {
    enrichment: Object.assign({}, ...parts.map(({ enrichment }) => enrichment)) as Enrichment,
    sources: Object.assign({}, ...parts.map(({ sources }) => sources)) as Record<string, string>,
    unresolved: parts.flatMap(({ unresolved }) => unresolved ?? []),
  };
}
