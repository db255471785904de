import * as z from 'zod';

export const Change = z.strictObject({
  path: z.string().meta({ description: 'JSON pointer into the record.', examples: ['/phone', '/people/0/email'] }),
  from: z.unknown().optional().meta({ description: 'The value as it was sent. Absent where the member is new.' }),
  to: z.unknown().meta({ description: 'The value as it stands in the answer.' }),
  rule: z.string().meta({ description: 'What was done.', examples: ['phone.e164', 'date.iso'] }),
  confidence: z
    .enum(['high', 'medium', 'low'])
    .meta({ description: 'How far the record and the options settle the value. Below high, have it confirmed.' }),
});
export type Change = z.output<typeof Change>;

export const UnresolvedValue = z.strictObject({
  path: z.string().meta({ description: 'JSON pointer into the record.' }),
  code: z.string().meta({ examples: ['date.ambiguous', 'phone.no-country'] }),
  detail: z.string().meta({ description: 'What is open, and what settles it.' }),
  candidates: z.array(z.string()).optional().meta({ description: 'What the value may mean.' }),
});
export type UnresolvedValue = z.output<typeof UnresolvedValue>;

export type Cause = Pick<Change, 'rule' | 'confidence'>;

/** Changes and unresolved values, in the order of discovery. */
export class Findings {
  readonly changes: Change[] = [];
  readonly unresolved: UnresolvedValue[] = [];

  changed(change: Change): void {
    this.changes.push(change);
  }

  leave(path: string, { code, detail, candidates }: Omit<UnresolvedValue, 'path'>): void {
    this.unresolved.push({ path, code, detail, ...(candidates === undefined ? {} : { candidates }) });
  }
}

/** One change for each path, from the first value to the last. A value that is back at its original is not reported. */
export function mergedChanges(changes: readonly Change[]): Change[] {
  const byPath = new Map<string, Change>();
  for (const change of changes) {
    const first = byPath.get(change.path);
    const { from: _, ...rest } = change;
    byPath.set(
      change.path,
      first === undefined ? change : { ...rest, ...('from' in first ? { from: first.from } : {}) },
    );
  }
  return [...byPath.values()].filter((change) => !('from' in change) || !sameJson(change.from, change.to));
}

export const sameJson = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);
