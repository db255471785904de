import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeParse } from 'zod';
import { readAddition, readSubmission } from '../../functions/images/submissions/requests/submission-request.ts';
import { readCheckInRequest } from '../../functions/places/check-ins/check-in-request.ts';
import { readListRequest } from '../../functions/places/listing/list-request.ts';
import { documentAt } from '../../functions/reference/documents/documents.ts';
import { GROUPS } from '../../functions/reference/documents/groups.ts';
import type { Operation } from '../../shared/http/operation.ts';
import { isDescribedBody } from '../support/contract/described-calls.ts';
import { SEED } from '../support/runner/seed.ts';

const document = JSON.parse(
  JSON.stringify(documentAt('/loyalty/openapi.json', { domains: ['places', 'images'], url: 'https://api.invalid' })),
);
const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
ajv.addSchema({ $id: 'loyalty', ...document });
const schemaNamed = (name: string) => ajv.compile({ $ref: `loyalty#/components/schemas/${name}` });

/** A value that a member may be replaced by; undefined removes the member. */
const replacement = fc.oneof(
  fc.constantFrom(undefined, null, '', true, false, 0, 1, -1, 1.5, [], {}, 'receipt', 'checkable'),
  fc.integer(),
  fc.string({ maxLength: 300 }),
);

type Json = Readonly<Record<string, unknown>>;

/** Every path to a member of the value. */
const pathsIn = (value: unknown): string[][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, member]) => [[name], ...pathsIn(member).map((path) => [name, ...path])])
    : [];

function replaced(value: unknown, [name = '', ...rest]: readonly string[], by: unknown): unknown {
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...(value as Json) };
  Reflect.set(copy, name, rest.length === 0 ? by : replaced(Reflect.get(copy, name), rest, by));
  return copy;
}

/** A body that is accepted, with up to two of its members replaced. */
const near = (body: Json) =>
  fc
    .array(fc.tuple(fc.constantFrom(...pathsIn(body)), replacement), { maxLength: 2 })
    .map((changes) =>
      changes.reduce<unknown>(
        (changed, [path, by]) => (hasMember(changed, path) ? replaced(changed, path, by) : changed),
        body,
      ),
    );

const hasMember = (value: unknown, path: readonly string[]): boolean =>
  path.length === 0 ||
  (typeof value === 'object' && value !== null && hasMember(Reflect.get(value, path[0] ?? ''), path.slice(1)));

function isRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

const CHECK_IN = {
  check_in: { place_id: 'space-needle', venue_id: 1, state: 'checkable', distance: 0, creative_id: 3, more: true },
};
const base64 = Buffer.from('GIF89a').toString('base64');
const SUBMISSION = {
  image_validation: {
    validation_type: 'receipt',
    campaign_permalink: 'autumn',
    placement_id: 'shelf',
    external_id: 7,
    image_count: 2,
    images: [
      { id: 'front', base64_data: base64, mime_type: 'image/gif', upload: false },
      { id: 'back', upload: true, size: 9, base64_data: null },
    ],
    data: { more: [1] },
  },
};
const [inline, uploaded] = SUBMISSION.image_validation.images;

/** Only decoding shows that text is no image, so the document accepts all text, in whichever image it stands. */
const isText = (value: unknown): boolean =>
  [...JSON.stringify(value).matchAll(/"base64_data":"((?:[^"\\]|\\.)*)"/g)].some(([, text]) => text !== base64);

/** Parsers trim text, which JSON Schema cannot say. */
const isTrimmed = (value: unknown): boolean => !/"\s*"|"\s|\s"/.test(JSON.stringify(value).replaceAll('\\"', ''));

const managed = ['places', 'images']
  .flatMap((domain) => GROUPS[domain] ?? [])
  .flatMap(({ operations }) => Object.entries<Operation>(operations))
  .flatMap(([id, { route, body, example }]) =>
    body && route.includes(' /manage/') ? [{ id, route, body, example: example as Json }] : [],
  );

describe('the document of the management interface', () => {
  it.each(managed)('accepts for $id what is parsed, and nothing else', ({ route, body, example }) => {
    const agrees = fc.property(near(example), (one) => {
      fc.pre(isTrimmed(one));
      const given = JSON.parse(JSON.stringify(one));
      const accepted = isDescribedBody(route, given);
      expect({ given, accepted }).toEqual({ given, accepted: safeParse(body, given).success });
    });
    fc.assert(agrees, { seed: SEED, numRuns: 1_000 });
  });

  it('accepts a review with the members of its verdict only', () => {
    const isDescribed = (body: object) => isDescribedBody('POST /manage/v1/image-validations/{id}/review', body);
    for (const more of [{ storeName: 'A' }, { receiptDate: '2026-03-05' }, { results: [] }]) {
      expect([more, isDescribed({ status: 'valid', ...more })]).toEqual([more, true]);
      expect([more, isDescribed({ status: 'invalid', invalidCode: 1, ...more })]).toEqual([more, false]);
    }
    expect(isDescribed({ status: 'invalid', invalidCode: 1 })).toBe(true);
    expect([isDescribed({ status: 'invalid' }), isDescribed({ status: 'valid', invalidCode: 1 })]).toEqual([
      false,
      false,
    ]);
  });
});

describe('the document of the loyalty interfaces', () => {
  it.each([
    { name: 'CheckInBody', body: CHECK_IN, read: readCheckInRequest },
    { name: 'Submission', body: SUBMISSION, read: readSubmission },
    { name: 'ImageAddition', body: { image: inline }, read: readAddition },
    { name: 'ImageAddition', body: { image: uploaded }, read: readAddition },
  ])('accepts as $name what is read, and nothing else', ({ name, body, read }) => {
    const isDescribed = schemaNamed(name);
    expect(isDescribed(body)).toBe(true);
    const agrees = fc.property(near(body), (one) => {
      fc.pre(!isText(one));
      expect({ one, accepted: isDescribed(one) }).toEqual({ one, accepted: isRead(() => read(JSON.stringify(one))) });
    });
    fc.assert(agrees, { seed: SEED, numRuns: 2_000 });
  });

  it('accepts as the query of a list of places what is read, and nothing else', () => {
    const { parameters } = document.paths['/api/v1/apps/{api_key}/places'].get;
    const described = parameters.filter(({ in: place }: Json) => place === 'query');
    const isDescribed = ajv.compile({
      type: 'object',
      properties: Object.fromEntries(described.map(({ name, schema }: Json) => [name, schema])),
      required: ['location[latitude]', 'location[longitude]'],
    });
    const number = fc.oneof(fc.integer({ min: -200, max: 200 }), fc.constantFrom(90, 90.1, -90, 180, -180, 0.5, 'far'));
    const query = fc.record(
      {
        'location[latitude]': number,
        'location[longitude]': number,
        'location[limit]': number,
        'location[radius]': number,
        filter_by: number,
      },
      { requiredKeys: [] },
    );
    const agrees = fc.property(query, (one) => {
      const text = new URLSearchParams(Object.entries(one).map(([name, value]) => [name, String(value)]));
      expect({ one, accepted: isDescribed(one) }).toEqual({ one, accepted: isRead(() => readListRequest(`${text}`)) });
    });
    fc.assert(agrees, { seed: SEED, numRuns: 2_000 });
  });
});
