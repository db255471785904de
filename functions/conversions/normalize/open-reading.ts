import type { Reading } from '../values/texts/reading.ts';
import type { Draft } from './draft.ts';
import type { UnresolvedValue } from './findings.ts';

type Open = Exclude<Reading<never>, { kind: 'read' }>;

/** The unresolved entry of a text that could not be read, under a code such as `date.ambiguous`. */
export function openFrom(topic: string, reading: Open): Omit<UnresolvedValue, 'path'> {
  const { kind, detail } = reading;
  return {
    code: `${topic}.${kind}`,
    detail,
    ...(kind === 'ambiguous' ? { candidates: [...new Set(reading.candidates)] } : {}),
  };
}

export function leaveOpen(draft: Draft, name: string, topic: string, reading: Open): void {
  draft.leave(name, openFrom(topic, reading));
}
