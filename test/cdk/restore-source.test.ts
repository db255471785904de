import { describe, expect, it } from 'vitest';
import { type Domain, restoreSource } from '../../cdk/restore-source.ts';

const NOW = Date.parse('2026-11-27T12:00:00Z');

const source = (options: { from?: string; to?: string; domain?: Domain }) =>
  restoreSource({ domain: 'records', from: undefined, to: undefined, ...options }, NOW);

describe('the source of a restore', () => {
  it('is a table, or the bucket of imported files at a time', () => {
    expect(source({ domain: 'images', from: 'restored' })).toEqual({ kind: 'table', from: 'restored' });
    const to = '2026-11-26T15:00:00+01:00';
    const at = Date.parse('2026-11-26T14:00:00Z');
    expect(source({ to })).toEqual({ kind: 'bucket', output: 'ImportsBucket', to: at });
    expect(source({ to, domain: 'places' })).toEqual({ kind: 'bucket', output: 'PlacesImportsBucket', to: at });
  });

  it.each([
    [{}, 'Name either a table with --from or a time with --to. See --help.'],
    [
      { from: 'restored', to: '2026-11-26T14:00:00Z' },
      'Name either a table with --from or a time with --to. See --help.',
    ],
    [
      { domain: 'images', to: '2026-11-26T14:00:00Z' },
      'images has no imported files: choose records or places. See --help.',
    ],
    [
      { to: '2026-11-26 14:00' },
      '--to is "2026-11-26 14:00", which is no time such as 2026-11-26T14:00:00Z. See --help.',
    ],
    [{ to: '2026-08-29T11:00:00Z' }, '--to is more than 90 days ago: versions of that time are deleted. See --help.'],
  ] as const)('is refused for %j', (options, message) => {
    expect(() => source(options)).toThrow(new Error(message));
  });
});
