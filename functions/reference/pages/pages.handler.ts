/** The reference for people: GET /docs and what is below it. GET / leads there. */
import * as z from 'zod';
import { readEnv, resource } from '#shared/env';
import { Refusal } from '#shared/errors';
import { tagged } from '#shared/http/compressed';
import { type HttpEvent, httpRoutes, loggedHandler } from '#shared/http/http-handler';
import { presentPage, presentPageError } from './page-answers.ts';
import { pageAt } from './page-at.ts';

/** The domains of the stage, with commas between them. */
export const Env = z.object({ DOMAINS: resource });
const domains = readEnv(Env).DOMAINS.split(',');

const texts = new Map<string, string>();

/** An instance writes each page once. */
function textAt(path: string): string | undefined {
  const text = texts.get(path) ?? pageAt(path, domains);
  if (text !== undefined) texts.set(path, text);
  return text;
}

const show = loggedHandler(presentPageError, async (event: HttpEvent) => {
  const text = textAt(event.rawPath.replace(/\/$/, ''));
  if (text === undefined) throw new Refusal(404, 'not-found', 'There is no such page. Begin at /docs.');
  return tagged(event, presentPage(text));
});

const home = loggedHandler(presentPageError, async () => ({ statusCode: 302, headers: { location: '/docs' } }));

export const handler = httpRoutes({
  'GET /': home,
  'GET /docs': show,
  'GET /docs/{proxy+}': show,
});
