import { nearestNames } from './nearest-names.ts';
import { SHOWN } from './reasons.ts';

/** The field names of the imported type. */
export interface FieldNames {
  /** The singular, such as `business` in "business schema". */
  readonly singular: string;
  readonly names: readonly string[];
}

/** The complaint about an unknown name, with the most similar existing names. */
export function unknownField(name: string, { singular, names }: FieldNames): string {
  const excerpt = name.slice(0, SHOWN);
  const near = nearestNames(excerpt, names);
  const hint = near.length > 0 ? `; did you mean ${near.join(' or ')}?` : '';
  return `${excerpt} does not exist in ${singular} schema${hint}`;
}
