import { describe, expect, it } from 'vitest';
import type { Management, Query } from '../../../functions/console/management/management.ts';
import { Form } from '../../../functions/console/pages/form.ts';
import { mapAreaOf } from '../../../functions/console/places/map-area.ts';
import type { Place } from '../../../functions/console/places/place-answers.ts';
import { PLACES } from '../../../functions/console/places/place-form.ts';
import { bodyOf, fieldsIn, initialTexts, textsIn, textsOf } from '../../../functions/console/resources/form-fields.ts';
import { allFields, changingSections } from '../../../functions/console/resources/resource.ts';
import { PlaceChange, PlaceReplacement } from '../../../functions/places/catalog/place-input.ts';

const place = (id: string, longitude: number, latitude: number): Place => ({
  id,
  venueId: 1,
  name: id,
  icon: '',
  address: '',
  city: '',
  state: '',
  latitude,
  longitude,
  brand: '',
  points: 0,
  closed: false,
  createdAt: '2026-11-22T08:00:00.000Z',
  updatedAt: '2026-11-22T08:00:00.000Z',
});

/** Answers each call with the next of these pages. */
function answering(...pages: readonly { items: readonly Place[]; nextCursor?: string }[]) {
  const asked: (Query | undefined)[] = [];
  const management: Management = {
    get: async (_path, answer, query) => {
      asked.push(query);
      return answer.parse(pages[asked.length - 1]);
    },
    send: async () => {
      throw new Error('Looking changes nothing.');
    },
    put: async () => {
      throw new Error('Looking changes nothing.');
    },
  };
  return { management, asked };
}

describe('the places of a map', () => {
  it('are all of them where one page holds all, seen from around them', async () => {
    const { management, asked } = answering({ items: [place('a', 10, 50), place('b', 12, 51)] });
    const area = await mapAreaOf(management, '');
    expect(area).toMatchObject({ isPart: false, box: undefined, places: [{ id: 'a' }, { id: 'b' }] });
    expect(asked).toEqual([{ limit: '100' }]);
  });

  it('are those of the view around the newest where there are more', async () => {
    const { management, asked } = answering(
      { items: [place('a', 10, 50)], nextCursor: 'more' },
      { items: [place('a', 10, 50), place('near', 10.001, 50)] },
    );
    const area = await mapAreaOf(management, '');
    expect(area).toMatchObject({ isPart: false, box: undefined, places: [{ id: 'a' }, { id: 'near' }] });
    expect(asked[1]).toMatchObject({ limit: '500' });
  });

  it('follow short pages of a box, but not for ever, and say that there may be more', async () => {
    const short = { items: [place('a', 10, 50)], nextCursor: 'more' };
    const { management, asked } = answering(short, { ...short, items: [] }, short, short, short, short);
    const area = await mapAreaOf(management, '5,45,15,55');
    expect(asked.map((query) => [query?.['cursor'], query?.['limit']])).toEqual([
      [undefined, '500'],
      ['more', '499'],
      ['more', '499'],
      ['more', '498'],
      ['more', '497'],
    ]);
    expect(asked[0]?.['box']).toMatch(/^-?[\d.]+(,-?[\d.]+){3}$/);
    expect(area.isPart).toBe(true);
    expect(area.places).toHaveLength(4);
  });

  it('are those among the newest where the view is too wide for the index', async () => {
    const { management, asked } = answering(
      { items: [place('far', 170, -40), place('a', 10, 50)], nextCursor: 'more' },
      { items: [place('b', 20, 55)] },
    );
    const area = await mapAreaOf(management, '-20,30,40,60');
    expect(asked.map((query) => [query?.['cursor'], query?.['limit'], query?.['box']])).toEqual([
      [undefined, '100', undefined],
      ['more', '100', undefined],
    ]);
    expect(area).toMatchObject({ isPart: false, places: [{ id: 'a' }, { id: 'b' }] });
  });

  it('are those around the newest where the address has no proper box', async () => {
    const { management, asked } = answering({ items: [] });
    await mapAreaOf(management, '1,2,3,<script>');
    expect(asked).toEqual([{ limit: '100' }]);
  });
});

describe('the form of a place', () => {
  const fields = allFields(PLACES);

  it('sends back what it was given, as the management API takes it', () => {
    const { id, venueId, createdAt, updatedAt, ...stated } = {
      ...place('a', -122.35, 47.62),
      acceptedDistanceMeters: 80,
    };
    const changing = fieldsIn(changingSections(PLACES));
    const texts = textsOf(changing, { ...stated, id, venueId, createdAt, updatedAt });
    const { body, wrong } = bodyOf(changing, texts);
    expect(wrong).toEqual({});
    expect(PlaceReplacement.parse(body)).toEqual(stated);
    const { body: change } = bodyOf(changing, { ...texts, acceptedDistanceMeters: '' }, texts);
    expect(PlaceChange.parse(change)).toEqual({ acceptedDistanceMeters: null });
  });

  it('names the fields in which there is no number', () => {
    const texts = { latitude: '47,62', longitude: '', points: '1.5', acceptedDistanceMeters: 'far' };
    const { wrong } = bodyOf(fields, { ...initialTexts(fields), ...texts });
    expect(Object.keys(wrong)).toEqual(['latitude', 'longitude', 'points', 'acceptedDistanceMeters']);
  });

  it('reads a ticked box as closed', () => {
    const bodyIn = (form: string) => bodyOf(fields, textsIn(fields, new Form(form))).body;
    expect(bodyIn('name=+A+&closed=on')).toMatchObject({ name: 'A', closed: true });
    expect(bodyIn('name=A')).toMatchObject({ closed: false });
  });
});
