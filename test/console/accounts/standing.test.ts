import { describe, expect, it } from 'vitest';
import { ACCOUNT_SCREENS } from '../../../functions/console/accounts/account.screens.tsx';
import { confirmAccountErasure, eraseAccount } from '../../../functions/console/accounts/account-erasure.screens.tsx';
import { accountList } from '../../../functions/console/accounts/account-list.screen.tsx';
import {
  confirmSuspension,
  resumeAccount,
  suspendAccount,
  switchWebhooks,
} from '../../../functions/console/accounts/standing.screens.tsx';
import { changeToken, tokenScreen } from '../../../functions/console/accounts/token.screens.tsx';
import { ManagementFailure } from '../../../functions/console/management/management.ts';
import { RENDERED_AT, renderedScreen } from '../../support/console/rendered-screen.tsx';

const createdAt = '2026-11-22T08:00:00.000Z';
const account = {
  id: 'acme',
  name: 'Acme',
  plan: 'free',
  billingCurrency: 'USD',
  organization: '',
  email: '',
  firstName: '',
  lastName: '',
  phoneNumber: '',
  active: true,
  apiIntegration: true,
  allowedOrigins: [],
  createdAt,
};
const token = { id: 'tok_1', planId: 'basic', availableDownloads: 1_000, monthlyDownloads: 500, createdAt };
const TOKENS = { 'GET accounts/acme/data-tokens': { items: [token] } };
const operators = { tenant: '', person: { isOperator: true }, path: { id: 'acme', token: 'tok_1' } };
const shown = (own: object) =>
  renderedScreen(ACCOUNT_SCREENS.item, {
    ...operators,
    answers: { ...TOKENS, 'GET accounts/acme': { ...account, ...own } },
  });

describe('the page of an account', () => {
  it('suspends only after a question, by a button that is not the primary one', async () => {
    const { links, html } = await shown({});
    expect(links.get('Suspend…')).toBe('/console/accounts/acme/suspend');
    expect(html).not.toContain('action="/console/accounts/acme/suspend"');
    const question = await renderedScreen(confirmSuspension, {
      ...operators,
      answers: { 'GET accounts/acme': account },
    });
    expect(question.html).toMatch(/<button class="button danger"[^>]*>Suspend<\/button>/);
    expect(question.links.get('Cancel')).toBe('/console/accounts/acme');
    expect(question.calls.filter(({ method }) => method !== undefined)).toEqual([]);
  });

  it('offers to resume a suspended account, and says since when it is suspended', async () => {
    const { html, text, links } = await shown({ active: false, suspendedAt: createdAt });
    expect(html).toContain('action="/console/accounts/acme/resume"');
    expect(links.has('Suspend…')).toBe(false);
    expect(text).toContain('Suspended Since 22 Nov');
  });

  it.each([
    ['suspends', suspendAccount, {}, { active: false }],
    ['resumes', resumeAccount, {}, { active: true }],
    ['turns webhooks off', switchWebhooks, { apiIntegration: 'off' }, { apiIntegration: false }],
    ['turns webhooks on', switchWebhooks, { apiIntegration: 'on' }, { apiIntegration: true }],
  ] as const)('%s by one change, and leads back', async (_what, screen, form, body) => {
    const { calls, to } = await renderedScreen(screen, {
      ...operators,
      form,
      answers: { 'PATCH accounts/acme': account },
    });
    expect(calls).toMatchObject([{ method: 'PATCH', path: 'accounts/acme', body }]);
    expect(to).toBe('/console/accounts/acme');
  });
});

