import { describe, expect, it } from 'vitest';
import { NewPerson } from '../../../functions/accounts/people/person.ts';
import { ACCOUNT_SCREENS } from '../../../functions/console/accounts/account.screens.tsx';
import { ManagementFailure } from '../../../functions/console/management/management.ts';
import {
  confirmDisabling,
  confirmReset,
  confirmSignOut,
  disablePerson,
  enablePerson,
  resetPerson,
  signOutPerson,
} from '../../../functions/console/people/access.screens.tsx';
import { PEOPLE_SCREENS } from '../../../functions/console/people/person.screens.tsx';
import type { Person } from '../../../functions/console/people/person-answers.ts';
import { PEOPLE } from '../../../functions/console/people/person-form.ts';
import { bodyOf, initialTexts } from '../../../functions/console/resources/form-fields.ts';
import { allFields } from '../../../functions/console/resources/resource.ts';
import { renderedScreen } from '../../support/console/rendered-screen.tsx';

const ID = 'rita@example.com';
const API = `people/${encodeURIComponent(ID)}`;
const OWN = `/console/t/demo/${API}`;
const RITA: Person = {
  id: ID,
  name: 'Rita',
  email: ID,
  role: 'reviewer',
  active: true,
  createdAt: '2026-11-01T00:00:00.000Z',
  lastSeenAt: '2026-11-23T10:00:00.000Z',
};
const path = { id: ID };
const answers = { [`GET ${API}`]: RITA };
const lastAdmin = new ManagementFailure({ status: 409, code: 'last-admin', detail: 'This is the last active admin.' });

describe('people', () => {
  it('are listed with name, address, state, role and when they were active', async () => {
    const listed = async (own: Partial<Person>) =>
      (await renderedScreen(PEOPLE_SCREENS.list, { answers: { 'GET people': { items: [{ ...RITA, ...own }] } } })).text;
    expect(await listed({})).toMatch(/Rita rita@example\.com Active Reviewer 2 h ago/);
    expect(await listed({ lastSeenAt: null, role: 'admin' })).toMatch(/Invited Admin Never/);
    expect(await listed({ active: false })).toContain('Disabled');
    const none = await renderedScreen(PEOPLE_SCREENS.list, { answers: { 'GET people': { items: [] } } });
    expect(none.links.get('Invite a person')).toBe('/console/t/demo/people/-/new');
  });

  it('are invited with what the API takes, and the temporary password is shown once', async () => {
    const fields = allFields(PEOPLE);
    const { body } = bodyOf(fields, { ...initialTexts(fields), email: ID, name: 'Rita' });
    expect(NewPerson.parse(body)).toEqual({ email: ID, name: 'Rita', role: 'viewer' });
    const form = { email: ID, name: 'Rita', role: 'reviewer' };
    const invited = { ...RITA, mailed: false, temporaryPassword: 'once-in-view' };
    const invitation = await renderedScreen(PEOPLE_SCREENS.create, { form, answers: { 'POST people': invited } });
    expect(invitation.text).toMatch(/It is shown only once\..*once-in-view.*rita@example\.com/);
    expect(invitation.reloadLeadsTo).toBe(`${OWN}?shown-once=1`);
    const again = await renderedScreen(PEOPLE_SCREENS.item, { path, query: { 'shown-once': '1' }, answers });
    expect(again.text).toContain("can't be shown again");
    const { temporaryPassword: _, ...rest } = invited;
    const mailed = await renderedScreen(PEOPLE_SCREENS.create, {
      form,
      answers: { 'POST people': { ...rest, mailed: true } },
    });
    expect(mailed.to).toBe(`${OWN}?mailed=1`);
  });

  it('are refused beside the address where somebody has it already', async () => {
    const failure = new ManagementFailure({ status: 409, code: 'person-exists', detail: 'It can already sign in.' });
    const form = { email: ID, name: 'Rita', role: 'viewer' };
    const refused = await renderedScreen(PEOPLE_SCREENS.create, { form, answers: { 'POST people': failure } });
    expect([refused.status, refused.html.includes('aria-describedby="field-email-said"')]).toEqual([409, true]);
    expect(refused.text).toContain('It can already sign in.');
  });

  it('begin with an admin where the account is new', async () => {
    const account = { id: 'acme', name: 'Acme', plan: 'free', billingCurrency: 'USD', organization: '', email: '' };
    const more = { firstName: '', lastName: '', phoneNumber: '', active: true, apiIntegration: true };
    const newAccount = { ...account, ...more, allowedOrigins: [], createdAt: RITA.createdAt };
    const created = await renderedScreen(ACCOUNT_SCREENS.create, {
      tenant: '',
      form: { name: 'Acme' },
      answers: { 'POST accounts': newAccount },
    });
    expect(created.to).toBe('/console/t/acme/people/-/new?account-created=1');
    const form = await renderedScreen(PEOPLE_SCREENS.newForm, {
      tenant: 'acme',
      query: { 'account-created': '1' },
      answers: {},
    });
    expect(form.text).toContain('Invite its first admin.');
    expect(form.html).toMatch(/<option[^>]*value="admin"[^>]*selected|<option[^>]*selected[^>]*value="admin"/);
  });
});

