import { createHash } from 'node:crypto';
import type { Refusal } from '#shared/errors';
import type { HttpResult } from '#shared/http/http-handler';
import { STYLE } from './style.ts';

const CACHED_SECONDS = 300;
/** The pages have no script, and no style but their own. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A page. */
export const presentPage = (body: string): HttpResult => ({
  statusCode: 200,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': POLICY,
    'referrer-policy': 'same-origin',
    'cache-control': `public, max-age=${CACHED_SECONDS}`,
  },
  body,
});

/** An error as plain text. */
export const presentPageError = ({ status, detail }: Refusal): HttpResult => ({
  statusCode: status,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'content-security-policy': POLICY },
  body: `${detail}\n`,
});
