/** What a document promises to clients, as lines of text: recorded in `recorded/`, compared by `breaking-changes.ts`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DocumentPath, documentAt, INTERFACES } from '../../../functions/reference/documents/documents.ts';
import { GROUPS } from '../../../functions/reference/documents/groups.ts';

/** The facts of each subject: of an operation, a parameter, a status or a member. */
export type Contract = ReadonlyMap<string, readonly string[]>;

// oxlint-disable-next-line typescript/no-explicit-any -- JSON of a document, or of one that a test changes
export type Json = Readonly<Record<string, any>>;

/** Who sends a schema. A client may depend on less of what it gets than of what it sends. */
type Direction = 'request' | 'answer';

export const DOCUMENT_PATHS = Object.keys(INTERFACES) as readonly DocumentPath[];

/** The document of an interface with all domains, as JSON. */
export const documentNow = (path: DocumentPath): Json =>
  JSON.parse(JSON.stringify(documentAt(path, { domains: Object.keys(GROUPS), url: 'https://api.invalid' })));

export const recordedContract = (path: DocumentPath): Contract =>
  new Map(
    readFileSync(fileOf(path), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [subject = '', facts] = line.split(/: (.*)/s);
        return [subject, facts ? facts.split(SEPARATOR) : []];
      }),
  );

export const recordContract = (path: DocumentPath, contract: Contract): void =>
  writeFileSync(
    fileOf(path),
    [...contract].map(([subject, facts]) => `${subject}: ${facts.join(SEPARATOR)}\n`).join(''),
  );

const fileOf = (path: DocumentPath) =>
  join(import.meta.dirname, 'recorded', `${path.slice(1).replace('/openapi.json', '').replaceAll('/', '-')}.txt`);

const SEPARATOR = ' · ';

export function contractOf(document: Json): Contract {
  const lines = new Map<string, readonly string[]>([['version', [document['info'].version]]]);
  const uses: Record<Direction, Set<string>> = { request: new Set(), answer: new Set() };

  function add(subject: string, schema: Json, direction: Direction, own: readonly string[] = []): void {
    for (const name of referencesIn(schema)) uses[direction].add(name);
    for (const [place, facts] of nodesOf(subject, schema)) {
      if (lines.has(place)) throw new Error(`Two schemas have the place ${place}.`);
      lines.set(place, place === subject ? [...own, ...facts] : facts);
    }
  }
  function addContent(subject: string, content: Json, direction: Direction): void {
    for (const [type, { schema }] of Object.entries(content)) add(`${subject} ${type}`, schema, direction);
  }

  for (const [name, one] of operationsOf(document)) {
    const { operationId, parameters = [], requestBody, responses, security = document['security'] } = one;
    lines.set(name, [operationId, ...securityFacts(security)]);
    for (const { name: parameter, in: place, required, schema } of parameters)
      add(`request ${name} ${place} ${parameter}`, schema, 'request', required ? ['required'] : []);
    // The service sends the body of a webhook.
    if (requestBody) {
      const direction = name.startsWith(WEBHOOK) ? 'answer' : 'request';
      addContent(`${direction} ${name} body`, requestBody.content, direction);
    }
    for (const [status, { description = '', headers = {}, content = {} }] of Object.entries<Json>(responses)) {
      const bodies = Object.entries<Json>(content);
      const named = bodies.filter(([, { schema }]) => schema.$ref !== undefined);
      lines.set(`${name} ${status}`, [
        ...named.map(([type, { schema }]) => `${type} ${nameIn(schema.$ref)}`),
        ...headersOf(headers),
        ...codesOf(description),
      ]);
      for (const [, { schema }] of named) uses.answer.add(nameIn(schema.$ref));
      addContent(
        `answer ${name} ${status}`,
        Object.fromEntries(bodies.filter((body) => !named.includes(body))),
        'answer',
      );
    }
  }
  for (const direction of ['request', 'answer'] as const)
    for (const name of uses[direction]) add(`${direction} ${name}`, document['components'].schemas[name], direction);
  return lines;
}

const WEBHOOK = 'WEBHOOK ';

function operationsOf({ paths, webhooks = {} }: Json): [name: string, operation: Json][] {
  const operations = (table: Json, nameOf: (method: string, key: string) => string) =>
    Object.entries<Json>(table).flatMap(([key, methods]) =>
      Object.entries<Json>(methods).map(([method, one]): [string, Json] => [nameOf(method, key), one]),
    );
  return [
    ...operations(paths, (method, path) => `${method.toUpperCase()} ${path}`),
    ...operations(webhooks, (_, key) => `${WEBHOOK}${key}`),
  ];
}

