import type { ErrorObject } from 'ajv/dist/2020.js';
import { type Issue, issue } from './issues.ts';
import { pointerTo } from './pointer.ts';

/** Presents ajv's errors as issues. A failed alternative is reported as a whole only. */
export function schemaIssues(errors: readonly ErrorObject[]): Issue[] {
  const alternatives = errors.filter(
    ({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'contains',
  );
  const within = new Set(alternatives.map(({ schemaPath }) => `${schemaPath}/`));
  const relevant = errors.filter(
    ({ keyword, schemaPath, propertyName }) =>
      keyword !== 'if' &&
      (propertyName === undefined || keyword === 'propertyNames') &&
      ![...within].some((path) => schemaPath.startsWith(path)),
  );
  const different = new Map(
    relevant.map(schemaIssue).map((one) => [JSON.stringify([one.path, one.code, one.detail]), one]),
  );
  return [...different.values()];
}

function schemaIssue(error: ErrorObject): Issue {
  const { keyword, instancePath, params } = error;
  const suggestion = typeof params['allowedValue'] === 'string' ? params['allowedValue'] : undefined;
  const member = MEMBERS.get(keyword);
  const path = member === undefined ? instancePath : pointerTo(instancePath, String(params[member]));
  return issue('error', path, `schema.${keyword.replace(' ', '-')}`, { detail: detailOf(error), suggestion });
}

/** Keywords whose error is about a member of the value, and the parameter that names the member. */
const MEMBERS: ReadonlyMap<string, string> = new Map([
  ['required', 'missingProperty'],
  ['dependentRequired', 'missingProperty'],
  ['additionalProperties', 'additionalProperty'],
  ['unevaluatedProperties', 'unevaluatedProperty'],
  ['propertyNames', 'propertyName'],
]);

type Params = Readonly<Record<string, unknown>>;

const DETAILS: ReadonlyMap<string, (params: Params) => string> = new Map<string, (params: Params) => string>([
  ['type', ({ type }) => `The type must be ${[type].flat().join(' or ')}.`],
  ['required', () => 'This member is missing, and the schema requires it.'],
  ['dependentRequired', ({ property }) => `This member is missing, which is required beside ${quoted(property)}.`],
  ['additionalProperties', () => 'The schema allows no member of this name.'],
  ['unevaluatedProperties', () => 'The schema allows no member of this name.'],
  ['propertyNames', () => 'The schema allows no member of this name.'],
  ['unevaluatedItems', ({ len }) => `The list may have at most ${String(len)} items.`],
  ['items', ({ limit }) => `The list may have at most ${String(limit)} items.`],
  ['enum', ({ allowedValues }) => `The value must be one of ${listed(allowedValues as unknown[])}.`],
  ['const', ({ allowedValue }) => `The value must be ${quoted(allowedValue)}.`],
  ['pattern', ({ pattern }) => `The text does not match the pattern ${String(pattern)}.`],
  ['format', ({ format }) => `The text is no ${String(format)}.`],
  ['multipleOf', ({ multipleOf }) => `The number must be a multiple of ${String(multipleOf)}.`],
  ['minimum', ({ limit }) => `The number must be at least ${String(limit)}.`],
  ['maximum', ({ limit }) => `The number must be at most ${String(limit)}.`],
  ['exclusiveMinimum', ({ limit }) => `The number must be above ${String(limit)}.`],
  ['exclusiveMaximum', ({ limit }) => `The number must be below ${String(limit)}.`],
  ['minLength', ({ limit }) => `The text must have at least ${String(limit)} characters.`],
  ['maxLength', ({ limit }) => `The text may have at most ${String(limit)} characters.`],
  ['minItems', ({ limit }) => `The list must have at least ${String(limit)} items.`],
  ['maxItems', ({ limit }) => `The list may have at most ${String(limit)} items.`],
  ['minProperties', ({ limit }) => `The object must have at least ${String(limit)} members.`],
  ['maxProperties', ({ limit }) => `The object may have at most ${String(limit)} members.`],
  ['uniqueItems', ({ i, j }) => `The items ${String(j)} and ${String(i)} of the list are the same.`],
  ['anyOf', () => 'The value matches none of the alternatives of the schema.'],
  [
    'oneOf',
    ({ passingSchemas }) =>
      passingSchemas === null
        ? 'The value matches none of the alternatives of the schema.'
        : 'The value matches several of the alternatives of the schema, and may match only one.',
  ],
  ['not', () => 'The value matches what the schema excludes.'],
  ['contains', () => 'The list has not as many items of the kind that the schema asks for.'],
  ['false schema', () => 'The schema allows no value here.'],
]);

const detailOf = ({ keyword, params, message }: ErrorObject): string | undefined =>
  DETAILS.get(keyword)?.(params) ?? message;

const SHOWN_CHARACTERS = 60;
const SHOWN_VALUES = 8;

function quoted(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > SHOWN_CHARACTERS ? `${Array.from(text).slice(0, SHOWN_CHARACTERS).join('')}...` : text;
}

function listed(values: readonly unknown[]): string {
  const list = values.slice(0, SHOWN_VALUES).map(quoted).join(', ');
  return values.length > SHOWN_VALUES ? `${list} and ${values.length - SHOWN_VALUES} more` : list;
}
