import { describe, expect, it } from 'vitest';
import { CustomerChange, NewCustomer } from '../../../functions/accounts/customers/customer-input.ts';
import { CUSTOMER_SCREENS } from '../../../functions/console/customers/customer.screens.tsx';
import type { Customer } from '../../../functions/console/customers/customer-answers.ts';
import { CUSTOMERS } from '../../../functions/console/customers/customer-form.ts';
import { ManagementFailure } from '../../../functions/console/management/management.ts';
import { bodyOf, textsOf } from '../../../functions/console/resources/form-fields.ts';
import { allFields } from '../../../functions/console/resources/resource.ts';
import { renderedScreen } from '../../support/console/rendered-screen.tsx';

const CUSTOMER: Customer = {
  id: 'cus_1',
  externalId: 'crm:4711',
  email: 'jo@example.com',
  attributes: { tier: 'gold', visits: 3 },
  availablePoints: 1_250,
  createdAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-02T00:00:00.000Z',
};
const RECORD = {
  id: 812,
  revision: 1,
  validationType: 'receipt',
  status: 'valid',
  needsReview: false,
  campaignPermalink: 'autumn',
  customer: 'cus_1',
  anonymous: false,
  imageCount: 1,
  storeName: 'Cedar Supply Co',
  createdAt: '2026-11-22T00:00:00.000Z',
};
const CHECK_IN = {
  id: 'chk_1',
  time: '2026-11-22T00:00:00.000Z',
  placeId: 'p1',
  placeName: 'Cafe Rosa',
  customer: 'cus_1',
  points: 7,
};
const fields = allFields(CUSTOMERS);
const texts = textsOf(fields, CUSTOMER);
const path = { id: 'cus_1' };
const answers = {
  'GET loyalty/customers/cus_1': CUSTOMER,
  'GET image-validations': { items: [RECORD] },
  'GET loyalty/customers/cus_1/check-ins': { items: [CHECK_IN] },
};

describe('the form of a customer', () => {
  it('states a customer as the management API takes it', () => {
    const { id: _id, availablePoints: _p, createdAt: _c, updatedAt: _u, ...stated } = CUSTOMER;
    expect(NewCustomer.parse(bodyOf(fields, texts).body)).toEqual(stated);
    expect(bodyOf(fields, { externalId: '', email: '', attributes: '' }).body).toEqual({ attributes: {} });
    expect(bodyOf(fields, { ...texts, attributes: '[1]' }).wrong).toHaveProperty('attributes');
    expect(bodyOf(fields, { ...texts, attributes: '{' }).wrong).toHaveProperty('attributes');
  });
});

describe('customers', () => {
  it('are listed with their points, and found by id or external id', async () => {
    const all = { 'GET loyalty/customers': { items: [CUSTOMER] }, ...answers };
    const list = await renderedScreen(CUSTOMER_SCREENS.list, { answers: all });
    expect(list.text).toMatch(/crm:4711 .*cus_1 .*jo@example\.com .*1,250/);
    expect((await renderedScreen(CUSTOMER_SCREENS.list, { query: { customer: ' cus_1 ' }, answers: all })).to).toBe(
      '/console/t/demo/customers/cus_1',
    );
    const named = await renderedScreen(CUSTOMER_SCREENS.list, { query: { customer: 'crm:4711' }, answers: all });
    expect(named.calls[1]?.query).toMatchObject({ externalId: 'crm:4711' });
    const none = await renderedScreen(CUSTOMER_SCREENS.list, {
      query: { customer: 'x' },
      answers: { 'GET loyalty/customers': { items: [] } },
    });
    expect(none.text).toContain('No such customer');
  });

  it('have a page with points, records and check-ins, and the link to their erasure', async () => {
    const { text, links, calls } = await renderedScreen(CUSTOMER_SCREENS.item, { path, answers });
    expect(text).toMatch(/1,250 points .*812 .*Valid .*Cedar Supply Co .*Cafe Rosa/);
    expect(links.get('All records')).toBe('/console/t/demo/images?customer=cus_1');
    expect(links.get('All check-ins')).toBe('/console/t/demo/places/-/check-ins?customer=cus_1');
    expect(links.get('Erase the customer…')).toBe('/console/t/demo/customers/cus_1/erase');
    expect(calls[1]?.query).toMatchObject({ customer: 'cus_1' });
  });

  it('keep their page while records cannot be read', async () => {
    const failure = new ManagementFailure({ status: 502, code: 'unreachable', detail: 'The service is away.' });
    const { status, text } = await renderedScreen(CUSTOMER_SCREENS.item, {
      path,
      answers: { ...answers, 'GET image-validations': failure },
    });
    expect([status, text.includes('The service is away.'), text.includes('Cafe Rosa')]).toEqual([200, true, true]);
  });

  it('are created, and changed by what differs; an empty field removes its value', async () => {
    const made = await renderedScreen(CUSTOMER_SCREENS.create, {
      form: texts,
      answers: { 'POST loyalty/customers': CUSTOMER },
    });
    expect(made.to).toBe('/console/t/demo/customers/cus_1?notice=created');
    const { calls } = await renderedScreen(CUSTOMER_SCREENS.change, {
      path,
      form: { ...texts, email: '' },
      answers: { ...answers, 'PATCH loyalty/customers/cus_1': CUSTOMER },
    });
    expect(calls[1]?.body).toEqual({ email: null });
    expect(CustomerChange.safeParse(calls[1]?.body).success).toBe(true);
  });

  it('keep the form if the external id is taken', async () => {
    const failure = new ManagementFailure({ status: 409, code: 'external-id-taken', detail: 'It is taken.' });
    const { status, html } = await renderedScreen(CUSTOMER_SCREENS.change, {
      path,
      form: { ...texts, externalId: 'other' },
      answers: { ...answers, 'PATCH loyalty/customers/cus_1': failure },
    });
    expect(status).toBe(409);
    expect(html).toMatch(/value="other".*id="field-externalId-said">It is taken\./s);
  });
});
