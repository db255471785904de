import { legalFormOf, splitLegalForm } from '../values/texts/legal-forms.ts';
import { tidyLine } from '../values/texts/tidy.ts';
import type { Spot } from './spot.ts';

/**
 * Separates the legal form of a business from its name. If the record already states a form, the name loses it only if
 * both agree.
 */
export function normalizeName({ draft, key: name, around, scope }: Spot): void {
  const text = draft.text(name);
  if (text === undefined) return;
  const isCompany = scope.type === 'business' && around.path === '' && draft === around;
  const split = isCompany ? splitLegalForm(text, scope.country) : undefined;
  if (split === undefined) {
    draft.set(name, tidyLine(text), { rule: 'text.tidy', confidence: 'high' });
    return;
  }
  const { legalForm, confidence } = split;
  const recordForm = draft.get('legalForm');
  if (!draft.isFree('legalForm') && (typeof recordForm !== 'string' || legalFormOf(recordForm) !== legalForm)) {
    draft.set(name, tidyLine(text), { rule: 'text.tidy', confidence: 'high' });
    const detail = `The name ends in ${legalForm}, which is not the legal form of the record.`;
    draft.leave(name, { code: 'name.legal-form', detail, candidates: [legalForm] });
    return;
  }
  draft.set(name, split.name, { rule: 'name.legal-form', confidence });
  draft.set('legalForm', legalForm, { rule: 'name.legal-form', confidence }, name);
}
