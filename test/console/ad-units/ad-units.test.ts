import { describe, expect, it } from 'vitest';
import { AD_UNIT_SCREENS } from '../../../functions/console/ad-units/ad-unit.screens.tsx';
import type { AdUnit } from '../../../functions/console/ad-units/ad-unit-answers.ts';
import { AD_UNITS } from '../../../functions/console/ad-units/ad-unit-form.ts';
import { ManagementFailure } from '../../../functions/console/management/management.ts';
import { bodyOf, textsOf } from '../../../functions/console/resources/form-fields.ts';
import { allFields } from '../../../functions/console/resources/resource.ts';
import { AdUnitChange, AdUnitFields } from '../../../functions/places/ad-units/ad-unit.ts';
import { renderedScreen } from '../../support/console/rendered-screen.tsx';

const UNIT: AdUnit = {
  id: 'adu_1',
  creativeId: 9,
  name: 'Summer',
  placeIds: ['tower', 'gone'],
  startsAt: null,
  endsAt: '2027-09-01T00:00:00.000Z',
  createdAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-02T00:00:00.000Z',
};
const fields = allFields(AD_UNITS);
const texts = textsOf(fields, UNIT);
const path = { id: 'adu_1' };
const answers = {
  'GET loyalty/ad-units/adu_1': UNIT,
  'GET loyalty/places': { items: [{ id: 'tower', name: 'The Tower' }] },
};
const listed = async (own: Partial<AdUnit>) =>
  (
    await renderedScreen(AD_UNIT_SCREENS.list, {
      answers: { 'GET loyalty/ad-units': { items: [{ ...UNIT, ...own }] } },
    })
  ).text;

describe('ad units', () => {
  it('are stated as the management API takes them', () => {
    const { id: _id, creativeId: _n, createdAt: _c, updatedAt: _u, ...stated } = UNIT;
    expect(AdUnitFields.parse(bodyOf(fields, texts).body)).toEqual(stated);
  });

  it('are listed with their state and the number of places', async () => {
    expect(await listed({})).toMatch(/Summer .*Running .*Any time .*2 places/);
    expect(await listed({ startsAt: '2026-12-01T00:00:00.000Z' })).toContain('Not begun');
    expect(await listed({ endsAt: '2026-11-01T00:00:00.000Z' })).toContain('Ended');
  });

  it('have a page that links to their places, and names those that were deleted', async () => {
    const { text, links } = await renderedScreen(AD_UNIT_SCREENS.item, { path, answers });
    expect(links.get('The Tower')).toBe('/console/t/demo/places/tower');
    expect(text).toContain('gone (deleted)');
  });

  it('are created, changed by what differs and deleted', async () => {
    const made = await renderedScreen(AD_UNIT_SCREENS.create, {
      form: texts,
      answers: { 'POST loyalty/ad-units': UNIT },
    });
    expect(made.to).toBe('/console/t/demo/ad-units/adu_1?notice=created');
    const { calls } = await renderedScreen(AD_UNIT_SCREENS.change, {
      path,
      form: { ...texts, endsAt: '', placeIds: 'tower' },
      answers: { ...answers, 'PATCH loyalty/ad-units/adu_1': UNIT },
    });
    expect(calls[1]?.body).toEqual({ endsAt: null, placeIds: ['tower'] });
    expect(AdUnitChange.safeParse(calls[1]?.body).success).toBe(true);
    const gone = await renderedScreen(AD_UNIT_SCREENS.remove, {
      path,
      answers: { 'DELETE loyalty/ad-units/adu_1': {} },
    });
    expect(gone.to).toBe('/console/t/demo/ad-units?deleted=1');
  });

  it('say at the places which of them does not exist', async () => {
    const failure = new ManagementFailure({ status: 400, code: 'unknown-place', detail: 'There is no place x.' });
    const { status, html } = await renderedScreen(AD_UNIT_SCREENS.create, {
      form: texts,
      answers: { 'POST loyalty/ad-units': failure },
    });
    expect([status, /id="field-placeIds-said">There is no place x\./.test(html)]).toEqual([400, true]);
  });
});
