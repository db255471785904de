/** Compiles the rules of a Choice state. The only comparison here is that of a member with a text. */
import type { JsonObject } from '../../endpoint/json.ts';
import { compilePath, PathNotFound } from './path.ts';
import type { Scope } from './scope.ts';
import { StateError } from './state-error.ts';

export type Condition = (scope: Scope) => boolean;

/** @param rule without its `Next`. */
export function compileRule({ Variable, StringEquals, Comment: _, ...others }: JsonObject): Condition {
  const unknown = Object.keys(others);
  if (unknown.length > 0) throw new Error(`the local cloud does not have the comparison ${unknown.join(', ')}`);
  if (typeof Variable !== 'string' || typeof StringEquals !== 'string') {
    throw new Error('a rule needs Variable and StringEquals');
  }
  const read = compilePath(Variable);
  return (scope) => {
    try {
      return read(scope) === StringEquals;
    } catch (error) {
      if (!(error instanceof PathNotFound)) throw error;
      throw new StateError(
        'States.Runtime',
        `Invalid path: the choice state's condition path references an invalid value. ${error.message}.`,
      );
    }
  };
}
