import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { placeIn, placeKey } from '../../../functions/places/catalog/place-items.dynamodb.ts';
import { placeWrites } from '../../../functions/places/catalog/place-store.dynamodb.ts';
import { timeOfVersion, versionOf } from '../../../functions/places/catalog/place-writes.ts';
import { isoTime } from '../../../shared/formats/timestamp.ts';
import { newId } from '../../../shared/ids.ts';
import { getItem } from '../../../shared/table/table.dynamodb.ts';
import { openPlacesDesk, type PlacesDesk, placeInput } from '../../support/places/places-desk.ts';
import { times } from '../../support/runner/thoroughness.ts';

const NOW = Date.parse('2026-11-15T10:30:00.000Z');
const tenant = newId('t');

let desk: PlacesDesk;
beforeAll(async () => {
  desk = await openPlacesDesk();
});
afterAll(() => desk.close());

interface Write {
  /** Milliseconds after the first. */
  readonly at: number;
  /** Of the file and the line, where two have the same time. */
  readonly detail: string;
  /** Undefined: the place is removed. */
  readonly points: number | undefined;
}
const versionIn = ({ at, detail }: Write) => versionOf(isoTime(NOW + at), detail);

async function apply(id: string, write: Write): Promise<void> {
  const writes = placeWrites(desk.places);
  const { points } = write;
  if (points === undefined) return writes.remove({ tenant, id }, versionIn(write));
  // Only every other write states an accepted distance.
  const accepted = points % 2 === 0 ? { acceptedDistanceMeters: points + 1 } : {};
  return writes.store(placeInput(tenant, { id, points, ...accepted }), versionIn(write));
}

/** What is stored, without the age, which only says which write came first. */
async function stored(id: string) {
  const item = await getItem(desk.places, placeKey({ tenant, id }));
  if (!item) return undefined;
  const { pk: _, leaf: __, createdAt: ___, position: ____, ...rest } = item;
  return { ...rest, id: undefined, venueId: undefined };
}

const write: fc.Arbitrary<Write> = fc.record({
  at: fc.integer({ min: 0, max: 3 }),
  detail: fc.constantFrom('a', 'b'),
  points: fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined, freq: 2 }),
});

describe('writes of one place', () => {
  it('end in the same state, in any order and repeated any number of times', async () => {
    const writes = fc.uniqueArray(write, { selector: versionIn, minLength: 1, maxLength: 5 });
    const orders = writes.chain((all) => {
      const often = fc.array(fc.constantFrom(...all), { maxLength: 3 });
      return fc.tuple(
        fc.constant(all),
        often.chain((again) => fc.shuffledSubarray([...all, ...again], { minLength: all.length + again.length })),
      );
    });
    await fc.assert(
      fc.asyncProperty(orders, async ([all, order]) => {
        const [inOrder, anyOrder] = [newId('plc'), newId('plc')];
        const byVersion = all.toSorted((a, b) => (versionIn(a) < versionIn(b) ? -1 : 1));
        for (const one of byVersion) await apply(inOrder, one);
        for (const one of order) await apply(anyOrder, one);
        const newest = byVersion.at(-1)!;
        const expected = await stored(inOrder);
        expect(await stored(anyOrder)).toEqual(expected);
        expect(expected).toMatchObject({ version: versionIn(newest) });
        const item = await getItem(desk.places, placeKey({ tenant, id: anyOrder }));
        expect(placeIn(item!)?.points).toBe(newest.points);
      }),
      { numRuns: times(60) },
    );
  });

  it('at the same time end in the newest', async () => {
    const id = newId('plc');
    const all = Array.from({ length: 12 }, (_, n) => ({ at: n, detail: 'x', points: n % 4 === 3 ? undefined : n }));
    await Promise.all([...all.toReversed(), ...all].map((one) => apply(id, one)));
    expect(await stored(id)).toMatchObject({ deleted: true, version: versionIn(all.at(-1)!) });
  });

  it('keep the creation time of the place, and update the time of its change', async () => {
    const id = newId('plc');
    const read = async () => placeIn((await getItem(desk.places, placeKey({ tenant, id })))!);
    await apply(id, { at: 0, detail: 'a', points: 1 });
    await apply(id, { at: 5, detail: 'a', points: 2 });
    expect(await read()).toMatchObject({ createdAt: isoTime(NOW), updatedAt: isoTime(NOW + 5), points: 2 });
    expect((await read())?.acceptedDistanceMeters).toBe(3);
    await apply(id, { at: 6, detail: 'a', points: 7 });
    expect((await read())?.acceptedDistanceMeters).toBeUndefined();
    await apply(id, { at: 7, detail: 'a', points: undefined });
    await apply(id, { at: 8, detail: 'a', points: 4 });
    expect(await read()).toMatchObject({ createdAt: isoTime(NOW + 8) });
  });

  it('do not let a place appear if its later removal came first', async () => {
    const id = newId('plc');
    await apply(id, { at: 5, detail: 'a', points: undefined });
    await apply(id, { at: 4, detail: 'a', points: 3 });
    expect(await stored(id)).toMatchObject({ deleted: true });
  });
});

describe('a version', () => {
  it('is ordered by its time, then by its detail', () => {
    const order = [versionOf(isoTime(NOW), 'a'), versionOf(isoTime(NOW), 'b'), versionOf(isoTime(NOW + 1), 'a')];
    expect(order.toSorted()).toEqual(order);
    expect(order.map(timeOfVersion)).toEqual([isoTime(NOW), isoTime(NOW), isoTime(NOW + 1)]);
    expect(timeOfVersion(versionOf(isoTime(NOW), 'file#7'))).toBe(isoTime(NOW));
  });
});
