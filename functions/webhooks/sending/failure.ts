import type { SendFailure } from './sending.ts';

/** The phase in which an attempt failed. */
export type Phase = 'connect' | 'tls' | 'exchange';

const BY_CODE: Readonly<Record<string, SendFailure>> = {
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'connection_failed',
  EHOSTDOWN: 'connection_failed',
  ENETUNREACH: 'connection_failed',
  ENETDOWN: 'connection_failed',
  EADDRNOTAVAIL: 'connection_failed',
  ETIMEDOUT: 'connection_failed',
  ECONNRESET: 'connection_closed',
  ECONNABORTED: 'connection_closed',
  EPIPE: 'connection_closed',
  EPROTO: 'tls_failed',
  ERR_INVALID_CHAR: 'invalid_request',
  ERR_INVALID_HTTP_TOKEN: 'invalid_request',
  ERR_HTTP_INVALID_HEADER_VALUE: 'invalid_request',
  ERR_UNESCAPED_CHARACTERS: 'invalid_request',
};

const BY_BEGINNING: readonly (readonly [RegExp, SendFailure])[] = [
  [/^HPE_/, 'invalid_response'],
  [/^ERR_(SSL|TLS)_/, 'tls_failed'],
];

/** The failure for codes that are not listed: OpenSSL alone has dozens for certificate errors. */
const BY_PHASE: Readonly<Record<Phase, SendFailure>> = {
  connect: 'connection_failed',
  tls: 'tls_failed',
  exchange: 'connection_closed',
};

/** Maps a network error to the failure of an attempt, by its code only: messages change between versions. */
export function failureOf(error: unknown, phase: Phase): SendFailure {
  const codes = codesOf(error);
  // If several addresses failed, a refused connection tells more than an unreachable address.
  if (codes.includes('ECONNREFUSED')) return 'connection_refused';
  const [code = ''] = codes;
  if (Object.hasOwn(BY_CODE, code)) return BY_CODE[code] ?? BY_PHASE[phase];
  return BY_BEGINNING.find(([beginning]) => beginning.test(code))?.[1] ?? BY_PHASE[phase];
}

function codesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  return error instanceof AggregateError ? [...own, ...error.errors.flatMap(codesOf)] : own;
}
