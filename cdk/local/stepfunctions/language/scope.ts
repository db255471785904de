/** The values that the expressions of a state read. */
import type { Json, JsonObject } from '../../endpoint/json.ts';

export interface Scope {
  /** The value of `$`. */
  readonly input: Json;
  /** The context object, which `$$` stands for. */
  readonly context: JsonObject;
}

/** A path or a payload template, ready to be evaluated. */
export type Reader = (scope: Scope) => Json;
