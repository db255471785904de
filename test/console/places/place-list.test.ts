import { describe, expect, it } from 'vitest';
import { placeList } from '../../../functions/console/places/place-list.screen.tsx';
import { renderedScreen } from '../../support/console/rendered-screen.tsx';

const place = (id: string, brand = '') => ({
  id,
  venueId: 1,
  name: `Café ${id}`,
  icon: '',
  address: '1 High Street',
  city: 'Springfield',
  state: 'IL',
  latitude: 39.8,
  longitude: -89.6,
  brand,
  points: 5,
  closed: false,
  createdAt: '2026-11-22T08:00:00.000Z',
  updatedAt: '2026-11-22T08:00:00.000Z',
});

const pageOf = (query: Record<string, string>, answer: object) =>
  renderedScreen(placeList, { query, answers: { 'GET loyalty/places': answer } });

describe('the places with a name', () => {
  it('are asked of the API, page by page, and shown on the map and in the list', async () => {
    const { html, text, links, calls } = await pageOf(
      { name: ' café ', box: '1,2,3,4' },
      { items: [place('a'), place('b')], nextCursor: 'more' },
    );
    expect(calls).toEqual([{ name: 'GET loyalty/places', query: { limit: '100', name: 'café', cursor: '' } }]);
    expect(html).toContain('value="café"');
    expect(text).toContain('Matches');
    expect(links.get('Next')).toBe('/console/t/demo/places?name=caf%C3%A9&cursor=more');
    expect(links.get('Show all places')).toBe('/console/t/demo/places');
    expect([...links.keys()]).toEqual(expect.arrayContaining(['Café a', 'Café b']));
  });

  it('that nobody has are none only once all places were looked through', async () => {
    expect((await pageOf({ name: 'x' }, { items: [] })).text).toContain('No place has this name');
    const more = await pageOf({ name: 'x' }, { items: [], nextCursor: 'more' });
    expect(more.text).toContain('No match so far');
    expect(more.links.get('Keep searching')).toBe('/console/t/demo/places?name=x&cursor=more');
  });
});

describe('the list of places', () => {
  it('has a column of brands where one has a brand', async () => {
    expect((await pageOf({}, { items: [place('a')] })).text).not.toContain('Brand');
    expect((await pageOf({}, { items: [place('a'), place('b', 'Acme')] })).text).toContain('Brand');
  });
});
