import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { answerTo, requestIn } from '../../functions/conversions/serving/items.ts';
import { Problem, presentProblem } from '../../functions/conversions/serving/problem.ts';
import { readJson } from '../../functions/conversions/serving/read-json.ts';
import { documentAt } from '../../functions/reference/documents/documents.ts';
import { checkDescribed, isDescribedBody } from '../support/contract/described-calls.ts';
import { ROUTES } from '../support/conversions/conversion-routes.ts';
import { METERED_OPERATIONS } from '../support/conversions/metered-operations.ts';
import { checkLimitsOf } from '../support/conversions/told-limits.ts';

const URL = 'https://conversions.acme.dev';
// As clients get it.
const document = JSON.parse(
  JSON.stringify(documentAt('/v1/openapi.json', { domains: ['conversions', 'webhooks'], url: URL })),
);
function check(method: string, path: string, answer: Parameters<typeof checkDescribed>[2]) {
  checkDescribed(method, path, answer);
  checkLimitsOf(method, path, answer);
}

describe('the description of the API', () => {
  it('is OpenAPI 3.1 without a finding of the recommended rules', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const findings = await lintFromString({ source: JSON.stringify(document), config });
    expect(findings.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });

  it('has the server that it was requested from, and all routes of its interface', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.servers).toEqual([{ url: URL }]);
    expect(Object.keys(document.paths)).toEqual([
      '/v1/convert',
      '/v1/normalize',
      '/v1/validate',
      '/v1/enrich',
      '/v1/usage',
      '/oauth/token',
    ]);
  });
});

describe.each(METERED_OPERATIONS)('$name', ({ name, example }) => {
  const path = `/v1/${name}`;
  const route = ROUTES[name];
  /** What the route makes of a request, in the shape that its callers see. */
  async function answered(body: unknown) {
    const headers = new Headers(LIMITS);
    try {
      const request = requestIn(route, readJson(JSON.stringify(body)));
      const answer = await answerTo(route, request, { now: Date.UTC(2026, 10, 22), check: () => undefined });
      headers.set('content-type', 'application/json');
      return { status: 200, headers, text: JSON.stringify(answer) };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      headers.set('content-type', 'application/problem+json');
      return { status: error.status, headers, text: presentProblem(error, 'r-1').body ?? '' };
    }
  }
  const { options, ...item } = example as { options?: object };
  const listed = { items: [{ id: 'a', ...item }, item], ...(options && { options }) };

  it('answers its example as described, alone and in a list', async () => {
    for (const body of [example, listed]) {
      expect(isDescribedBody(`POST ${path}`, body)).toBe(true);
      const answer = await answered(body);
      expect([answer.status, answer.text]).toEqual([200, answer.text]);
      check('POST', path, answer);
    }
  });

  it('takes what its description takes and refuses what that refuses', async () => {
    const bodies: unknown[] = [
      {},
      [],
      'x',
      null,
      { items: [] },
      { items: [item], extra: 1 },
      { items: Array.from({ length: 100 }, () => item) },
      { items: Array.from({ length: 101 }, () => item) },
      { items: [{ ...item, id: '' }] },
      { items: [{ ...item, id: 'x'.repeat(101) }] },
      { items: [{ ...item, id: 7 }] },
      {
        ...example,
        options: { locale: 'de-DE', precision: 2, rounding: 'down', currency: 'EUR', defaultCountry: 'DE' },
      },
      ...[null, [], { precision: 31 }, { precision: -1 }, { rounding: 'up' }, { currency: 'eur' }, { more: 1 }].map(
        (wrong) => ({ ...example, options: wrong }),
      ),
      { ...example, id: 'x' },
      { ...example, nothing: 1 },
      ...Object.keys(item).map((member) => ({ ...item, [member]: undefined })),
      ...Object.keys(item).map((member) => ({ ...item, [member]: null })),
      ...Object.keys(item).map((member) => ({ ...item, [member]: [] })),
    ].map((body) => JSON.parse(JSON.stringify(body)));
    for (const body of bodies) {
      const answer = await answered(body);
      const isTaken = !answer.text.includes('"code":"invalid-request"');
      expect([body, isDescribedBody(`POST ${path}`, body)]).toEqual([body, isTaken]);
      check('POST', path, answer);
    }
  });

  it('has an answer that the description tells from others', async () => {
    const answer = await answered(example);
    const wrong = (own: object) => ({ ...answer, text: JSON.stringify({ ...JSON.parse(answer.text), ...own }) });
    for (const other of [
      wrong({ dataVersion: 5 }),
      wrong({ surprise: 1 }),
      { ...answer, status: 201 },
      { ...answer, headers: new Headers({ 'content-type': 'application/json' }) },
      { ...answer, headers: new Headers({ ...LIMITS, 'content-type': 'text/plain' }) },
    ]) {
      expect(() => check('POST', path, other)).toThrow();
    }
  });
});

const LIMITS = {
  'RateLimit-Limit': '10',
  'RateLimit-Remaining': '9',
  'RateLimit-Reset': '1',
  'RateLimit-Policy': '"burst";q=10;w=2, "quota";q=250',
  RateLimit: '"burst";r=9;t=1, "quota";r=250',
  'X-Quota-Limit': '250',
  'X-Quota-Remaining': '250',
  'X-Quota-Cost': '1',
};
