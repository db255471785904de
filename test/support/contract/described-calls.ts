import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Json } from '../../../functions/reference/documents/components.ts';
import { belongsTo, errorsOf, partsOf } from '../../../functions/reference/documents/document.ts';
import { type DocumentPath, documentAt, INTERFACES } from '../../../functions/reference/documents/documents.ts';
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
const domains = Object.keys(GROUPS);
const described = (Object.entries(INTERFACES) as [DocumentPath, Interface][]).map(([path, served]) => {
  const document = JSON.parse(JSON.stringify(documentAt(path, { domains, url: ROOT, isStrict: true })));
  const operations = domains
    .flatMap((domain) => GROUPS[domain] ?? [])
    .flatMap(({ operations }) => Object.values<Operation>(operations))
    .filter(({ route }) => belongsTo(served, route));
  return { id: `${ROOT}${path}`, served, document, operations };
});

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
for (const { id, document } of described) ajv.addSchema({ $id: id, ...document });
const compiled = new Map<string, ValidateFunction>();

/** Throws if a document describes the operation and not this answer: its status, body, code or a header. */
export function checkDescribed(method: string, target: string, answer: Answered): void {
  const { pathname } = new URL(target, ROOT);
  const operationMethod = method === 'HEAD' ? 'get' : method.toLowerCase();
  for (const { id, served, document, operations } of described) {
    const operation = operationAt(operations, operationMethod, pathname);
    if (!operation) continue;
    const [, path] = partsOf(operation.route);
    const what = `${method} ${pathname}: ${answer.status}`;
    const response = document.paths[path][operationMethod].responses[answer.status];
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
    const place = ['paths', path, operationMethod, 'responses', String(answer.status), 'content', type, 'schema'];
    const validate = validator(`${id}#/${place.map(escaped).join('/')}`);
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
  const [method, path] = partsOf(route);
  const one = described.find(({ document }) => document.paths[path]?.[method]);
  const place = ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema'];
  return validator(`${one?.id}#/${place.map(escaped).join('/')}`)(body);
}

/** Returns whether a document has the operation of a request and lets clients send its body. */
export function isDescribedRequest(method: string, pathname: string, body: unknown): boolean {
  return described.some(({ operations }) => {
    const operation = operationAt(operations, method.toLowerCase(), pathname);
    if (operation === undefined) return false;
    return operation.body === undefined ? body === undefined : isDescribedBody(operation.route, body);
  });
}

function operationAt(operations: readonly Operation[], method: string, pathname: string): Operation | undefined {
  const segments = pathname.split('/');
  const fitting = operations.filter(({ route }) => {
    const [of, path] = partsOf(route);
    const parts = path.split('/');
    return (
      of === method &&
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

function validator(place: string): ValidateFunction {
  const validate = compiled.get(place) ?? ajv.compile({ $ref: place });
  compiled.set(place, validate);
  return validate;
}
