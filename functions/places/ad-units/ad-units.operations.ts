import * as z from 'zod';
import { named, pageOf, Time } from '#shared/http/answer-schemas';
import { ItemPath } from '#shared/http/management-api';
import { operations } from '#shared/http/operation';
import { PageQuery } from '#shared/http/page';
import { AdUnitChange, AdUnitFields } from './ad-unit.ts';

const AdUnit = named(
  'AdUnit',
  z.object({
    id: z.string(),
    creativeId: z.int().meta({ description: 'The number of the ad unit in the loyalty interface.' }),
    name: z.string(),
    placeIds: z.array(z.string()),
    startsAt: z.nullable(Time).meta({ description: 'Null means that the ad unit has always been active.' }),
    endsAt: z.nullable(Time).meta({ description: 'Null means that it never ends.' }),
    createdAt: Time,
    updatedAt: Time,
  }),
  'An advertisement that promotes places for a time.',
);

const one = { path: ItemPath, answers: { 200: AdUnit } };
const saving = { 400: ['unknown-place'] };
const example = { name: 'Summer at the tower', placeIds: ['space-needle'], endsAt: '2027-09-01T00:00:00Z' };

/** Operations on ad units. */
export const adUnitOperations = operations({
  createAdUnit: {
    route: 'POST /manage/v1/loyalty/ad-units',
    summary: 'Create an ad unit',
    body: AdUnitFields,
    example,
    answers: { 201: AdUnit },
    errors: { ...saving, 409: ['too-many-ad-units'] },
  },
  listAdUnits: {
    route: 'GET /manage/v1/loyalty/ad-units',
    summary: 'List ad units',
    query: PageQuery,
    answers: { 200: pageOf('AdUnitPage', AdUnit) },
  },
  getAdUnit: { route: 'GET /manage/v1/loyalty/ad-units/{id}', summary: 'Get an ad unit', ...one },
  replaceAdUnit: {
    route: 'PUT /manage/v1/loyalty/ad-units/{id}',
    summary: 'Replace an ad unit',
    description: 'Members that are absent get their defaults.',
    ...one,
    body: AdUnitFields,
    example,
    errors: saving,
  },
  changeAdUnit: {
    route: 'PATCH /manage/v1/loyalty/ad-units/{id}',
    summary: 'Change an ad unit',
    description: 'Members that are absent stay as they are.',
    ...one,
    body: AdUnitChange,
    example: { endsAt: null },
    errors: saving,
  },
  deleteAdUnit: {
    route: 'DELETE /manage/v1/loyalty/ad-units/{id}',
    summary: 'Delete an ad unit',
    path: ItemPath,
    answers: { 204: undefined },
  },
});
