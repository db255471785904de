import { LEGAL_FORMS, type LegalForm } from './legal-form-table.ts';
import type { Confidence } from './reading.ts';
import { tidyLine } from './tidy.ts';

/** The most words of a form, spelled out or with a space after each point. */
const WORDS_MAX = 6;

/** The longest name that is searched for a form. */
const NAME_CHARACTERS_MAX = 400;

export interface SplitName {
  readonly name: string;
  readonly legalForm: string;
  readonly confidence: Confidence;
}

const keyOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s.,]/g, '')
    .normalize('NFC');

/** Two countries may write two forms alike: `AS` and `a.s.`. */
const forms = new Map<string, LegalForm[]>();
for (const legalForm of LEGAL_FORMS) {
  for (const key of new Set([legalForm.form, ...(legalForm.also ?? [])].map(keyOf)))
    forms.set(key, [...(forms.get(key) ?? []), legalForm]);
}

/** The canonical spelling of the form: `G.m.b.H.` is `GmbH`. Undefined for a form that is not in the table. */
export function legalFormOf(text: string): string | undefined {
  const candidates = text.length > NAME_CHARACTERS_MAX ? [] : (forms.get(keyOf(text)) ?? []);
  return (candidates.find(({ form }) => form === text) ?? candidates[0])?.form;
}

/** The name without the form at its end, or, for the forms that stand there, at its start. */
export function splitLegalForm(text: string, country?: string): SplitName | undefined {
  const whole = tidyLine(text);
  if (whole.length > NAME_CHARACTERS_MAX) return undefined;
  const words = whole.split(' ');
  for (let count = Math.min(WORDS_MAX, words.length - 1); count > 0; count--) {
    const [rest, tail] = [words.slice(0, -count).join(' '), words.slice(-count).join(' ')];
    const split = matching(rest, tail, country);
    if (split) return split;
  }
  const head = words[0] ?? '';
  const led = words.length > 1 ? matching(words.slice(1).join(' '), head, country) : undefined;
  return led && forms.get(keyOf(head))?.some(({ leads }) => leads) ? led : attached(whole);
}

function matching(rest: string, written: string, country: string | undefined): SplitName | undefined {
  const name = rest.replace(/[\s,]+$/, '').replace(/^[\s,]+/, '');
  if (!/[\p{L}\p{N}]/u.test(name)) return undefined;
  for (const { form, countries } of forms.get(keyOf(written)) ?? []) {
    if (countries === undefined || isSpelledOut(written, form)) return { name, legalForm: form, confidence: 'high' };
    const isThere = country === undefined || countries.includes(country);
    if (isThere && isWrittenAsForm(written, form))
      return { name, legalForm: form, confidence: country === undefined ? 'medium' : 'high' };
  }
  return undefined;
}

function isWrittenAsForm(written: string, form: string): boolean {
  return /\p{L}\./u.test(written) || written.replace(/[,\s]/g, '') === form;
}

/** The full words of a form are unambiguous. */
const isSpelledOut = (written: string, form: string): boolean => keyOf(written).length > keyOf(form).length + 3;

/** Japanese and Chinese names have no space before or after the form. */
function attached(whole: string): SplitName | undefined {
  for (const form of ['株式会社', '有限会社', '有限公司']) {
    const name = whole.startsWith(form)
      ? whole.slice(form.length)
      : whole.endsWith(form)
        ? whole.slice(0, -form.length)
        : '';
    if (name.trim() !== '') return { name: name.trim(), legalForm: form, confidence: 'high' };
  }
  return undefined;
}
