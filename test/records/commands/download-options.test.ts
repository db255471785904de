import { describe, expect, it } from 'vitest';
import { baseUrl, callIn, tokenFor } from '../../../functions/records/commands/download-options.ts';

const URL = 'https://api.example.com';
const OPTIONS = { type: 'products', q: 'a', format: 'JSON' };

describe('the options of a download', () => {
  it('are its parameters, with the format in either letter case', () => {
    expect(callIn(OPTIONS, URL)).toMatchObject({ type: 'products', q: 'a', format: 'json', url: URL });
    expect(callIn({ ...OPTIONS, format: 'csv', 'csv-formulas': 'raw' }, URL)).toMatchObject({ csvFormulas: 'raw' });
  });

  it.each([
    [{ format: 'xml' }, '--format is "xml": choose json or csv. See --help.'],
    [{ 'csv-formulas': 'no' }, '--csv-formulas is "no": choose guarded or raw. See --help.'],
  ])('are refused with %j', (wrong, message) => {
    expect(() => callIn({ ...OPTIONS, ...wrong }, URL)).toThrow(message);
  });
});

describe('the address of the service', () => {
  it('ends before /v3, without a slash', () => {
    expect(baseUrl('https://api.example.com/data//')).toBe('https://api.example.com/data');
  });

  it.each(['localhost:3000', 'nowhere', ''])('is not %j', (text) => {
    expect(() => baseUrl(text)).toThrow('--url must be an address like https://api.example.com.');
  });

  it('holds no token, which the folder would store', () => {
    expect(() => baseUrl('http://demo-token:@localhost')).toThrow('Pass the token in --token or DATA_TOKEN');
  });
});

describe('the data token', () => {
  it('is the one given, or the one of a local service', () => {
    expect([tokenFor(URL, 'given'), tokenFor('http://127.0.0.1:3000', undefined)]).toEqual(['given', 'demo-token']);
    expect(() => tokenFor(URL, undefined)).toThrow('Set the environment variable DATA_TOKEN');
  });
});
