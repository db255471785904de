import { isJsonObject, type Json } from './plain-json.ts';

/** The keywords of JSON Schema 2020-12 that hold further schemas. */
export const HOLDS_SCHEMA: ReadonlySet<string> = new Set([
  'additionalProperties',
  'propertyNames',
  'items',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
export const HOLDS_SCHEMAS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
export const HOLDS_NAMED_SCHEMAS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
]);
/** Schemas that apply only where a `$ref` leads to them. */
export const DEFINITIONS: ReadonlySet<string> = new Set(['$defs', 'definitions']);

/** Keywords that would change a verdict and are not supported, with advice on each. */
export const UNSUPPORTED: ReadonlyMap<string, string> = new Map([
  ['$dynamicRef', 'Use $ref.'],
  ['$dynamicAnchor', 'Use $anchor.'],
  ['$recursiveRef', 'It is not part of JSON Schema 2020-12. Use $ref.'],
  ['$recursiveAnchor', 'It is not part of JSON Schema 2020-12. Use $anchor.'],
  ['$data', 'Values of a schema stand in the schema itself.'],
  ['dependencies', 'Use dependentRequired or dependentSchemas.'],
  ['additionalItems', 'It is not part of JSON Schema 2020-12. Use items beside prefixItems.'],
]);

interface Shape {
  readonly is: string;
  readonly fits: (value: Json) => boolean;
}

const COUNT: Shape = {
  is: 'a whole number that is not negative',
  fits: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
};
const NUMBER: Shape = { is: 'a number', fits: (value) => typeof value === 'number' };
const TEXT: Shape = { is: 'text', fits: (value) => typeof value === 'string' };
const isNames = (value: Json): boolean =>
  Array.isArray(value) && value.every((name) => typeof name === 'string') && new Set(value).size === value.length;
const NAMES: Shape = { is: 'a list of different names', fits: isNames };
const TYPES = new Set<Json>(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']);

/** The keywords that hold values, and what these must be. Other keywords annotate, so they change no verdict. */
export const VALUES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  [
    'type',
    {
      is: 'a type, or a list of different types',
      fits: (value) => TYPES.has(value) || (isNames(value) && (value as Json[]).every((type) => TYPES.has(type))),
    },
  ],
  ['enum', { is: 'a list that is not empty', fits: (value) => Array.isArray(value) && value.length > 0 }],
  ['const', { is: 'a value', fits: () => true }],
  ['multipleOf', { is: 'a number above 0', fits: (value) => typeof value === 'number' && value > 0 }],
  ['maximum', NUMBER],
  ['exclusiveMaximum', NUMBER],
  ['minimum', NUMBER],
  ['exclusiveMinimum', NUMBER],
  ['maxLength', COUNT],
  ['minLength', COUNT],
  ['pattern', TEXT],
  ['format', TEXT],
  ['maxItems', COUNT],
  ['minItems', COUNT],
  ['uniqueItems', { is: 'true or false', fits: (value) => typeof value === 'boolean' }],
  ['maxContains', COUNT],
  ['minContains', COUNT],
  ['maxProperties', COUNT],
  ['minProperties', COUNT],
  ['required', NAMES],
  [
    'dependentRequired',
    {
      is: 'an object of lists of different names',
      fits: (value) => isJsonObject(value) && Object.values(value).every(isNames),
    },
  ],
]);

/** Formats that are checked. As JSON Schema says, an unknown one only annotates. */
export const FORMATS: ReadonlySet<string> = new Set([
  'date',
  'time',
  'date-time',
  'iso-time',
  'iso-date-time',
  'duration',
  'uri',
  'uri-reference',
  'uri-template',
  'url',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'regex',
  'uuid',
  'json-pointer',
  'json-pointer-uri-fragment',
  'relative-json-pointer',
  'byte',
  'int32',
  'int64',
  'float',
  'double',
]);
