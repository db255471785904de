import { borders } from '@rapideditor/country-coder';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countriesAt, countryAt } from '../../../../functions/conversions/values/geography/country-at.ts';
import { hexagonAt } from '../../../../functions/conversions/values/geography/hexagon-at.ts';
import { iso31662Of } from '../../../../functions/conversions/values/geography/iso-3166-2.ts';
import { timeZoneAt } from '../../../../functions/conversions/values/geography/time-zone-at.ts';

/** What we use of a feature; the types of GeoJSON, on which the package's own build, are not installed. */
interface BorderOf {
  readonly properties: { readonly wikidata: string; readonly nameEn: string; readonly country: string | undefined };
}

const at = (latitude: number, longitude: number) => ({ latitude, longitude });

describe('the country at a point', () => {
  it.each([
    ['San Francisco', at(37.7749, -122.4194), { country: 'US' }],
    ['Anchorage', at(61.2, -149.9), { country: 'US', subdivision: 'US-AK' }],
    ['Edinburgh', at(55.95, -3.2), { country: 'GB', subdivision: 'GB-SCT' }],
    ['Paris, which has also the customs code FX', at(48.85, 2.35), { country: 'FR' }],
    ['Las Palmas, which has also the customs code IC', at(27.95, -15.6), { country: 'ES', subdivision: 'ES-CN' }],
    ['Longyearbyen, which is no subdivision of its own code', at(78.2, 15.6), { country: 'SJ' }],
    ['Vatican City', at(41.9033, 12.4534), { country: 'VA' }],
    ['the South Pole', at(-90, 0), { country: 'AQ' }],
    ['Suva, near the antimeridian', at(-18.14, 178.44), { country: 'FJ' }],
    ['Pristina', at(42.66, 21.16), { country: 'XK' }],
  ])('is that of %s', async (_place, point, country) => {
    expect(await countryAt(point)).toEqual(country);
  });

  it('is the one that ISO 3166 counts a region to, not the one that governs it', async () => {
    expect(await countryAt(at(44.6, 33.52))).toEqual({ country: 'UA', subdivision: 'UA-43' });
    expect(await countriesAt(at(44.6, 33.52))).toEqual(['UA', 'RU']);
    expect(await countryAt(at(35.2, 33.2))).toEqual({ country: 'CY' });
  });

  it('is a territory where that has a code, while addresses may name its country', async () => {
    expect(await countryAt(at(18.4, -66.1))).toEqual({ country: 'PR' });
    expect(await countriesAt(at(18.4, -66.1))).toEqual(['PR', 'US']);
    expect(await countriesAt(at(22.3, 114.17))).toEqual(['HK', 'CN']);
  });

  it('is none at sea', async () => {
    expect(await countryAt(at(30, -40))).toBeUndefined();
    expect(await countriesAt(at(30, -40))).toEqual([]);
  });
});

describe('a point', () => {
  it('has a time zone on land and at sea', async () => {
    expect(await timeZoneAt(at(37.7749, -122.4194))).toBe('America/Los_Angeles');
    expect(await timeZoneAt(at(52.52, 13.405))).toBe('Europe/Berlin');
    expect(await timeZoneAt(at(30, -40))).toBe('Etc/GMT+3');
  });

  it('lies in one H3 cell of each resolution, and coarse cells contain fine ones', async () => {
    const { cellToParent } = await import('h3-js');
    const fine = await hexagonAt(at(37.7749, -122.4194), 8);
    expect(fine).toBe('8828308281fffff');
    expect(await hexagonAt(at(37.7749, -122.4194), 5)).toBe(cellToParent(fine ?? '', 5));
  });

  it('beyond the poles or the antimeridian is nowhere', async () => {
    for (const point of [at(90.1, 0), at(0, -180.1), at(Number.NaN, 0), at(0, Number.POSITIVE_INFINITY)]) {
      expect(await countriesAt(point)).toEqual([]);
      expect(await timeZoneAt(point)).toBeUndefined();
      expect(await hexagonAt(point, 5)).toBeUndefined();
    }
  });

  it('anywhere on earth has a zone that Node knows, a cell, and at most one country of its own', async () => {
    const anywhere = fc.record({
      latitude: fc.double({ min: -90, max: 90, noNaN: true }),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(anywhere, async (point) => {
        const zone = await timeZoneAt(point);
        expect(() => new Intl.DateTimeFormat('en', { timeZone: zone })).not.toThrow();
        expect(await hexagonAt(point, 8)).toMatch(/^88[0-9a-f]{13}$/);
        const codes = await countriesAt(point);
        expect((await countryAt(point))?.country).toBe(codes[0]);
        for (const code of codes) expect(code).toMatch(/^[A-Z]{2}$/);
      }),
    );
  });
});

describe('codes of subdivisions', () => {
  it('belong to regions whose borders are there, each to the country that its code names', () => {
    const borderList: readonly BorderOf[] = borders.features;
    const regions = borderList.flatMap(({ properties }) => {
      const code = iso31662Of(properties.wikidata);
      return code === undefined ? [] : { code, name: properties.nameEn, governor: properties.country };
    });
    expect(regions).toHaveLength(41);
    expect(new Set(regions.map(({ code }) => code)).size).toBe(41);
    const governors = new Map(Object.entries({ BQ: 'NL', SH: 'GB', UM: 'US', UA: 'RU' }));
    for (const { code, name, governor } of regions) {
      const country = code.slice(0, 2);
      expect(governor, name).toBe(governors.get(country) ?? country);
    }
  });
});