describe('the erasure of an account', () => {
  const at = (hours: number) => new Date(RENDERED_AT - hours * 3_600_000).toISOString();
  const lasting = { active: false, suspendedAt: at(24) };

  it.each([
    ['it is active', {}, 'once it has been suspended for 24 hours'],
    ['it was suspended just now', { active: false, suspendedAt: at(23.9) }, 'from 23 Nov'],
    ['a plan is billed', { ...lasting, billedIn: 'USD' }, 'Change to Free first'],
  ])('is not offered while %s, and the page says why', async (_why, own, reason) => {
    const { text, links } = await shown(own);
    expect(text).toContain(reason);
    expect(links.has('Erase…')).toBe(false);
  });

  it('is not offered to a person of the account', async () => {
    const { text, links } = await renderedScreen(ACCOUNT_SCREENS.item, {
      ...operators,
      person: { isOperator: true, tenant: 'acme' },
      answers: { ...TOKENS, 'GET accounts/acme': { ...account, ...lasting } },
    });
    expect(text).toContain('You belong to this account');
    expect(links.has('Erase…')).toBe(false);
  });

  it('is requested after a question, and leads to what is left of the account', async () => {
    expect((await shown(lasting)).links.get('Erase…')).toBe('/console/accounts/acme/erase');
    const question = await renderedScreen(confirmAccountErasure, {
      ...operators,
      answers: { 'GET accounts/acme': { ...account, ...lasting } },
    });
    expect(question.html).toMatch(/<button class="button danger"[^>]*>Erase the account<\/button>/);
    expect(question.calls.filter(({ method }) => method !== undefined)).toEqual([]);
    const answered = await renderedScreen(eraseAccount, { ...operators, answers: { 'DELETE accounts/acme': {} } });
    expect(answered.to).toBe('/console/accounts/acme');
    const failure = new ManagementFailure({ status: 409, code: 'account-billed', detail: 'It has a paid plan.' });
    const refused = await renderedScreen(eraseAccount, { ...operators, answers: { 'DELETE accounts/acme': failure } });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('It has a paid plan.')]);
  });

  it('is shown by domain, with what remains, in place of the account', async () => {
    const erased = {
      id: 'acme',
      active: false,
      createdAt,
      suspendedAt: at(48),
      erasure: {
        id: 'era_1',
        status: 'running',
        requestedAt: at(1),
        erasedAt: { webhooks: at(0.5) },
        remains: [{ what: 'Invoices', why: 'Accounting law.' }],
      },
    };
    const answers = { 'GET accounts/acme': erased, 'GET accounts': { items: [erased, account] } };
    const { text, html } = await renderedScreen(ACCOUNT_SCREENS.item, { ...operators, answers });
    expect(text).toContain('Erased in webhooks');
    expect(text).toContain('Accounting law.');
    expect(html).toContain('data-live="progress"');
    expect(html).not.toContain('<form class');
    expect((await renderedScreen(accountList, { ...operators, answers })).text).toContain('Erased');
    await expect(renderedScreen(confirmSuspension, { ...operators, answers })).rejects.toMatchObject({ status: 409 });
  });
});

describe('the page of a data token', () => {
  const answers = { ...TOKENS, 'GET accounts/acme': account };
  const change = (form: Record<string, string>, answer: unknown = token) =>
    renderedScreen(changeToken, {
      ...operators,
      form: { credit: 'add', downloads: '', monthlyDownloads: '500', planId: 'basic', ...form },
      answers: { ...answers, 'PATCH accounts/acme/data-tokens/tok_1': answer },
    });
  const bodyOf = ({ calls }: Awaited<ReturnType<typeof change>>) =>
    calls.find(({ method }) => method === 'PATCH')?.body;

  it('shows the credit, and is found on a later page of the list', async () => {
    const { text } = await renderedScreen(tokenScreen, { ...operators, answers });
    expect(text).toContain('1,000 records');
    expect(text).toContain('500 records');
  });

  it('sends only what was changed', async () => {
    expect(bodyOf(await change({ downloads: '2,000' }))).toEqual({ addDownloads: 2_000 });
    expect(bodyOf(await change({ credit: 'set', downloads: '0' }))).toEqual({ availableDownloads: 0 });
    expect(bodyOf(await change({ monthlyDownloads: '' }))).toEqual({ monthlyDownloads: null });
    expect(bodyOf(await change({ planId: 'full', monthlyDownloads: '600' }))).toEqual({
      monthlyDownloads: 600,
      planId: 'full',
    });
    const same = await change({});
    expect([bodyOf(same), same.to]).toEqual([undefined, '/console/accounts/acme/tokens/tok_1?notice=saved']);
  });

  it('shows every fault beside its field, and keeps what was typed', async () => {
    const failure = new ManagementFailure({
      status: 400,
      code: 'invalid-input',
      detail: '',
      errors: [
        { pointer: '/addDownloads', detail: 'must be a number' },
        { pointer: '/planId', detail: 'must be one of basic, full' },
      ],
    });
    const { text, html, status } = await change({ downloads: 'many', planId: 'gold' }, failure);
    expect(status).toBe(400);
    expect(text).toContain('must be a number');
    expect(text).toContain('must be one of basic, full');
    expect(html).toContain('value="many"');
  });
});
