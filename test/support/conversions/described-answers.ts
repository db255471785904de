import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { parseList } from 'structured-headers';

// oxlint-disable-next-line typescript/no-explicit-any -- a document of OpenAPI, of which each reader knows its part
type Json = any;

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const ROOT = 'https://openapi.invalid/document';
const pointer = (...names: readonly (string | number)[]) =>
  names.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Checks answers against the document that describes them, and what the description cannot say of their headers. */
export function describedAnswers(document: Json) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema({ $id: ROOT, ...document });
  const compiled = new Map<string, ValidateFunction>();

  function schemaAt(place: string): ValidateFunction {
    const known = compiled.get(place) ?? ajv.compile({ $ref: `${ROOT}#${encodeURI(place)}` });
    compiled.set(place, known);
    return known;
  }

  function checkValue(place: string, value: unknown, what: string): void {
    const validate = schemaAt(place);
    if (!validate(value))
      throw new Error(`${what} is not as described:\n${told(validate.errors)}\n${JSON.stringify(value)}`);
  }

  /** Throws for an answer that the document does not describe. Of routes that it does not know it checks the problem. */
  function check(method: string, path: string, { status, headers, text }: Answered): void {
    const what = `${method} ${path}: ${status}`;
    // A body is refused by its length before the caller is known, and by its content afterwards.
    const isKnown = status !== 401 && (status !== 413 || headers.has('RateLimit-Limit'));
    if (isKnown && path !== '/v1/openapi.json') checkLimits(headers, what, isMetered(path) && method === 'POST');
    if (status === 401 && [...headers.keys()].some((name) => /^(x-quota|ratelimit)/.test(name))) {
      throw new Error(`${what} tells limits to a caller that is not known.`);
    }
    const type = headers.get('content-type') ?? '';
    const operation = document.paths[path]?.[method.toLowerCase()];
    if (operation === undefined) {
      checkValue('/components/schemas/Problem', JSON.parse(text), what);
      return;
    }
    const stated = operation.responses[status];
    if (stated === undefined) throw new Error(`${what} is not described: ${text}`);
    const place = stated.$ref
      ? stated.$ref.slice(1)
      : pointer('paths', path, method.toLowerCase(), 'responses', status);
    const response = stated.$ref ? document.components.responses[stated.$ref.split('/').at(-1)] : stated;
    if (response.content[type] === undefined) throw new Error(`${what} has the type ${type}, which is not described.`);
    checkValue(`${place}${pointer('content', type, 'schema')}`, JSON.parse(text), what);
    const value = JSON.parse(text);
    if (status >= 400 && value.status !== status)
      throw new Error(`${what} says in its body that it is ${value.status}.`);
  }

  return {
    check,
    /** Returns whether a body is one that the document lets clients send. */
    takes: (path: string, body: unknown): boolean =>
      schemaAt(pointer('paths', path, 'post', 'requestBody', 'content', 'application/json', 'schema'))(body),
  };
}

const isMetered = (path: string) => /^\/v1\/(convert|normalize|validate|enrich)$/.test(path);

const told = (errors: readonly ErrorObject[] | null | undefined) =>
  (errors ?? [])
    .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
    .join('\n');

const PLAIN = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const;
const OF_QUOTA = ['X-Quota-Limit', 'X-Quota-Remaining', 'X-Quota-Cost'] as const;

/** Items of these fields are texts and numbers. */
const textOf = (item: unknown): string => (typeof item === 'string' ? item : JSON.stringify(item));

/** Every answer to a known caller tells its limits, twice and alike (specification 001, section 4). */
function checkLimits(headers: Headers, what: string, isMetered: boolean): void {
  const number = (name: string): number => {
    const text = headers.get(name) ?? '';
    if (!/^\d+$/.test(text)) throw new Error(`${what} has no number in ${name}: ${JSON.stringify(text)}`);
    return Number(text);
  };
  const [limit, remaining, reset] = PLAIN.map(number);
  const fields = (name: string) =>
    new Map(
      parseList(headers.get(name) ?? '').map(([item, parameters]) => [textOf(item), Object.fromEntries(parameters)]),
    );
  const [policy, state] = [fields('RateLimit-Policy'), fields('RateLimit')];
  const alike = [
    [policy.get('burst')?.['q'], limit],
    [state.get('burst')?.['r'], remaining],
    [state.get('burst')?.['t'], reset],
  ];
  if (isMetered) {
    const [most, left] = OF_QUOTA.map(number);
    alike.push([policy.get('quota')?.['q'], most], [state.get('quota')?.['r'], left]);
  }
  for (const [structured, plain] of alike) {
    if (structured !== plain)
      throw new Error(`${what} tells its limits in two ways: ${textOf(structured)} and ${textOf(plain)}.`);
  }
}