describe('a person', () => {
  it('gets another role by what differs, and the last admin keeps theirs', async () => {
    const form = { name: 'Rita', role: 'viewer' };
    const changed = await renderedScreen(PEOPLE_SCREENS.change, {
      path,
      form,
      answers: { ...answers, [`PATCH ${API}`]: RITA },
    });
    expect([changed.to, changed.calls[1]?.body]).toEqual([`${OWN}?notice=saved`, { role: 'viewer' }]);
    const refusal = await renderedScreen(PEOPLE_SCREENS.change, {
      path,
      form,
      answers: { ...answers, [`PATCH ${API}`]: lastAdmin },
    });
    expect([refusal.status, refusal.html.includes('aria-describedby="field-role-said"')]).toEqual([409, true]);
  });

  it.each([
    ['reset', confirmReset, 'Reset sign-in…'],
    ['sign-out', confirmSignOut, 'Sign out everywhere…'],
    ['disable', confirmDisabling, 'Disable…'],
  ])('is asked about before: %s', async (act, confirm, label) => {
    expect((await renderedScreen(PEOPLE_SCREENS.item, { path, answers })).links.get(label)).toBe(`${OWN}/${act}`);
    const people = { 'GET people': { items: [RITA, { ...RITA, id: 'another', role: 'admin' }] } };
    const { html } = await renderedScreen(confirm, { path, answers: { ...answers, ...people } });
    expect(html).toContain(`action="${OWN}/${act}"`);
  });

  it('who is the last admin is not asked about before it is disabled', async () => {
    const own = { ...RITA, role: 'admin' };
    const people = { items: [own, { ...RITA, id: 'another' }, { ...own, id: 'third', active: false }] };
    const { status, text, html } = await renderedScreen(confirmDisabling, {
      path,
      answers: { [`GET ${API}`]: own, 'GET people': people },
    });
    expect([status, text]).toEqual([409, expect.stringContaining('This is the last active admin.')]);
    expect(html).not.toContain(`action="${OWN}/disable"`);
  });

  it('is reset, signed out everywhere, disabled, enabled and deleted', async () => {
    const reset = await renderedScreen(resetPerson, {
      path,
      answers: { [`POST ${API}/reset`]: { ...RITA, mailed: false, temporaryPassword: 'once-in-view' } },
    });
    expect(reset.text).toContain('once-in-view');
    const out = await renderedScreen(signOutPerson, { path, answers: { [`DELETE ${API}/sessions`]: null } });
    expect(out.to).toBe(`${OWN}?notice=signed-out`);
    const disabled = await renderedScreen(disablePerson, { path, answers: { [`PATCH ${API}`]: RITA } });
    expect([disabled.to, disabled.calls[0]?.body]).toEqual([`${OWN}?notice=saved`, { active: false }]);
    const enabled = await renderedScreen(enablePerson, { path, answers: { [`PATCH ${API}`]: RITA } });
    expect(enabled.calls[0]?.body).toEqual({ active: true });
    const page = await renderedScreen(PEOPLE_SCREENS.item, {
      path,
      answers: { [`GET ${API}`]: { ...RITA, active: false } },
    });
    expect([page.html.includes(`action="${OWN}/enable"`), page.links.has('Disable…')]).toEqual([true, false]);
    const gone = await renderedScreen(PEOPLE_SCREENS.remove, { path, answers: { [`DELETE ${API}`]: null } });
    expect(gone.to).toBe('/console/t/demo/people?deleted=1');
    const refused = await renderedScreen(disablePerson, { path, answers: { [`PATCH ${API}`]: lastAdmin } });
    expect([refused.status, refused.text.includes('last active admin')]).toEqual([409, true]);
  });

  it('is shown to a viewer without a button that a viewer may not use', async () => {
    const { html } = await renderedScreen(PEOPLE_SCREENS.item, { path, answers, person: { role: 'viewer' } });
    expect(html).toMatch(
      /<form[^>]*><input[^>]*name="form"[^>]*><p class="hint reason">Your role lets you look at this, but not change it.<\/p><fieldset class="read-only" disabled>/,
    );
    const asAdmin = await renderedScreen(PEOPLE_SCREENS.item, { path, answers });
    expect(asAdmin.html).not.toContain('<fieldset class="read-only"');
  });
});
