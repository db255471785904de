import type { ManagementFailure } from '../management/management.ts';

/** The faults of a form by field, and a failure that belongs to no field. */
export interface RefusedForm {
  readonly wrong: Readonly<Record<string, string>>;
  readonly failure: ManagementFailure | undefined;
  readonly status: number;
}

export const ACCEPTED: RefusedForm = { wrong: {}, failure: undefined, status: 200 };

interface Placing {
  /** The fields of members that have another name in the API. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The fields that error codes of the API refer to. */
  readonly codes?: Readonly<Record<string, string>>;
}

/** Assigns each fault to its field. The API lists faults with pointers, or names a single member before a colon. */
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
