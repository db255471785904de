import { numberText } from '#shared/exact-json';
import { isJsonObject, type JsonObject } from '../items/stated-record.ts';
import { canonicalMeasure, readMeasure, readUnit } from '../knowledge/texts/measures.ts';
import { readNumber } from '../knowledge/texts/written-numbers.ts';
import { Draft, segment } from './draft.ts';
import { dimensionsOf } from './known-members.ts';
import { leaveOpen } from './open-reading.ts';
import type { Scope } from './scope.ts';

const PLAIN = /^-?\d+(\.\d+)?$/;

/**
 * A measure in one text becomes value and unit, in the canonical unit of what it measures. One that has its unit apart keeps
 * it: only the way it is written changes.
 */
export function normalizeMeasure(draft: Draft, name: string, scope: Scope): void {
  const value = draft.get(name);
  const unitApart = !draft.isFree(`${name}Unit`);
  if (isJsonObject(value)) return normalizeParts(draft, name, value, scope);
  if (numberText(value) !== undefined) {
    if (!unitApart) draft.leave(name, { code: 'measure.no-unit', detail: 'The number names no unit.' });
    return;
  }
  if (typeof value !== 'string') {
    draft.leave(name, { code: 'measure.wrong-type', detail: 'A measure is a text, or an object of value and unit.' });
    return;
  }
  if (unitApart) return normalizeValue(draft, name, value, scope);
  const measure = readMeasure(value, dimensionsOf(name), scope.conventions?.decimalMark, scope.suggestions.unit);
  if (measure.kind !== 'read') return leaveOpen(draft, name, 'measure', measure);
  const { confidence } = measure;
  draft.set(name, canonicalMeasure(measure.value, scope.options), { rule: 'measure.canonical', confidence });
}

function normalizeParts(draft: Draft, name: string, parts: JsonObject, scope: Scope): void {
  const inner = new Draft(parts, draft.path + segment(name), draft.findings);
  const value = inner.text('value');
  if (value !== undefined) normalizeValue(inner, 'value', value, scope);
  normalizeUnit(inner, 'unit', scope, name);
  draft.put(name, inner.toObject());
}

/** Plain decimal text is how this service writes numbers, so no locale may read it another way. */
function normalizeValue(draft: Draft, name: string, text: string, { conventions }: Scope): void {
  if (PLAIN.test(text)) return;
  const number = readNumber(text, conventions?.decimalMark);
  if (number.kind !== 'read') return leaveOpen(draft, name, 'number', number);
  draft.set(name, number.value, { rule: 'number.decimal', confidence: number.confidence });
}

export function normalizeUnit(draft: Draft, name: string, { suggestions }: Scope, measure = name): void {
  const text = draft.text(name);
  if (text === undefined) return;
  const unit = readUnit(text, dimensionsOf(measure), suggestions.unit);
  if (unit.kind !== 'read') return leaveOpen(draft, name, 'unit', unit);
  draft.set(name, unit.value.code, { rule: 'unit.code', confidence: unit.confidence });
}
