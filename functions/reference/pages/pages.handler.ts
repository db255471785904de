/** The reference for people: GET /docs and what is below it. GET / leads there. */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { readEnv, resource } from '#shared/env';
import { Refusal } from '#shared/errors';
import { tagged } from '#shared/http/compressed';
import { type HttpEvent, type HttpResult, httpRoutes, loggedHandler } from '#shared/http/http-handler';
import { pageAt } from './page-at.ts';
import { STYLE } from './style.ts';

/** The domains of the stage, with commas between them. */
export const Env = z.object({ DOMAINS: resource });
const domains = readEnv(Env).DOMAINS.split(',');

const CACHED_SECONDS = 300;
/** The pages have no script, and no style but their own. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const html = (statusCode: number, body: string): HttpResult => ({
  statusCode,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': POLICY,
    'referrer-policy': 'same-origin',
    'cache-control': `public, max-age=${CACHED_SECONDS}`,
  },
  body,
});

const texts = new Map<string, string>();

/** An instance writes each page once. */
function textAt(path: string): string | undefined {
  const text = texts.get(path) ?? pageAt(path, domains);
  if (text !== undefined) texts.set(path, text);
  return text;
}

const present = ({ status, detail }: Refusal): HttpResult => ({
  statusCode: status,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'content-security-policy': POLICY },
  body: `${detail}\n`,
});

const show = loggedHandler(present, async (event: HttpEvent) => {
  const text = textAt(event.rawPath.replace(/\/$/, ''));
  if (text === undefined) throw new Refusal(404, 'not-found', 'There is no such page. Begin at /docs.');
  return tagged(event, html(200, text));
});

const home = loggedHandler(present, async () => ({ statusCode: 302, headers: { location: '/docs' } }));

export const handler = httpRoutes({
  'GET /': home,
  'GET /docs': show,
  'GET /docs/{proxy+}': show,
});
