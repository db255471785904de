import type { Refusal } from '#shared/errors';
import { type HttpResult, json } from './http-handler.ts';

const NAMES: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Content Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
};

const HEADERS: Readonly<Record<number, Record<string, string>>> = {
  401: { 'www-authenticate': 'Basic realm="v3", charset="UTF-8"' },
  405: { allow: 'GET' },
};

/**
 * Errors of the `/v3` interface: `error`, `message` and `code`, and `requestId` on a 500; a 400 or 403 has only
 * `error`, which is the text itself (README of records, "Errors").
 */
export function presentDataError({ status, detail }: Refusal, requestId: string): HttpResult {
  const name = NAMES[status];
  if (!name) return json(status, { error: detail });
  const body = { error: name, message: detail, code: status, ...(status === 500 ? { requestId } : {}) };
  return json(status, body, HEADERS[status]);
}
