import type { ManagementFailure } from '../management/management.ts';

/** What is wrong with a form, by the field where the management API found it, and what belongs to no field. */
export interface RefusedForm {
  readonly wrong: Readonly<Record<string, string>>;
  readonly failure: ManagementFailure | undefined;
  readonly status: number;
}

export const ACCEPTED: RefusedForm = { wrong: {}, failure: undefined, status: 200 };

interface Placing {
  /** Members of the API that have fields of other names here. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The field that a code of the API is about. */
  readonly codes?: Readonly<Record<string, string>>;
}

/** Puts a refusal beside its field: the API names the member in front of a colon. */
export function refusedForm(failure: ManagementFailure, { fields = {}, codes = {} }: Placing = {}): RefusedForm {
  const { status, code, detail } = failure;
  const [, member, message] = /^([\w.]+): (.+)$/s.exec(code === 'invalid-input' ? detail : '') ?? [];
  const field = codes[code] ?? (member && (fields[member] ?? member));
  if (field === undefined || field === '') return { wrong: {}, failure, status };
  return { wrong: { [field]: message ?? detail }, failure: undefined, status };
}
