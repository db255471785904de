/** The `Condition` block of a policy statement. */

/** Operator, then condition key, then the values of the policy. */
export type Conditions = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

export function checkConditions(_conditions: Conditions): void {}
