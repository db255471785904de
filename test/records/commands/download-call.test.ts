import { describe, expect, it } from 'vitest';
import {
  type DownloadCall,
  differences,
  downloadPath,
  idIn,
  idsOf,
  pollMillis,
  type Request,
} from '../../../functions/records/commands/download-call.ts';

const call: DownloadCall = { url: 'https://api.example.com', type: 'businesses', q: 'city:austin', format: 'json' };
const request: Request = {
  accountId: 'token',
  id: 7,
  query: 'city:austin',
  dataType: 'businesses',
  dataFormat: 'json',
  view: 'businesses_all',
  records: '',
  status: 'STARTED',
  error: '',
  numDownloaded: 0,
  numRequested: 10,
};

describe('a call', () => {
  it('asks for a download, and sends only what was given', () => {
    expect(downloadPath({ ...call, q: 'name:"a & b" AND prices.amountMin:[1 TO 2}' })).toBe(
      '/v3/data/businesses?q=name%3A%22a+%26+b%22+AND+prices.amountMin%3A%5B1+TO+2%7D&format=json&download=true',
    );
    expect(downloadPath({ ...call, view: 'businesses_basic', records: '5', format: 'csv' })).toBe(
      '/v3/data/businesses?q=city%3Aaustin&format=csv&download=true&view=businesses_basic&records=5',
    );
  });

  it('asks for cells of CSV as they are when that is wanted', () => {
    expect(downloadPath({ ...call, format: 'csv', csvFormulas: 'raw' })).toMatch(/&csvFormulas=raw$/);
    expect(differences({ ...call, csvFormulas: 'raw' }, call)).toEqual(['--csv-formulas was "raw" and is not set']);
  });

  it('differs from another by each parameter, absent ones too', () => {
    expect(differences(call, { ...call })).toEqual([]);
    expect(differences(call, { ...call, q: 'a', records: '5' })).toEqual([
      '--q was "city:austin" and is "a"',
      '--records was not set and is "5"',
    ]);
  });

  it('knows the downloads that it started, with the defaults of the service', () => {
    const others: Partial<Request>[] = [
      { query: 'city:boston' },
      { dataType: 'products' },
      { dataFormat: 'csv' },
      { view: 'businesses_basic' },
      { records: '5' },
    ];
    expect(idsOf([request, ...others.map((other) => ({ ...request, ...other, id: 8 }))], call)).toEqual([7]);
    expect(idsOf([{ ...request, records: '5', view: 'x' }], { ...call, records: '5', view: 'x' })).toEqual([7]);
  });
});

describe('the id of a download', () => {
  it.each(['/v3/requests/42', 'https://api.example.com/v3/requests/42'])('is the end of %s', (location) => {
    expect(idIn(location)).toBe(42);
  });

  it.each([null, '', '/v3/requests/', '/v3/requests/4x'])('is not in %s', (location) => {
    expect(() => idIn(location)).toThrow('did not return the address');
  });
});

describe('asking how far a download is', () => {
  it('begins every second and slows down to every fifth', () => {
    expect([0, 1, 16, 1000].map(pollMillis)).toEqual([1_000, 1_250, 5_000, 5_000]);
  });
});
