import * as z from 'zod/mini';
import { Refusal } from '#shared/errors';

type Query = Readonly<Record<string, string>>;

/** Decodes the parameters by form rules: `+` and `%20` both mean a space. Refuses a parameter that occurs twice. */
export function queryOf(rawQueryString: string): Query {
  const repeated = repeatedParameter(rawQueryString);
  if (repeated !== undefined) throw new Refusal(400, 'invalid-input', twice(repeated));
  return Object.fromEntries(new URLSearchParams(rawQueryString));
}

/** The first parameter that occurs more than once. It is refused because only one of its values could be used. */
export function repeatedParameter(rawQueryString: string): string | undefined {
  const names = new Set<string>();
  for (const name of new URLSearchParams(rawQueryString).keys()) {
    if (names.has(name)) return name;
    names.add(name);
  }
  return undefined;
}

export const twice = (name: string): string => `${shortened(name)} appears twice`;

/** The description of a parameter in the document: a JSON schema. */
interface DescribedParameter {
  readonly type: 'string' | 'integer';
  readonly format?: 'int64';
  readonly description: string;
  readonly enum?: readonly string[];
  readonly default?: string | number;
  readonly minimum?: number;
  /** True if a call without the parameter is refused. @default false */
  readonly isRequired?: boolean;
}

/** Accepts these parameters and no others: a misspelled parameter is refused, not ignored. Their values are not checked. */
export function onlyParameters<const Name extends string>(parameters: Readonly<Record<Name, DescribedParameter>>) {
  const described = Object.entries<DescribedParameter>(parameters);
  const names = described.map(([name]) => name);
  const schema = z.pipe(
    z.record(z.string(), z.string()).check(({ value, issues }) => {
      const unknown = Object.keys(value).find((name) => !names.includes(name));
      if (unknown === undefined) return;
      const parametersOfCall = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`;
      issues.push({
        code: 'custom',
        input: value,
        message: `${shortened(unknown)} is no parameter of this call: ${parametersOfCall}`,
      });
    }),
    z.transform((value) => value as { readonly [Key in Name]?: string }),
  );
  z.globalRegistry.add(schema, {
    properties: Object.fromEntries(described.map(([name, { isRequired: _, ...own }]) => [name, own])),
    required: described.filter(([, { isRequired }]) => isRequired).map(([name]) => name),
  });
  return schema;
}

const NAME_CHARACTERS_MAX = 50;
const shortened = (name: string) => name.slice(0, NAME_CHARACTERS_MAX);
