import type { Form } from '../pages/form.ts';
import type { DataToken } from './account-answers.ts';

/** The fields of a data token that can be changed, as text. */
export interface TokenFields {
  readonly credit: 'add' | 'set';
  readonly downloads: string;
  readonly monthlyDownloads: string;
  readonly planId: string;
}

export const tokenFieldsOf = ({ planId, monthlyDownloads }: DataToken): TokenFields => ({
  credit: 'add',
  downloads: '',
  monthlyDownloads: monthlyDownloads === undefined ? '' : String(monthlyDownloads),
  planId,
});

export const statedTokenFields = (form: Form): TokenFields => ({
  credit: form.text('credit') === 'set' ? 'set' : 'add',
  downloads: form.text('downloads').trim(),
  monthlyDownloads: form.text('monthlyDownloads').trim(),
  planId: form.text('planId').trim(),
});

/** Returns the changed fields. An empty monthly credit ends renewals; empty downloads leave the credit as it is. */
export function tokenChangesOf(fields: TokenFields, stored: DataToken): Readonly<Record<string, unknown>> {
  const { credit, downloads, monthlyDownloads, planId } = fields;
  const monthly = monthlyDownloads === '' ? null : numberIn(monthlyDownloads);
  return {
    ...(downloads !== '' && { [credit === 'set' ? 'availableDownloads' : 'addDownloads']: numberIn(downloads) }),
    ...(monthly !== (stored.monthlyDownloads ?? null) && { monthlyDownloads: monthly }),
    ...(planId !== stored.planId && { planId }),
  };
}

/** A number, or the text as it is: the API says what is wrong with it. */
export const numberIn = (text: string): number | string =>
  /^\d{1,3}(?:,\d{3})*$|^\d{1,13}$/.test(text) ? Number(text.replaceAll(',', '')) : text;