const securityFacts = (security: readonly Json[]) =>
  security.length === 0 ? ['security none'] : security.map((way) => `security ${Object.keys(way).join('+')}`);
const headersOf = (headers: Json) => Object.keys(headers).map((name) => `header ${name}`);
const codesOf = (description: string) =>
  (/\bCodes: (.*)\.$/.exec(description)?.[1]?.split(', ') ?? []).map((code) => `code ${code}`);

const nameIn = (reference: string) => reference.split('/').at(-1) ?? '';

function referencesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === '$ref' ? [nameIn(String(member))] : name === 'mapping' ? [] : referencesIn(member),
  );
}

type Node = [place: string, facts: string[]];

/** A schema, and those within it, each with its place. */
function nodesOf(place: string, schema: Json): Node[] {
  const { properties = {}, required = [], items, additionalProperties } = schema;
  const choices = choicesOf(schema);
  const isPlain = choices.length < 2 || choices.every((choice) => Object.keys(choice).join() === '$ref');
  const [only = {}] = choices;
  if (choices.length === 1) return withNull(nodesOf(place, { ...schema, ...NO_CHOICE, ...only }), schema);
  const own = isPlain
    ? choices.map(({ $ref }) => nameIn($ref))
    : choices.map((choice, index) => `<${labelOf(choice, index)}>`);
  const types = choices.length > 0 ? own : typesOf(schema);
  const nodes: Node[] = [[place, [types.join(' | '), ...limitsOf(schema)]]];
  if (!isPlain) choices.forEach((choice, index) => nodes.push(...nodesOf(`${place}${own[index]}`, choice)));
  if (items) nodes.push(...nodesOf(`${place}[]`, items));
  if (typeof additionalProperties === 'object') nodes.push(...nodesOf(`${place}.*`, additionalProperties));
  for (const [name, member] of Object.entries<Json>(properties)) {
    const [[at, facts] = [place, []], ...rest] = nodesOf(`${place}.${name}`, member);
    nodes.push([at, required.includes(name) ? ['required', ...facts] : facts], ...rest);
  }
  return withNull(nodes, schema);
}

const NO_CHOICE = { anyOf: undefined, oneOf: undefined } as const;
const isNull = ({ type }: Json) => type === 'null';
const alternativesOf = ({ anyOf, oneOf }: Json): readonly Json[] => anyOf ?? oneOf ?? [];
const choicesOf = (schema: Json) => alternativesOf(schema).filter((one) => !isNull(one));

function withNull([first, ...rest]: Node[], schema: Json): Node[] {
  const [place, [types, ...facts]] = first ?? ['', []];
  return [[place, [alternativesOf(schema).some(isNull) ? `${types} | null` : (types ?? ''), ...facts]], ...rest];
}

/** Names an alternative by the value that tells it from the others, so that their order has no meaning. */
function labelOf({ properties = {}, type, format, $ref }: Json, index: number): string {
  const fixed = Object.entries<Json>(properties).find(([, member]) => member['const'] !== undefined);
  if (fixed) return `${fixed[0]}=${fixed[1]['const']}`;
  if ($ref) return nameIn($ref);
  return type === 'object' || !type ? `alternative ${index + 1}` : [type, format].filter(Boolean).join(' ');
}

function typesOf({ $ref, type, enum: values, const: only }: Json): readonly string[] {
  if ($ref) return [nameIn($ref)];
  if (type) return [type];
  return values || only !== undefined ? ['value'] : ['any'];
}

/** Members that say nothing of the values, or that are places of their own. */
const UNLIMITING = new Set(
  'type $ref description title examples example readOnly properties required items anyOf oneOf discriminator const enum additionalProperties contentEncoding'.split(
    ' ',
  ),
);

function limitsOf(schema: Json): string[] {
  const { enum: values, const: only, additionalProperties } = schema;
  const allowed = only === undefined ? values : [only];
  return [
    ...(allowed ? [`values ${JSON.stringify(allowed)}`] : []),
    ...(additionalProperties === false ? ['closed'] : []),
    ...Object.entries(schema).flatMap(([name, value]) =>
      UNLIMITING.has(name) || value === undefined ? [] : [`${name} ${JSON.stringify(value)}`],
    ),
  ];
}
