import { numberText } from '#shared/formats/exact-json';
import { type ValueKind, type ValueReading, withLeadingZeros } from '../fields/value-kinds.ts';
import { openFrom } from './open-reading.ts';
import type { Spot } from './spot.ts';

/** Replaces a value that is read alone with its canonical form. */
export async function normalizeText(
  { draft, key, member, scope }: Spot,
  { rule, numbers, read }: ValueKind,
): Promise<void> {
  const value = draft.get(key);
  const [topic = rule] = rule.split('.');
  const digits = numberText(value);
  if (digits !== undefined && numbers === 'stay') return;
  const text = typeof value === 'string' ? value : topic === 'gtin' && digits ? withLeadingZeros(digits) : digits;
  if (text === undefined) {
    if (member.kind === 'text' || member.kind === 'legal-form') return;
    return draft.leave(key, { code: `${topic}.wrong-type`, detail: 'The value must be a text.' });
  }
  const outcome = await read(text, scope);
  const { reading, open }: ValueReading = 'kind' in outcome ? { reading: outcome } : outcome;
  if (open !== undefined) draft.leave(key, open);
  else if (reading.kind !== 'read') draft.leave(key, openFrom(topic, reading));
  if (reading.kind !== 'read' || (numbers === 'stay-if-canonical' && reading.value === digits)) return;
  draft.set(key, reading.value, { rule, confidence: reading.confidence });
}
