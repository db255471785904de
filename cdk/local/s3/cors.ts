/** Cross-origin rules of a bucket: which scripts of other origins may use its links. */
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { notImplemented } from './operation.ts';
import { childrenOf, parseXml, textOf, type XmlElement } from './xml.ts';

export interface CorsRule {
  readonly origins: readonly string[];
  readonly methods: readonly string[];
  readonly headers: readonly string[];
  readonly exposed: readonly string[];
  readonly maxAgeSeconds: string | undefined;
}

const ELEMENTS = ['ID', 'AllowedOrigin', 'AllowedMethod', 'AllowedHeader', 'ExposeHeader', 'MaxAgeSeconds'];
const METHODS: ReadonlySet<string> = new Set(['GET', 'PUT', 'POST', 'DELETE', 'HEAD']);

/** Reads the rules of a configuration; refuses what S3 refuses. */
export function corsRules(configuration: string): CorsRule[] {
  const root = parseXml(configuration);
  const rules = childrenOf(root, 'CORSRule');
  if (root.name !== 'CORSConfiguration' || rules.length === 0) throw invalid('There is no rule.');
  return rules.map(ruleIn);
}

function ruleIn(rule: XmlElement): CorsRule {
  const unknown = rule.children.find(({ name }) => !ELEMENTS.includes(name));
  if (unknown) throw notImplemented(`CORS rules with ${unknown.name}`);
  const textsOf = (name: string) => childrenOf(rule, name).map(({ text }) => text);
  const [origins, methods, headers] = ['AllowedOrigin', 'AllowedMethod', 'AllowedHeader'].map(textsOf) as [
    string[],
    string[],
    string[],
  ];
  if (origins.length === 0 || methods.length === 0) throw invalid('A rule needs an origin and a method.');
  const method = methods.find((name) => !METHODS.has(name));
  if (method !== undefined)
    throw invalid(`Found unsupported HTTP method in CORS config. Unsupported method is ${method}`);
  const wild = [...origins, ...headers].find((pattern) => pattern.split('*').length > 2);
  if (wild !== undefined) throw invalid(`"${wild}" can not have more than one wildcard.`);
  return {
    origins,
    methods,
    headers,
    exposed: textsOf('ExposeHeader'),
    maxAgeSeconds: textOf(rule, 'MaxAgeSeconds'),
  };
}

const invalid = (message: string) => new CallRefusal(400, 'InvalidRequest', message);

interface CrossOriginRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The headers of a preflight's answer; undefined if no rule allows the request that it asks about. */
export function preflightHeaders(
  rules: readonly CorsRule[],
  { headers }: CrossOriginRequest,
): Record<string, string> | undefined {
  const method = headers['access-control-request-method'] ?? '';
  const requested = (headers['access-control-request-headers'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase());
  const names = requested.filter(Boolean);
  const rule = ruleFor(rules, headers['origin'], method, names);
  if (!rule) return undefined;
  return {
    ...headersOf(rule, headers['origin'] ?? ''),
    ...(names.length > 0 && {
      'access-control-allow-headers': names.join(', '),
    }),
  };
}

/** The headers that let a script of another origin read the answer; none if no rule allows it. */
export function crossOriginHeaders(
  rules: readonly CorsRule[],
  { method, headers }: CrossOriginRequest,
): Record<string, string> {
  const rule = ruleFor(rules, headers['origin'], method, []);
  return rule ? headersOf(rule, headers['origin'] ?? '') : {};
}

/** The first rule that allows it, as S3 evaluates them. */
const ruleFor = (rules: readonly CorsRule[], origin: string | undefined, method: string, names: readonly string[]) =>
  rules.find(
    (rule) =>
      origin !== undefined &&
      rule.methods.includes(method) &&
      rule.origins.some((pattern) => matches(pattern, origin)) &&
      names.every((name) => rule.headers.some((pattern) => matches(pattern.toLowerCase(), name))),
  );

/** `*` stands for any text. */
function matches(pattern: string, text: string): boolean {
  const [start = '', end] = pattern.split('*');
  if (end === undefined) return pattern === text;
  return text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end);
}

function headersOf({ origins, methods, exposed, maxAgeSeconds }: CorsRule, origin: string): Record<string, string> {
  const isOpen = origins.includes('*');
  return {
    'access-control-allow-origin': isOpen ? '*' : origin,
    'access-control-allow-methods': methods.join(', '),
    ...(!isOpen && { 'access-control-allow-credentials': 'true' }),
    ...(exposed.length > 0 && {
      'access-control-expose-headers': exposed.join(', '),
    }),
    ...(maxAgeSeconds !== undefined && {
      'access-control-max-age': maxAgeSeconds,
    }),
    vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
  };
}
