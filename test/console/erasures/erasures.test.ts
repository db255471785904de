import { describe, expect, it } from 'vitest';
import { confirmCustomerErasure, eraseCustomer } from '../../../functions/console/erasures/erase-customer.screens.tsx';
import { customerToErase, erasureList, erasureScreen } from '../../../functions/console/erasures/erasure.screens.tsx';
import { ManagementFailure } from '../../../functions/console/management/management.ts';
import { confirmRecordErasure, eraseRecord } from '../../../functions/console/reviews/erase-record.screens.tsx';
import { renderedScreen } from '../../support/console/rendered-screen.tsx';

const erasure = {
  id: 'era_1',
  customer: 'cus_1',
  status: 'running',
  requestedAt: '2026-11-22T08:00:00.000Z',
  erasedAt: { places: '2026-11-22T08:00:05.000Z' },
  remains: [{ what: 'Amounts in the points ledger', why: 'What was awarded must remain accountable.' }],
};
const OWN = '/console/t/demo';

describe('an erasure', () => {
  it.each([
    ['customer', confirmCustomerErasure, 'Erase the customer', `${OWN}/customers/7/erase`],
    ['record', confirmRecordErasure, 'Erase the record', `${OWN}/images/7/erase`],
  ] as const)('of a %s is asked for before anything is sent', async (_what, screen, label, action) => {
    const { html, calls } = await renderedScreen(screen, { path: { id: '7' }, answers: {} });
    expect(html).toContain(`action="${action}"`);
    expect(html).toMatch(new RegExp(`<button class="button danger"[^>]*>${label}</button>`));
    expect(calls).toEqual([]);
  });

  it.each([
    ['customer', eraseCustomer, 'DELETE loyalty/customers/7', `${OWN}/erasures?notice=erasing`],
    ['record', eraseRecord, 'DELETE image-validations/7', `${OWN}/images?erased=7`],
  ] as const)('of a %s leads to where its outcome is seen', async (_what, screen, call, to) => {
    const answered = await renderedScreen(screen, { path: { id: '7' }, answers: { [call]: {} } });
    expect([answered.calls.map(({ name }) => name), answered.to]).toEqual([[call], to]);
    const refused = await renderedScreen(screen, { path: { id: '7' }, answers: {} });
    expect([refused.status, refused.text]).toEqual([404, expect.stringContaining('Not erased')]);
  });

  it('is listed with its status, and shows what is erased and what remains', async () => {
    const list = await renderedScreen(erasureList, { answers: { 'GET erasures': { items: [erasure] } } });
    expect(list.links.get('cus_1')).toBe(`${OWN}/erasures/era_1`);
    expect(list.text).toContain('Running');
    const one = await renderedScreen(erasureScreen, {
      path: { id: 'era_1' },
      answers: { 'GET erasures/era_1': erasure },
    });
    expect(one.text).toContain('Erased in places');
    expect(one.text).toContain('What was awarded must remain accountable.');
    expect(one.html).toContain('data-live="progress"');
  });

  it('names no customer once it is complete', async () => {
    const { customer: _, ...complete } = { ...erasure, status: 'completed', completedAt: '2026-11-22T10:00:00.000Z' };
    const list = await renderedScreen(erasureList, { answers: { 'GET erasures': { items: [complete] } } });
    expect(list.links.get('Erased customer')).toBe(`${OWN}/erasures/era_1`);
    const one = await renderedScreen(erasureScreen, {
      path: { id: 'era_1' },
      answers: { 'GET erasures/era_1': complete },
    });
    expect(one.text).toContain('Completed');
  });

  it('finds the customer by id or by external id, and says where there is none', async () => {
    const find = (answers: Record<string, unknown>) =>
      renderedScreen(customerToErase, { query: { customer: 'crm/7' }, answers });
    const named = { 'GET loyalty/customers': { items: [{ id: 'cus_1' }] } };
    expect((await find({ 'GET loyalty/customers/crm%2F7': { id: 'crm/7' } })).to).toBe(
      `${OWN}/customers/crm%2F7/erase`,
    );
    expect((await find(named)).to).toBe(`${OWN}/customers/cus_1/erase`);
    const none = await find({ 'GET loyalty/customers': { items: [] }, 'GET erasures': { items: [] } });
    expect([none.status, none.text]).toEqual([404, expect.stringContaining('There is no customer crm/7.')]);
    const away = new ManagementFailure({ status: 502, code: 'unreachable', detail: '' });
    await expect(find({ 'GET loyalty/customers/crm%2F7': away })).rejects.toBe(away);
  });
});
