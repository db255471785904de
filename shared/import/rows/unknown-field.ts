import { nearestNames } from './nearest-names.ts';
import { SHOWN } from './reasons.ts';

/** The fields of what is imported. */
export interface FieldNames {
  /** `business`, of which there is the "business schema". */
  readonly singular: string;
  readonly names: readonly string[];
}

/** The complaint about a name that no field has, with the nearest that some have. */
export function unknownField(name: string, { singular, names }: FieldNames): string {
  const shown = name.slice(0, SHOWN);
  const near = nearestNames(shown, names);
  const hint = near.length > 0 ? `; did you mean ${near.join(' or ')}?` : '';
  return `${shown} does not exist in ${singular} schema${hint}`;
}
