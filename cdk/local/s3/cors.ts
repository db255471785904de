/** Cross-origin rules of a bucket: which scripts of other origins may use its links. */
import { z } from 'zod';
import { numeric } from '../cloudformation/property.ts';

/** `*` stands for any text. S3 takes one of them. */
const pattern = z.string().regex(/^[^*]*\*?[^*]*$/);

/** A rule as templates declare it. */
export const CorsRule = z.strictObject({
  AllowedOrigins: z.array(pattern).min(1),
  AllowedMethods: z.array(z.enum(['GET', 'PUT', 'POST', 'DELETE', 'HEAD'])).min(1),
  AllowedHeaders: z.array(pattern).default([]),
  ExposedHeaders: z.array(z.string()).default([]),
  MaxAge: numeric.optional(),
});
export type CorsRule = z.output<typeof CorsRule>;

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
      rule.AllowedMethods.some((allowed) => allowed === method) &&
      rule.AllowedOrigins.some((pattern) => matches(pattern, origin)) &&
      names.every((name) => rule.AllowedHeaders.some((pattern) => matches(pattern.toLowerCase(), name))),
  );

function matches(pattern: string, text: string): boolean {
  const [start = '', end] = pattern.split('*');
  if (end === undefined) return pattern === text;
  return text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end);
}

function headersOf(rule: CorsRule, origin: string): Record<string, string> {
  const { AllowedOrigins, AllowedMethods, ExposedHeaders, MaxAge } = rule;
  const isOpen = AllowedOrigins.includes('*');
  return {
    'access-control-allow-origin': isOpen ? '*' : origin,
    'access-control-allow-methods': AllowedMethods.join(', '),
    ...(!isOpen && { 'access-control-allow-credentials': 'true' }),
    ...(ExposedHeaders.length > 0 && {
      'access-control-expose-headers': ExposedHeaders.join(', '),
    }),
    ...(MaxAge !== undefined && {
      'access-control-max-age': String(MaxAge),
    }),
    vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
  };
}
