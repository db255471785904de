import * as z from 'zod';
import type { MediaType, Operation } from '#shared/http/operation';
import { Components, type Json } from './components.ts';
import { type DescribedEvent, EVENTS_TAG, webhooksOf } from './events.ts';
import type { ErrorShape, Group, Interface } from './interface.ts';

interface Options {
  /** @see Components */
  readonly isStrict?: boolean;
  /** The address of the API. */
  readonly url: string;
  /** The events that the service announces itself. @default none */
  readonly events?: readonly DescribedEvent[];
}

/** The OpenAPI document of an interface, with those of the groups' operations that belong to it. */
export function openApiDocument(
  served: Interface,
  groups: readonly Group[],
  { url, events = [], ...options }: Options,
): Json {
  const components = new Components(options);
  const paths = new Map<string, Json>();
  const tags = groups.flatMap(({ tag, description, operations }) => {
    const own = Object.entries(operations).filter(([, { route }]) => belongsTo(served, route));
    for (const [id, operation] of own) {
      const [method, path] = partsOf(operation.route);
      paths.set(path, { ...paths.get(path), [method]: operationObject({ served, components, tag, id, operation }) });
    }
    return own.length > 0 ? [{ name: tag, description }] : [];
  });
  return {
    openapi: '3.1.0',
    info: {
      title: served.title,
      version: served.version,
      description: served.description,
      contact: { name: 'The operators of this deployment' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url }],
    security: served.security,
    tags: [...tags, ...(events.length > 0 ? [EVENTS_TAG] : [])],
    paths: Object.fromEntries(paths),
    ...(events.length > 0 && { webhooks: webhooksOf(events, components) }),
    components: { securitySchemes: served.securitySchemes, schemas: components.all() },
  };
}

/** Returns whether a route is one of the interface. */
export const belongsTo = ({ prefixes }: Interface, route: string): boolean =>
  prefixes.some((prefix) => partsOf(route)[1].startsWith(prefix));

/** The method in lower case, and the path. */
export function partsOf(route: string): readonly [method: string, path: string] {
  const [method = '', path = ''] = route.split(' ');
  return [method.toLowerCase(), path];
}

/** The codes of all errors of an operation, by status. */
export function errorsOf(served: Interface, operation: Operation): Readonly<Record<number, readonly string[]>> {
  const own = operation.errors ?? {};
  const common = served.errorsOf(operation);
  const statuses = [...new Set([...Object.keys(common), ...Object.keys(own)])].map(Number);
  return Object.fromEntries(
    statuses.map((status) => [status, [...new Set([...(common[status] ?? []), ...(own[status] ?? [])])]]),
  );
}

interface Part {
  readonly served: Interface;
  readonly components: Components;
  readonly tag: string;
  readonly id: string;
  readonly operation: Operation;
}

function operationObject(part: Part): Json {
  const { tag, id, operation } = part;
  const { summary, description, body, example, bodyType = 'application/json', isPublic = false } = operation;
  const schemaOf = (schema: z.core.$ZodType) => part.components.schemaOf(schema, 'input');
  const others = Object.entries(operation.otherBodies ?? {});
  const content = body && {
    [bodyType]: { schema: schemaOf(body), ...(example !== undefined && { example }) },
    ...Object.fromEntries(others.map(([type, schema]) => [type, { schema: schemaOf(schema) }])),
  };
  return {
    operationId: id,
    summary,
    // Rules of linters ask for one.
    description: description ?? `${summary}.`,
    tags: [tag],
    ...(isPublic && { security: [] }),
    ...(operation.isRepeatable === false && { 'x-repeatable': false }),
    parameters: parametersOf(part),
    ...(content && { requestBody: { required: !isOptional(body), content } }),
    responses: responsesOf(part),
  };
}

/** Returns whether a request may have no body. */
const isOptional = (schema: z.core.$ZodType | undefined) => schema instanceof z.ZodPrefault;

function parametersOf({ served, components, operation }: Part): readonly Json[] {
  const [, path] = partsOf(operation.route);
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const ofPath = operation.path ? membersOf(components, operation.path) : [];
  const inPath = names.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: ofPath.find((member) => member.name === name)?.schema ?? { type: 'string' },
  }));
  const inQuery = (operation.query ? membersOf(components, operation.query) : []).map(
    ({ name, schema: { description, ...schema }, isRequired }) => ({
      name,
      in: 'query',
      ...(description !== undefined && { description }),
      ...(isRequired ? { required: true } : served.ignoresEmpty && { allowEmptyValue: true }),
      schema,
    }),
  );
  return [...inPath, ...inQuery, ...(served.parameters?.(operation) ?? [])];
}

