import { describe, expect, it } from 'vitest';
import { AppChange } from '../../../functions/accounts/apps/app-settings.ts';
import { APP_SCREENS, confirmSecretReplacement, replaceSecret } from '../../../functions/console/apps/app.screens.tsx';
import type { App } from '../../../functions/console/apps/app-answers.ts';
import { APPS } from '../../../functions/console/apps/app-form.ts';
import { bodyOf, initialTexts, textsOf } from '../../../functions/console/resources/form-fields.ts';
import { allFields } from '../../../functions/console/resources/resource.ts';
import { AppSettings } from '../../../shared/loyalty/app.ts';
import { renderedScreen } from '../../support/console/rendered-screen.tsx';

const ID = 'app_2xK9mQpL4vRtYwZ7cBnD';
const APP: App = { ...AppSettings.parse({ name: 'Rewards' }), id: ID, createdAt: '2026-11-01T00:00:00.000Z' };
const fields = allFields(APPS);
const texts = textsOf(fields, APP);
const answers = { [`GET loyalty/apps/${ID}`]: APP };
const path = { id: ID };
const listed = async (own: Partial<App>) =>
  (await renderedScreen(APP_SCREENS.list, { answers: { 'GET loyalty/apps': { items: [{ ...APP, ...own }] } } })).text;

describe('the form of an app', () => {
  it('starts with the defaults of the management API', () => {
    const { body, wrong } = bodyOf(fields, { ...initialTexts(fields), name: 'Rewards' });
    expect(wrong).toEqual({});
    expect(body).toEqual(AppSettings.parse({ name: 'Rewards' }));
  });
});

describe('an app', () => {
  it('is listed with its whole API key and with what it may do', async () => {
    expect(await listed({})).toMatch(new RegExp(`Rewards .*Active .*${ID}`));
    expect(await listed({ imagesEnabled: false })).toContain('Places only');
    expect(await listed({ placesEnabled: false })).toContain('Images only');
    expect(await listed({ placesEnabled: false, imagesEnabled: false })).toContain('Disabled');
  });

  it('shows its secret once, when it is created and when the secret is replaced', async () => {
    const withSecret = { ...APP, apiSecret: 'once-in-view' };
    const made = await renderedScreen(APP_SCREENS.create, {
      form: texts,
      answers: { 'POST loyalty/apps': withSecret },
    });
    const replaced = await renderedScreen(replaceSecret, {
      path,
      answers: { [`POST loyalty/apps/${ID}/secret`]: withSecret },
    });
    for (const { text, reloadLeadsTo } of [made, replaced]) {
      expect(text).toMatch(/It is shown only once\..*once-in-view.*API key/);
      expect(reloadLeadsTo).toBe(`/console/t/demo/apps/${ID}?shown-once=1`);
    }
    const again = await renderedScreen(APP_SCREENS.item, { path, query: { 'shown-once': '1' }, answers });
    expect(again.text).toContain("can't be shown again");
    expect(again.text).not.toContain('once-in-view');
  });

  it('gets a new secret after a question', async () => {
    expect((await renderedScreen(APP_SCREENS.item, { path, answers })).links.get('Replace secret…')).toBe(
      `/console/t/demo/apps/${ID}/secret`,
    );
    const { html, calls } = await renderedScreen(confirmSecretReplacement, { path, answers });
    expect([calls.length, html.includes(`action="/console/t/demo/apps/${ID}/secret"`)]).toEqual([1, true]);
  });

  it('is renamed and disabled by what differs, and deleted', async () => {
    const form = { ...texts, name: 'Rewards 2', placesEnabled: '' };
    const changed = await renderedScreen(APP_SCREENS.change, {
      path,
      form,
      answers: { ...answers, [`PATCH loyalty/apps/${ID}`]: APP },
    });
    expect(changed.to).toBe(`/console/t/demo/apps/${ID}?notice=saved`);
    // A browser sends no box that is empty.
    const { placesEnabled: _empty, ...sent } = form;
    const { calls } = await renderedScreen(APP_SCREENS.change, {
      path,
      form: sent,
      answers: { ...answers, [`PATCH loyalty/apps/${ID}`]: APP },
    });
    expect(calls[1]?.body).toEqual({ name: 'Rewards 2', placesEnabled: false });
    expect(AppChange.safeParse(calls[1]?.body).success).toBe(true);
    const gone = await renderedScreen(APP_SCREENS.remove, { path, answers: { [`DELETE loyalty/apps/${ID}`]: {} } });
    expect(gone.to).toBe('/console/t/demo/apps?deleted=1');
  });
});
