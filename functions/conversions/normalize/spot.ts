import type { Member } from '../fields/fields.ts';
import type { Draft } from './draft.ts';
import type { Scope } from './scope.ts';

/** One value that a rule normalizes: a member of an object, or an item of the list in it. */
export interface Spot {
  /** Where the value stands: the object, or the list with its indexes as names. */
  readonly draft: Draft;
  readonly key: string;
  /** The member that it belongs to, and the object that this stands in. */
  readonly name: string;
  readonly member: Member;
  readonly around: Draft;
  readonly scope: Scope;
}