function membersOf(components: Components, schema: z.core.$ZodType) {
  const { properties = {}, required = [] } = components.schemaOf(schema, 'input');
  return Object.entries(properties as Readonly<Record<string, Json>>).map(([name, member]) => ({
    name,
    schema: member,
    isRequired: (required as readonly string[]).includes(name),
  }));
}

/** The responses of an operation, by status. A status that both answers and errors have is one of the two. */
function responsesOf(part: Part): Json {
  const [answers, errors] = [answersOf(part), errorAnswers(part)];
  const shared = Object.keys(answers).filter((status) => errors[status] !== undefined);
  const both = shared.map((status) => [status, eitherOf(answers[status], errors[status], part)]);
  return { ...answers, ...errors, ...Object.fromEntries(both) };
}

function eitherOf(answer: Response | undefined, error: Response | undefined, { served }: Part): Response {
  const { mediaType, discriminator } = served.error;
  const [success, failure] = [answer, error].map((response) => response?.content?.[mediaType]?.schema);
  if (!discriminator || !success || !failure) throw new Error('An answer and an error of one status look alike.');
  const { propertyName, ...values } = discriminator;
  const mapping = { [values.answer]: success['$ref'], [values.error]: failure['$ref'] };
  const schema = { oneOf: [success, failure], discriminator: { propertyName, mapping } };
  return {
    description: `By \`${propertyName}\`, success or an error. ${error?.description}`,
    headers: { ...answer?.headers, ...error?.headers },
    content: { [mediaType]: { schema } },
  };
}

interface Response {
  readonly description: string;
  readonly headers: Json;
  readonly content?: Readonly<Record<string, { readonly schema: Json }>>;
}

type Responses = Readonly<Record<string, Response>>;

function answersOf({ served, components, operation }: Part): Responses {
  const headers = headerObjects({ ...served.headers, ...served.ownHeaders?.(operation), ...operation.headers });
  return Object.fromEntries(
    Object.entries(operation.answers).map(([status, answer]) => [
      status,
      {
        description: DESCRIPTIONS[Number(status)] ?? 'Success.',
        headers: LOCATED.has(status) ? { Location: LOCATION, ...headers } : headers,
        ...(answer && { content: contentOf(components, answer) }),
      },
    ]),
  );
}

const contentOf = (components: Components, answer: z.core.$ZodType | MediaType): NonNullable<Response['content']> =>
  'mediaType' in answer
    ? { [answer.mediaType]: { schema: { type: 'string' } } }
    : { 'application/json': { schema: components.schemaOf(answer, 'output') } };

function errorAnswers({ served, components, operation }: Part): Responses {
  // The gateway itself refuses bodies of more than 10 MB.
  const gateway = [...served.gateway, ...(operation.body ? [413] : [])];
  const { errorBody } = operation;
  const error: ErrorShape = errorBody
    ? { mediaType: 'application/json', schema: () => components.schemaOf(errorBody, 'output') }
    : served.error;
  const errors = errorsOf(served, operation);
  const statuses = [...new Set([...Object.keys(errors).map(Number), ...gateway])].sort((one, other) => one - other);
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = errors[status] ?? [];
      const content: Record<string, { schema: Json }> = {
        ...(codes.length > 0 && { [error.mediaType]: { schema: error.schema(components, status) } }),
      };
      if (gateway.includes(status)) {
        const message = components.schemaOf(GatewayMessage, 'output');
        const own = content['application/json'];
        content['application/json'] = { schema: own ? { anyOf: [own.schema, message] } : message };
      }
      const headers = headerObjects(served.errorHeaders(status, operation));
      const description =
        served.errorMeanings?.[status] ??
        (codes.length > 0 ? `Codes: ${codes.join(', ')}.` : 'The gateway refuses the call.');
      return [status, { description, headers, content }];
    }),
  );
}

const GatewayMessage = z.object({ message: z.string() }).meta({
  id: 'GatewayMessage',
  description: 'What the gateway answers itself, before a function is asked.',
});

const headerObjects = (headers: Readonly<Record<string, string>>): Json =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, schema: { type: NUMBERS.test(name) ? 'integer' : 'string' } },
    ]),
  );

const NUMBERS = /^(?:RateLimit-(?:Limit|Remaining|Reset)|X-Quota-.*|Retry-After)$/;

/** The statuses of answers that name a resource. */
const LOCATED: ReadonlySet<string> = new Set(['201', '303']);
const LOCATION = { description: 'The path of the new resource.', schema: { type: 'string' } };

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted: the work goes on.',
  204: 'Done. There is no body.',
  303: 'See the resource that Location names.',
};
