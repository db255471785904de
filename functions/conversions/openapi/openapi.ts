import { DATA_VERSION } from '../serving/data-version.ts';
import { headerSchemas, meteredOperation, problemResponses, tokenOperation, usageOperation } from './operations.ts';
import { type DescribedRoute, type Json, schemasOf } from './schemas.ts';

/** The document of `GET /v1/openapi.json`, generated from the schemas that check requests. @param url of the API */
export function openApiDocument(routes: readonly DescribedRoute[], url: string): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Conversion API',
      version: DATA_VERSION,
      description:
        'Exact conversions, normalisation, validation and enrichment of business, product and property records. Every route takes a token of the account; the metered ones take a conversion too.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url }],
    security: [{ key: [] }, { client: [] }],
    tags: [
      { name: 'conversions', description: 'The metered routes.' },
      { name: 'account', description: 'What the account has used, and tokens for test clients.' },
    ],
    paths: {
      ...Object.fromEntries(routes.map((route) => [`/v1/${route.name}`, { post: meteredOperation(route) }])),
      '/v1/usage': { get: usageOperation() },
      '/oauth/token': { post: tokenOperation() },
    },
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'A conversion key: cv_live_… or cv_test_….' },
        client: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: '/oauth/token', scopes: {} } } },
      },
      schemas: schemasOf(routes),
      headers: headerSchemas(),
      responses: problemResponses(),
    },
  };
}
