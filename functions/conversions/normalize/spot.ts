import type { Member } from '../fields/fields.ts';
import type { Draft } from './draft.ts';
import type { Scope } from './scope.ts';

/** One value that a rule normalizes: a member of an object, or an item of the list in it. */
export interface Spot {
  /** The parent of the value: the object, or the list with its indexes as names. */
  readonly draft: Draft;
  readonly key: string;
  /** The member that the value belongs to, and the object that contains the member. */
  readonly name: string;
  readonly member: Member;
  readonly around: Draft;
  readonly scope: Scope;
}
