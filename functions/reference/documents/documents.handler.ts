/** GET …/openapi.json: the descriptions of the interfaces, for everybody. */
import * as z from 'zod';
import { readEnv, resource } from '#shared/env';
import { tagged } from '#shared/http/compressed';
import { type HttpEvent, httpRoutes, loggedHandler } from '#shared/http/http-handler';
import { managementApi } from '#shared/http/management-api';
import { originOf } from '#shared/http/public-domain';
import type { Json } from './components.ts';
import { type DocumentPath, documentAt } from './documents.ts';

/** The domains of the stage, with commas between them. */
export const Env = z.object({ DOMAINS: resource });
const domains = readEnv(Env).DOMAINS.split(',');

const documents = new Map<DocumentPath, Json>();

/** The document as text. An instance writes each once; only the address, which callers choose, differs. */
function textOf(path: DocumentPath, url: string): string {
  const document = documents.get(path) ?? documentAt(path, { domains, url });
  documents.set(path, document);
  return JSON.stringify({ ...document, servers: [{ url }] });
}

const serve = (path: DocumentPath) =>
  loggedHandler(managementApi.present, async ({ headers }: HttpEvent) =>
    tagged(
      { headers },
      {
        statusCode: 200,
        headers: { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' },
        body: textOf(path, originOf({ headers })),
      },
    ),
  );

export const handler = httpRoutes({
  'GET /v1/openapi.json': serve('/v1/openapi.json'),
  'GET /manage/v1/openapi.json': serve('/manage/v1/openapi.json'),
  'GET /v3/openapi.json': serve('/v3/openapi.json'),
  'GET /loyalty/openapi.json': serve('/loyalty/openapi.json'),
});
