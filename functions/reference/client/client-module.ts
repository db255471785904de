import type { Json } from '../documents/components.ts';
import { comment, memberText, typeOf } from './typescript-types.ts';

/** An operation of a document. */
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Json }>> };
  readonly responses: Readonly<Record<string, Response>>;
  readonly 'x-repeatable'?: boolean;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Json;
  readonly description?: string;
}

interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: Json }>>;
}

interface Routed extends Operation {
  readonly method: string;
  readonly path: string;
}

/** The TypeScript module of an interface: its types, its codes of errors, and a client with a method per operation. */
export function clientModule(name: string, document: Json): string {
  const { paths, webhooks = {}, components, info } = document as unknown as Document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]): Routed => ({ ...operation, method: method.toUpperCase(), path }),
    ),
  );
  const codes = [...new Set(operations.flatMap(codesOf))].toSorted();
  return [
    `/** ${info.title} ${info.version}. Written by \`npm run client\`; do not edit. */`,
    `import { type Answer, ApiClient, type CallOptions } from './api-client.js';`,
    '',
    ...Object.entries({ ...components.schemas, ...eventsOf(webhooks) }).map(
      ([id, schema]) => `${comment(schema['description'])}export type ${id} = ${typeOf(schema)};\n`,
    ),
    `/** The codes of errors. */\nexport type ${name}Code = ${codes.map((code) => JSON.stringify(code)).join(' | ') || 'never'};\n`,
    `${comment(info.description)}export class ${name}Client extends ApiClient<${name}Code> {`,
    operations.map((operation) => methodsOf(operation, components.schemas)).join('\n\n'),
    '}\n',
  ].join('\n');
}

interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks?: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: { readonly schemas: Schemas };
}

type Schemas = Readonly<Record<string, Json>>;

/** The schemas of the events that the service sends, by name. */
const eventsOf = (webhooks: NonNullable<Document['webhooks']>): Schemas =>
  Object.fromEntries(
    Object.values(webhooks).map(({ post: { operationId, requestBody } }) => [
      `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`,
      requestBody?.content['application/json']?.schema ?? {},
    ]),
  );

const codesOf = ({ responses }: Operation): readonly string[] =>
  Object.values(responses).flatMap(({ description }) => /\bCodes: (.*)\.$/.exec(description)?.[1]?.split(', ') ?? []);

const KEY = 'Idempotency-Key';

function methodsOf(operation: Routed, schemas: Schemas): string {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const own = parameters.filter(({ name }) => name !== KEY);
  const body = requestBody?.content['application/json'] ?? Object.values(requestBody?.content ?? {})[0];
  const members = [
    ...own.map(({ name, schema, required = false, description: meaning }) =>
      memberText({ name, schema, isRequired: required, description: meaning }),
    ),
    ...(body ? [memberText({ name: 'body', schema: body.schema, isRequired: true, description: undefined })] : []),
  ];
  const isOptional = !body && own.every(({ required = false }) => !required);
  const input = members.length > 0 ? `input: {\n${members.join('\n')}\n}${isOptional ? ' = {}' : ''}, ` : '';
  const call = callText(operation, own, body !== undefined);
  const said = comment([...new Set([`${summary}.`, description])].filter(Boolean).join(' '));
  const method = `${said}${operationId}(${input}options: CallOptions = {}): Promise<Answer<${dataType(responses)}>> {
  return this.call(${call}, options);
}`;
  const item = itemType(operation, schemas);
  return item === undefined
    ? method
    : `${method}

/** ${summary}, page by page. */
${iteratorName(operationId)}(${input}options: CallOptions = {}): AsyncGenerator<${item}, void, undefined> {
  return this.items(${call}, options);
}`;
}

/** The argument of `call`: the route and where each member of the input goes. */
function callText(
  { method, path, parameters = [], ...operation }: Routed,
  own: readonly Parameter[],
  hasBody: boolean,
) {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `\${encodeURIComponent(input.${name})}`);
  const taken = (place: Parameter['in']) =>
    own
      .filter((parameter) => parameter.in === place)
      .map(({ name }) => `${JSON.stringify(name)}: input[${JSON.stringify(name)}]`)
      .join(', ');
  const [query, headers] = [taken('query'), taken('header')];
  return `{ ${[
    `method: ${JSON.stringify(method)}`,
    `path: \`${filled}\``,
    ...(query ? [`query: { ${query} }`] : []),
    ...(headers ? [`headers: { ${headers} }`] : []),
    ...(hasBody ? ['body: input.body'] : []),
    ...(hasBody && !operation.requestBody?.content['application/json'] ? ['isForm: true'] : []),
    ...(parameters.some(({ name }) => name === KEY) ? ['takesKey: true'] : []),
    ...(operation['x-repeatable'] === false ? ['isRepeatable: false'] : []),
  ].join(', ')} }`;
}

/** The content of the answers that are no errors. */
function dataType(responses: Operation['responses']): string {
  const types = Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .flatMap(([, { content }]) =>
      content ? Object.values(content).map(({ schema }) => successType(schema)) : ['undefined'],
    );
  return [...new Set(types)].join(' | ');
}

/** The client throws the errors among answers of the status 200. */
function successType(schema: Json): string {
  const { oneOf, discriminator } = schema as {
    oneOf?: readonly Json[];
    discriminator?: { mapping?: { error?: string } };
  };
  const error = discriminator?.mapping?.error;
  return typeOf(oneOf && error !== undefined ? { oneOf: oneOf.filter(({ $ref }) => $ref !== error) } : schema);
}

/** The type of the items of a list that has pages; undefined for other operations. */
function itemType({ parameters = [], responses }: Operation, schemas: Schemas): string | undefined {
  const { content, headers = {} } = responses['200'] ?? {};
  const schema = content?.['application/json']?.schema;
  if (!schema || !(parameters.some(({ name }) => name === 'cursor') || 'Link' in headers)) return undefined;
  const { type, properties = {} } = schemas[typeOf(schema)] ?? schema;
  if (type === 'array') return `${typeOf(schema)}[number]`;
  return 'items' in (properties as Json) ? `${typeOf(schema)}['items'][number]` : undefined;
}

const iteratorName = (operationId: string) => operationId.replace(/^[a-z]+/, 'iterate');
