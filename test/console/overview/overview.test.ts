import { expect, it } from 'vitest';
import { ManagementFailure } from '../../../functions/console/management/management.ts';
import { overview } from '../../../functions/console/overview/overview.screen.tsx';
import { renderedScreen } from '../../support/console/rendered-screen.tsx';
import { UNUSED } from '../../support/console/usage-answer.ts';

const reviews = (value: number) => ({ items: [], count: { value, isMore: false } });
const counts = {
  periods: [
    { from: '2026-11-22T11:00:00Z', completed: 1_000, failed: 2, inProgress: 0 },
    { from: '2026-11-22T12:00:00Z', completed: 1_000, failed: 0, inProgress: 1 },
  ],
};
const answers = {
  'GET runs': { items: [] },
  'GET runs/counts': counts,
  'GET image-validations': reviews(3),
  'GET usage': UNUSED,
  'GET requests': { items: [] },
  'GET loyalty/places': { items: [{ name: 'The Tower' }] },
};

it('the overview asks for no list if another answer has told', async () => {
  const { calls, text } = await renderedScreen(overview, { answers });
  expect(calls.map(({ name }) => name).toSorted()).toEqual(Object.keys(answers).toSorted());
  expect(text).toContain('2,003 deliveries in the last 24 hours.');
  expect(text).toContain('Customers can check in. The newest place is The Tower.');
  expect(text).toContain('3 receipts and photos wait for review.');
  expect(text).not.toContain('Getting started');
});

it('the overview says since when deliveries are counted if there are too many', async () => {
  const many = { ...answers, 'GET runs/counts': { ...counts, reached: '2026-11-22T11:20:00Z' } };
  const { text } = await renderedScreen(overview, { answers: many });
  expect(text).toMatch(/2,003 deliveries, 2 failed, since .*11:20:00.*: the chart shows the newest ones/);
  expect(text).toContain('2,003+ deliveries in the last 24 hours.');
});

it('the overview of a new account shows the first steps', async () => {
  const none = { items: [] };
  const { text } = await renderedScreen(overview, {
    answers: {
      'GET runs': none,
      'GET runs/counts': { periods: [] },
      'GET image-validations': reviews(0),
      'GET usage': UNUSED,
      'GET requests': none,
      'GET api-configurations': none,
      'GET rules': none,
      'GET loyalty/places': none,
      'GET loyalty/campaigns': none,
      'GET accounts/demo/data-tokens': none,
      'GET accounts/demo/keys': none,
    },
  });
  expect(text).toContain('Getting started');
  expect(text).toContain('Add an endpoint, then use rules to choose which events it receives.');
});

it('the overview of a suspended account fails as a whole, so that one page says why', async () => {
  const failure = new ManagementFailure({ status: 403, code: 'account-suspended', detail: 'Suspended.' });
  const refused = { 'GET runs': failure, 'GET usage': failure, 'GET image-validations': failure };
  await expect(renderedScreen(overview, { answers: refused })).rejects.toMatchObject({ code: 'account-suspended' });
});
