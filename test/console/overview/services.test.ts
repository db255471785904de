import { describe, expect, it } from 'vitest';
import { ManagementFailure } from '../../../functions/console/management/management.ts';
import { type ServiceAnswers, serviceStates } from '../../../functions/console/overview/services.ts';
import { UNUSED } from '../../support/console/usage-answer.ts';

const answered = <Value>(value: Value) => ({ ok: true, value }) as const;
const none = answered({ items: [] });
const some = answered({ items: [{}] });
const sent = (completed: number, failed: number, reached?: string) =>
  answered({
    periods: [{ from: '2026-11-22T12:00:00Z', completed, failed, inProgress: 0 }],
    ...(reached && { reached }),
  });
const EMPTY: ServiceAnswers = {
  configurations: none,
  deliveries: sent(0, 0),
  failed: none,
  downloads: none,
  usage: answered(UNUSED),
  places: none,
  campaigns: none,
  reviews: answered({ items: [], count: { value: 0, isMore: false } }),
};
const sentences = (answers: Partial<ServiceAnswers>) =>
  Object.fromEntries(
    serviceStates({ ...EMPTY, ...answers }).map(({ title, sentence, next }) => [title, `${sentence} ${next.label}`]),
  );

describe('the state of the services', () => {
  it('names the first step of each in an empty account', () => {
    expect(sentences({})).toEqual({
      Webhooks: 'No endpoint receives events yet. Add an API configuration',
      Records: 'Nothing has been downloaded yet. Search records',
      Conversions: 'No conversion in this period. Create a key',
      Places: 'Nobody can check in yet. Add a place',
      'Receipts and photos': 'No campaign accepts receipts or photos yet. Start a campaign',
    });
  });

  it('says how many deliveries there were, and how many failures are unresolved', () => {
    const webhooks = (answers: Partial<ServiceAnswers>) =>
      sentences({ configurations: undefined, ...answers })['Webhooks'];
    expect(webhooks({ deliveries: sent(1, 1), failed: some })).toBe(
      '2 deliveries in the last 24 hours. 1 failed and is unresolved. See the failed deliveries',
    );
    const more = answered({ items: [{}, {}], nextCursor: 'more' });
    expect(webhooks({ deliveries: sent(1, 0, '2026-11-22T12:01:00Z'), failed: more })).toMatch(
      /^1\+ deliveries in the last 24 hours\. 2\+ failed and are unresolved\./,
    );
    expect(webhooks({ deliveries: sent(2, 0) })).toMatch(
      /^2 deliveries in the last 24 hours\. No failure is unresolved\./,
    );
    expect(webhooks({ configurations: some })).toMatch(/^No events in the last 24 hours\./);
  });

  it('says what is used, and what waits', () => {
    const states = sentences({
      usage: answered({ ...UNUSED, liveUsed: 1_200 }),
      places: answered({ items: [{ name: 'The Tower' }] }),
      campaigns: undefined,
      reviews: answered({ items: [], count: { value: 100, isMore: true } }),
    });
    expect(states['Conversions']).toMatch(/^1,200 of 50,000 included conversions are used\./);
    expect(states['Places']).toBe('Customers can check in. The newest place is The Tower. See places');
    expect(states['Receipts and photos']).toMatch(/^100\+ receipts and photos wait for review\./);
  });

  it('leaves out a service that does not respond', () => {
    const failure = new ManagementFailure({ status: 404, code: 'not-found', detail: '' });
    expect(
      Object.keys(
        sentences({
          places: { ok: false, failure },
          downloads: { ok: false, failure },
        }),
      ),
    ).toEqual(['Webhooks', 'Conversions', 'Receipts and photos']);
  });
});
