import { describe, expect, it } from 'vitest';
import { enriched } from './enriching.ts';

const keysOf = async (type: string, record: object, options = {}) =>
  (await enriched({ type, record, include: ['match'] }, options)).enrichment.matchKeys;

describe('keys to find duplicates by', () => {
  it('are the same for one business, however two sources write it', async () => {
    const keys = [
      'domain:xn--caf-mller-d4a5s.de',
      'email:info@cafe-mueller.de',
      'name:cafemuller|DE|10115',
      'name:cafemuller|u33dbe',
      'phone:+493012345678',
    ];
    const one = {
      name: 'Café Müller GmbH',
      phone: '030 12345678',
      website: 'https://www.café-müller.de/kontakt',
      email: 'Info@cafe-mueller.de',
      country: 'Deutschland',
      postalCode: '10115',
      lat: 52.5316,
      lon: 13.3869,
    };
    const other = {
      name: ' CAFE MULLER  G.m.b.H.',
      phones: ['+49 (30) 1234-5678'],
      domains: ['CAFÉ-MÜLLER.de'],
      emails: ['info@CAFE-MUELLER.de'],
      country: 'DE',
      postcode: '10 115',
      latitude: '52.5317',
      longitude: '13.3868',
    };
    expect(await keysOf('business', one)).toEqual(keys);
    expect(await keysOf('business', other)).toEqual(keys);
  });

  it('are those of the GTIN, of brand and part number, and of brand and name', async () => {
    const one = { gtin: '036000291452', brand: 'Kleenex®', manufacturerNumber: 'KL-21 400', name: 'Tissues, 2-ply' };
    expect(await keysOf('product', one)).toEqual([
      'gtin:00036000291452',
      'name:kleenex|tissues2ply',
      'part:kleenex|kl21400',
    ]);
    expect(await keysOf('product', { upc: '0 36000 29145 2', brand: 'KLEENEX™', mpn: 'kl21400' })).toEqual([
      'gtin:00036000291452',
      'part:kleenex|kl21400',
    ]);
  });

  it('are those of address and listing number', async () => {
    const one = { address: '1 Main St., Apt. 4', postalCode: '94103-1234', country: 'USA', mlsNumber: 'SF 123' };
    expect(await keysOf('property', one)).toEqual(['address:1mainstapt4|US|94103', 'listing:sf123']);
    const other = { address: '1 MAIN ST APT 4', zip: '94103', country: 'US' };
    expect(await keysOf('property', other)).toEqual(['address:1mainstapt4|US|94103']);
  });

  it('are not made of what very many things share, or of what is not valid', async () => {
    expect(await keysOf('business', { name: 'Acme' })).toEqual([]);
    expect(await keysOf('business', { website: 'https://www.facebook.com/acme' })).toEqual([]);
    expect(
      await keysOf('business', { phone: '+4930', website: 'localhost', email: 'acme', name: '!?', postalCode: '1' }),
    ).toEqual([]);
    expect(await keysOf('product', { gtin: '036000291453', name: 'Tissues' })).toEqual([]);
    expect(await keysOf('property', { address: '1 Main St' })).toEqual([]);
    expect(await keysOf('business', { name: 'x'.repeat(8_000), country: 'DE', postalCode: '10115' })).toEqual([]);
  });

  it('keep names of other scripts apart', async () => {
    const place = { country: 'IN', postalCode: '110001' };
    const keys = await Promise.all(
      ['दिल्ली', 'दिल्ला', '東京', 'Москва'].map((name) => keysOf('business', { name, ...place })),
    );
    expect(new Set(keys.flat()).size).toBe(4);
  });
});
