import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { type DocumentPath, documentAt, INTERFACES } from '../../functions/reference/documents/documents.ts';
import { GROUPS } from '../../functions/reference/documents/groups.ts';
import type { Operation } from '../../shared/http/operation.ts';

const domains = Object.keys(GROUPS);
const url = 'https://api.acme.dev';
const groups = Object.values(GROUPS).flat();
const operations = groups.flatMap(({ operations: own }) => Object.entries<Operation>(own));

describe.each(Object.keys(INTERFACES) as DocumentPath[])('%s', (path) => {
  // As clients get it.
  const document = JSON.parse(JSON.stringify(documentAt(path, { domains, url })));

  it('is OpenAPI 3.1 without a finding of the recommended rules', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const findings = await lintFromString({ source: JSON.stringify(document), config });
    expect(findings.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });
});

describe('an operation', () => {
  it('accepts the body that is its example', () => {
    const examples = operations.filter(([, { example }]) => example !== undefined);
    for (const [id, { body, example }] of examples) {
      expect([id, body && z.safeParse(body, example).error?.issues]).toEqual([id, undefined]);
    }
    const bodies = operations.filter(([, { body }]) => body !== undefined);
    expect(bodies.map(([id]) => id)).toEqual(examples.map(([id]) => id));
    expect(examples.length).toBeGreaterThan(0);
  });

  it('has an id and a route of its own', () => {
    const ids = operations.map(([id]) => id);
    expect([...new Set(ids)]).toEqual(ids);
    const routes = operations.map(([, { route }]) => route);
    expect([...new Set(routes)]).toEqual(routes);
  });
});
