import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { routeKeysIn } from '../../cdk/constructs/functions/handler-routes.ts';
import { checkInEvent } from '../../functions/places/announcements/check-in-event.ts';
import { type DocumentPath, documentAt, INTERFACES } from '../../functions/reference/documents/documents.ts';
import { GROUPS } from '../../functions/reference/documents/groups.ts';
import { eventIn, NewEvent, variablesOf } from '../../functions/webhooks/events/event.ts';
import { BUILT_IN_MODULES, MODULES } from '../../functions/webhooks/modules/module.ts';
import { renderRuleBody } from '../../functions/webhooks/rules/render-rule-body.ts';
import { sampleEvent } from '../../functions/webhooks/triggers/module-descriptions.ts';
import type { Operation } from '../../shared/http/operation.ts';
import { omit } from '../../shared/omit.ts';
import { builtInAnnouncements } from '../support/contract/built-in-announcements.ts';
import { allVariables, checkEvent } from '../support/contract/described-events.ts';

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

  it('has nothing on which generators of clients choke', () => {
    const faults: string[] = [];
    const visit = (value: unknown, place: string): void => {
      if (typeof value !== 'object' || value === null) return;
      const { type, enum: values, const: only } = value as Record<string, unknown>;
      // openapi-generator knows no choice with null in a webhook, and this list it knows.
      const isNullable = Array.isArray(type) && type[1] === 'null' && place.startsWith('/webhooks/');
      if (Array.isArray(type) && !isNullable) faults.push(`${place}: a list of types`);
      if (typeof only === 'string' && place.includes('/parameters/')) faults.push(`${place}: a fixed value`);
      if (Array.isArray(values)) {
        const names = values.map((one) => String(one).toUpperCase());
        if (names.some((name) => /\p{Cc}/u.test(name))) faults.push(`${place}: a value with a control character`);
        if (new Set(names).size < names.length) faults.push(`${place}: values that differ in case only`);
      }
      for (const [name, member] of Object.entries(value)) visit(member, `${place}/${name}`);
    };
    visit(document, '');
    expect(faults).toEqual([]);
    // The walk has been there.
    expect(JSON.stringify(document)).toContain('"anyOf"');
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

describe('a list of the management API', () => {
  it('has the header that names the next page wherever its answer has a cursor', () => {
    const { paths, components } = documentAt('/manage/v1/openapi.json', { domains, url }) as unknown as {
      paths: Record<string, { get?: { responses: Record<number, Listed> } }>;
      components: { schemas: Record<string, { properties?: object }> };
    };
    const lists = Object.entries(paths).flatMap(([path, { get }]) => {
      const { headers = {}, content } = get?.responses[200] ?? {};
      const schema = content?.['application/json']?.schema.$ref?.split('/').at(-1) ?? '';
      const { properties = {} } = components.schemas[schema] ?? {};
      return 'nextCursor' in properties ? [{ path, isLinked: 'Link' in headers }] : [];
    });
    expect(lists.filter(({ isLinked }) => !isLinked)).toEqual([]);
    expect(lists.length).toBeGreaterThan(20);
  });
});

interface Listed {
  readonly headers?: object;
  readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>;
}

describe('a request for places and campaigns', () => {
  it('has a description for each of its members', () => {
    const { components } = documentAt('/manage/v1/openapi.json', { domains, url }) as {
      components: { schemas: Record<string, { properties?: Record<string, Described> }> };
    };
    const names =
      'NewPlace PlaceChange PlaceReplacement NewAdUnit AdUnitChange NewCampaign CampaignReplacement CampaignChange NewProduct';
    for (const name of names.split(' ')) {
      const members = Object.entries(components.schemas[name]?.properties ?? {}).filter(
        ([, { readOnly }]) => !readOnly,
      );
      expect(members.length, name).toBeGreaterThan(2);
      expect(members.filter(([, { description }]) => !description).map(([member]) => `${name}.${member}`)).toEqual([]);
    }
  });
});

interface Described {
  readonly description?: string;
  readonly readOnly?: boolean;
}

describe('an event of the service', () => {
  const { webhooks } = documentAt('/manage/v1/openapi.json', { domains, url }) as { webhooks: Record<string, object> };

  it('is described for each built-in trigger, where the stage has webhooks and a domain that announces it', () => {
    const triggers = BUILT_IN_MODULES.flatMap((module) => MODULES[module].triggers);
    expect(Object.values(webhooks).map((one) => (one as { post: { summary: string } }).post.summary)).toEqual(
      expect.arrayContaining(triggers),
    );
    expect(Object.keys(webhooks)).toHaveLength(triggers.length);
    const eventsWith = (own: readonly string[]) =>
      Object.keys(documentAt('/manage/v1/openapi.json', { domains: own, url })['webhooks'] ?? {});
    expect(eventsWith(['webhooks', 'places'])).toEqual(['checkInMade', 'downloadCompleted', 'importCompleted']);
    expect(eventsWith(['places'])).toEqual([]);
  });

  it('refers to no component, since a generator leaves out those that no path leads to', () => {
    expect(JSON.stringify(webhooks)).not.toContain('$ref');
  });

  it.each(BUILT_IN_MODULES.flatMap((module) => MODULES[module].triggers.map((trigger) => ({ module, trigger }))))(
    'of $trigger has the body of a rule that takes all its variables',
    ({ module, trigger }) => {
      const body = renderRuleBody(
        JSON.stringify(allVariables(trigger)),
        variablesOf(eventIn(NewEvent.parse(sampleEvent(module, trigger)), 0), 'acme'),
        '2026-11-21T10:00:00.000Z',
      );
      checkEvent(trigger, JSON.parse(body ?? ''));
      expect(() => checkEvent(trigger, { ...JSON.parse(body ?? ''), requestId: 7 })).toThrow('requestId');
    },
  );

  it('of what the domains announce has the body of such a rule', () => {
    for (const { tenant, ...event } of builtInAnnouncements()) {
      const body = renderRuleBody(
        JSON.stringify(allVariables(event.trigger)),
        variablesOf(eventIn(NewEvent.parse(event), 0), tenant),
        '2026-11-21T10:00:00.000Z',
      );
      checkEvent(event.trigger, JSON.parse(body ?? ''));
    }
  });

  it('of a check-in has the body of a rule that takes all variables of one without optional values', () => {
    const event = checkInEvent({
      id: 'chk_1',
      tenant: 'acme',
      app: 'app_1',
      customer: 'cus_1',
      place: 'place-1',
      placeName: 'Bakery',
      brand: '',
      points: 5,
      distance: 40,
      at: '2026-11-15T10:30:00.000Z',
      nextAt: 1_795_084_200_000,
    });
    const body = renderRuleBody(
      JSON.stringify(allVariables('Check-in made')),
      variablesOf(eventIn(NewEvent.parse(omit(event, 'tenant')), 0), event.tenant),
      '2026-11-21T10:00:00.000Z',
    );
    checkEvent('Check-in made', JSON.parse(body ?? ''));
  });
});

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
}

const ROOT = join(import.meta.dirname, '..', '..');

/** The parameters of each operation of a document in one place, by its route. */
function parametersIn(path: DocumentPath, where: 'query' | 'header'): ReadonlyMap<string, readonly Parameter[]> {
  const { paths } = documentAt(path, { domains, url });
  return new Map(
    Object.entries(paths as Record<string, Record<string, { parameters: Parameter[] }>>).flatMap(([route, methods]) =>
      Object.entries(methods).map(([method, { parameters }]) => [
        `${method.toUpperCase()} ${route}`,
        parameters.filter(({ in: place }) => place === where),
      ]),
    ),
  );
}

/** The routes of the handlers whose source is wanted. */
const routesWhere = (isWanted: (source: string) => boolean): readonly string[] =>
  globSync('functions/**/*.operations.ts', { cwd: ROOT })
    .map((file) => join(ROOT, file.replace(/\.operations\.ts$/, '.handler.ts')))
    .filter((file) => isWanted(readFileSync(file, 'utf8')))
    .flatMap(routeKeysIn);

describe('the header Idempotency-Key', () => {
  it('is described where a handler that records its changes takes a POST, and nowhere else below /manage', () => {
    const described = [...parametersIn('/manage/v1/openapi.json', 'header')].flatMap(([route, parameters]) =>
      parameters.some(({ name }) => name === 'Idempotency-Key') ? [route] : [],
    );
    const recorded = routesWhere((source) => /\baudited\(/.test(source)).filter((route) => route.startsWith('POST '));
    expect(described.sort()).toEqual([...recorded].sort());
    expect(described.length).toBeGreaterThan(10);
  });
});

describe('a body', () => {
  it('is required unless a request without one is taken', () => {
    const { paths } = documentAt('/manage/v1/openapi.json', { domains, url }) as {
      paths: Record<string, Record<string, { requestBody?: { required: boolean } }>>;
    };
    const optional = Object.entries(paths).filter(([, methods]) =>
      Object.values(methods).some(({ requestBody }) => requestBody?.required === false),
    );
    expect(optional.map(([path]) => path)).toEqual(['/manage/v1/api-configurations/{id}/test']);
  });
});

describe('a query parameter', () => {
  it('is described where a handler lists the parameters by name', () => {
    const queries = parametersIn('/v3/openapi.json', 'query');
    const search = queries.get('GET /v3/data/{type}') ?? [];
    expect(search.map(({ name }) => name)).toEqual([
      'q',
      'records',
      'format',
      'view',
      'download',
      'order',
      'csvFormulas',
    ]);
    expect(search.filter(({ required }) => required).map(({ name }) => name)).toEqual(['q']);
    expect(queries.get('GET /v3/users')).toEqual([]);
  });

  it('names the tenant of operations whose handlers work for one tenant, and of no others but the audit log', () => {
    const queries = parametersIn('/manage/v1/openapi.json', 'query');
    const withTenant = [...queries].flatMap(([route, parameters]) =>
      parameters.some(({ name }) => name === 'tenant') ? [route] : [],
    );
    const ofOneTenant = routesWhere((source) => /\b(tenant|search)Api\b/.test(source)).filter((route) =>
      queries.has(route),
    );
    expect(withTenant.sort()).toEqual(['GET /manage/v1/audit', ...ofOneTenant].sort());
    expect(withTenant.length).toBeLessThan(queries.size);
  });
});
