/** Cross-origin requests, as the API's CORS configuration has them. With one, the gateway answers preflights itself. */
import type { Answer } from './answer.ts';

export interface CorsConfiguration {
  readonly allowOrigins: readonly string[];
  readonly allowMethods: readonly string[];
  readonly allowHeaders: readonly string[];
  readonly exposeHeaders: readonly string[];
  readonly allowCredentials: boolean;
  readonly maxAgeSeconds?: number | undefined;
}

type Headers = Readonly<Record<string, string>>;

export function isPreflight(method: string, headers: Headers): boolean {
  return method === 'OPTIONS' && 'origin' in headers && 'access-control-request-method' in headers;
}

export function preflightAnswer(cors: CorsConfiguration, headers: Headers): Answer {
  const origin = allowedOrigin(cors, headers['origin'] ?? '');
  const granted: [string, string][] =
    origin === undefined
      ? []
      : [
          ...originHeaders(cors, origin),
          ['access-control-allow-methods', cors.allowMethods.join(',')],
          ['access-control-allow-headers', cors.allowHeaders.join(',')],
          ...(cors.maxAgeSeconds === undefined
            ? []
            : [['access-control-max-age', String(cors.maxAgeSeconds)] as [string, string]]),
        ];
  return { status: 204, headers: granted, body: Buffer.alloc(0) };
}

/** The configuration wins over what the function says of origins. */
export function withCors(answer: Answer, cors: CorsConfiguration, headers: Headers): Answer {
  const kept = answer.headers.filter(([name]) => !name.startsWith('access-control-'));
  const origin = headers['origin'] === undefined ? undefined : allowedOrigin(cors, headers['origin']);
  if (origin === undefined) return { ...answer, headers: kept };
  const exposed: [string, string][] =
    cors.exposeHeaders.length > 0 ? [['access-control-expose-headers', cors.exposeHeaders.join(',')]] : [];
  return { ...answer, headers: [...kept, ...originHeaders(cors, origin), ...exposed] };
}

function originHeaders({ allowCredentials }: CorsConfiguration, origin: string): [string, string][] {
  const allowed: [string, string][] = [['access-control-allow-origin', origin]];
  return allowCredentials ? [...allowed, ['access-control-allow-credentials', 'true']] : allowed;
}

function allowedOrigin({ allowOrigins }: CorsConfiguration, origin: string): string | undefined {
  if (allowOrigins.includes('*')) return '*';
  const fits = (allowed: string) =>
    allowed === origin || (allowed.endsWith('://*') && origin.startsWith(allowed.slice(0, -1)));
  return allowOrigins.some(fits) ? origin : undefined;
}
