import { describe, expect, it } from 'vitest';
import { addressOf, filterIn, periodSince, queryOf } from '../../../functions/console/runs/run-filter.ts';

const NOW = Date.UTC(2026, 10, 21, 15);
const filter = (query: string) => filterIn(new URLSearchParams(query));

describe('the filter of the delivery log', () => {
  it('shows the last day when nothing is stated', () => {
    expect(queryOf(filter(''), NOW)).toMatchObject({ from: '2026-11-20T15:00:00.000Z', limit: '50', status: '' });
    expect(Object.values(addressOf(filter(''))).join('')).toBe('');
  });

  it('asks the API for what the address states', () => {
    const stated =
      'status=FAILED&module=dsar&configuration=cfg_1&period=7d&record=%204711%20&bulkReplay=bulk_1&cursor=abc';
    expect(queryOf(filter(stated), NOW)).toEqual({
      status: 'FAILED',
      resolved: '',
      module: 'dsar',
      configuration: 'cfg_1',
      record: '4711',
      bulkReplay: 'bulk_1',
      cursor: 'abc',
      limit: '50',
      from: '2026-11-14T15:00:00.000Z',
    });
    expect(new URLSearchParams(addressOf(filter(stated))).get('period')).toBe('7d');
  });

  it('reaches back as far as the log is kept', () => {
    expect(queryOf(filter('period=all'), NOW)['from']).toBeUndefined();
  });

  it('tells apart failed runs that are resolved, and no others', () => {
    expect(queryOf(filter('status=FAILED&resolved=false'), NOW)).toMatchObject({ status: 'FAILED', resolved: 'false' });
    for (const query of ['resolved=false', 'status=COMPLETED&resolved=true', 'status=FAILED&resolved=x']) {
      expect(filter(query).resolved, query).toBe('');
    }
  });

  it('reaches back to a time by the shortest period', () => {
    const ago = (hours: number) => periodSince(new Date(NOW - hours * 3_600_000).toISOString(), NOW);
    expect([0.5, 2, 30, 200, 10_000].map(ago)).toEqual(['1h', '24h', '7d', '30d', 'all']);
  });

  it('shows the log for an address that states nonsense', () => {
    expect(filter('status=x&period=y')).toMatchObject({ status: '', period: '24h' });
  });
});
