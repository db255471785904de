import { marshalled } from './table.dynamodb.ts';

/**
 * What the placeholders of DynamoDB's expressions stand for: `:name` for the value `name`, and `#name` for the attribute
 * `name`, which is how an attribute is written whose name is a reserved word.
 */
export interface Placeholders {
  /** Undefined values are left out. */
  readonly values?: object;
  /** The attributes whose placeholder has another name: `{ slot: 'slot3' }` for `#slot`. */
  readonly names?: Readonly<Record<string, string>>;
}

/** The names and values of these expressions, as members of a call. DynamoDB accepts neither if it is empty. */
export function expressionParts(
  expressions: readonly (string | undefined)[],
  { values = {}, names = {} }: Placeholders,
) {
  const placeholders = expressions.flatMap((expression) => expression?.match(/#\w+/g) ?? []);
  const attributes = placeholders.map((name): [string, string] => [name, names[name.slice(1)] ?? name.slice(1)]);
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return {
    ...(attributes.length > 0 && { ExpressionAttributeNames: Object.fromEntries(attributes) }),
    ...(given.length > 0 && {
      ExpressionAttributeValues: marshalled(Object.fromEntries(given.map(([name, value]) => [`:${name}`, value]))),
    }),
  };
}
