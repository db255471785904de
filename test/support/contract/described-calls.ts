import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Json } from '../../../functions/reference/documents/components.ts';
import { belongsTo, errorsOf, openApiDocument, partsOf } from '../../../functions/reference/documents/document.ts';
import { INTERFACES } from '../../../functions/reference/documents/documents.ts';
import { GROUPS } from '../../../functions/reference/documents/groups.ts';
import type { Interface } from '../../../functions/reference/documents/interface.ts';
import type { Operation } from '../../../shared/http/operation.ts';

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Headers that belong to HTTP, the gateway or every answer; documents do not name them. */
const OF_HTTP = new Set(
  'access-control-allow-origin access-control-expose-headers apigw-requestid cache-control connection content-encoding content-length content-type date etag keep-alive pragma strict-transport-security transfer-encoding vary x-content-type-options'.split(
    ' ',
  ),
);

const ROOT = 'https://openapi.invalid';
const interfaces: readonly Interface[] = Object.values(INTERFACES);
const operations = Object.values(GROUPS)
  .flat()
  .flatMap((group) => Object.values<Operation>(group.operations));

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
const described = new Map<Operation, DescribedOperation>();
const compiled = new Map<string, ValidateFunction>();

interface DescribedOperation {
  readonly responses: Readonly<
    Record<string, { readonly headers?: object; readonly content?: Readonly<Record<string, object>> } | undefined>
  >;
}

/** The operation in a document of its own, because a document of all takes half a second. */
function describedOperation(served: Interface, operation: Operation): DescribedOperation {
  const cached = described.get(operation);
  if (cached) return cached;
  const groups = [{ tag: '', description: '', operations: { operation } }];
  const document = JSON.parse(JSON.stringify(openApiDocument(served, groups, { url: ROOT, isStrict: true })));
  ajv.addSchema({ $id: idOf(operation), ...document });
  const [method, path] = partsOf(operation.route);
  described.set(operation, document.paths[path][method]);
  return document.paths[path][method];
}

const idOf = ({ route }: Operation) => `${ROOT}/${encodeURIComponent(route)}`;

/** Throws if a document describes the operation and not this answer: its status, body, code or a header. */
export function checkDescribed(method: string, target: string, answer: Answered): void {
  const { pathname } = new URL(target, ROOT);
  const operationMethod = method === 'HEAD' ? 'get' : method.toLowerCase();
  for (const served of interfaces) {
    const operation = operationAt(served, operationMethod, pathname);
    if (!operation) continue;
    const what = `${method} ${pathname}: ${answer.status}`;
    const response = describedOperation(served, operation).responses[answer.status];
    // The entity tag decides whether there is a body.
    if (answer.status === 304) return;
    if (response === undefined) throw new Error(`${what} is not described: ${answer.text}`);
    checkHeaders(response.headers ?? {}, answer, what);
    if (method === 'HEAD') return;
    const type = (answer.headers.get('content-type') ?? '').split(';')[0] ?? '';
    const content = response.content?.[type];
    if (answer.text === '' && response.content === undefined) return;
    if (content === undefined) throw new Error(`${what} has the type ${type}, which is not described: ${answer.text}`);
    if (!type.endsWith('json')) return;
    const validate = validator(operation, ['responses', String(answer.status), 'content', type, 'schema']);
    const value: Json = JSON.parse(answer.text);
    if (!validate(value)) {
      const faults = (validate.errors ?? []).map(
        (fault) => `${fault.instancePath} ${fault.message} ${JSON.stringify(fault.params)}`,
      );
      throw new Error(`${what} is not as described:\n${faults.join('\n')}\n${answer.text}`);
    }
    checkCode(errorsOf(served, operation)[answer.status] ?? [], codeIn(served, value), what);
  }
}

/** Returns whether the document lets clients send a body. @param route such as `POST /v1/convert` */
export function isDescribedBody(route: string, body: unknown): boolean {
  const operation = operations.find((one) => one.route === route);
  const served = operation && interfaces.find((one) => belongsTo(one, route));
  if (!served) throw new Error(`No document describes ${route}.`);
  describedOperation(served, operation);
  return validator(operation, ['requestBody', 'content', 'application/json', 'schema'])(body);
}

/** Returns whether a document has the operation of a request and lets clients send its body. */
export function isDescribedRequest(method: string, pathname: string, body: unknown): boolean {
  return interfaces.some((served) => {
    const operation = operationAt(served, method.toLowerCase(), pathname);
    if (operation === undefined) return false;
    return operation.body === undefined ? body === undefined : isDescribedBody(operation.route, body);
  });
}

function operationAt(served: Interface, method: string, pathname: string): Operation | undefined {
  const segments = pathname.split('/');
  const fitting = operations.filter(({ route }) => {
    const [of, path] = partsOf(route);
    const parts = path.split('/');
    return (
      of === method &&
      belongsTo(served, route) &&
      parts.length === segments.length &&
      parts.every((part, index) => (part.startsWith('{') ? segments[index] !== '' : part === segments[index]))
    );
  });
  return fitting.sort((one, other) => one.route.split('{').length - other.route.split('{').length)[0];
}

const codeIn = ({ error: { codeOf = (body) => body['code'] } }: Interface, value: Json): unknown => codeOf(value);

function checkCode(described: readonly string[], code: unknown, what: string): void {
  if (described.length === 0 || typeof code !== 'string' || described.includes(code)) return;
  throw new Error(`${what} has the code ${code}, which is not described.`);
}

function checkHeaders(named: object, { status, headers }: Answered, what: string): void {
  const documented = new Set(Object.keys(named).map((name) => name.toLowerCase()));
  const undescribed = [...headers.keys()].filter((name) => !OF_HTTP.has(name) && !documented.has(name));
  if (status === 201 && 'Location' in named && !headers.has('location')) throw new Error(`${what} lacks its Location.`);
  if (undescribed.length > 0) throw new Error(`${what} has undescribed headers: ${undescribed.join(', ')}.`);
}

const escaped = (name: string) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));

function validator(operation: Operation, place: readonly string[]): ValidateFunction {
  const [method, path] = partsOf(operation.route);
  const $ref = `${idOf(operation)}#/${['paths', path, method, ...place].map(escaped).join('/')}`;
  const validate = compiled.get($ref) ?? ajv.compile({ $ref });
  compiled.set($ref, validate);
  return validate;
}
