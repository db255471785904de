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

/** Puts each fault beside its field. The API lists them with pointers, or names the one member in front of a colon. */
export function refusedForm(failure: ManagementFailure, { fields = {}, codes = {} }: Placing = {}): RefusedForm {
  const { status, code, detail, errors } = failure;
  const placed = errors.map(({ pointer, detail: wrong }) => {
    const member = pointer.slice(1).replaceAll('/', '.');
    return [fields[member] ?? member, wrong] as const;
  });
  if (placed.length > 0 && placed.every(([field]) => field !== '')) {
    return { wrong: Object.fromEntries(placed), failure: undefined, status };
  }
  const [, member, message] = /^([\w.]+): (.+)$/s.exec(code === 'invalid-input' ? detail : '') ?? [];
  const field = codes[code] ?? (member && (fields[member] ?? member));
  if (field === undefined || field === '') return { wrong: {}, failure, status };
  return { wrong: { [field]: message ?? detail }, failure: undefined, status };
}
