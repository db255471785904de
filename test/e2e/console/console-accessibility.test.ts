/** The console without a mouse, and with a screen reader. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { chromiumPath, launchChromium, openPage } from '../../support/console/browser.ts';
import { signInTo } from '../../support/console/console-page.ts';
import { hindrances } from '../../support/console/page-checks.ts';

const MINUTE = 60_000;
let service: RunningService;
let browser: Browser;

describe.skipIf(chromiumPath() === undefined)('the console for people who see no screen', () => {
  beforeAll(async () => {
    service = await startService();
    service.cloud.stopSchedules();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const at = (path: string) => `${service.cloud.apiUrl}/console/t/demo/${path}`;
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');
  /** Checks what the browser would, too: the server refuses the form. */
  const submitUnchecked = async (page: Page, name: string) => {
    await page
      .getByRole('button', { name, exact: true })
      .evaluate((button) => button.setAttribute('formnovalidate', ''));
    await page.getByRole('button', { name, exact: true }).click();
  };

  it.each([
    ['with script', true],
    ['without script', false],
  ])('a refused form has the focus on a summary that leads to its fields, %s', async (_, javaScriptEnabled) => {
    const { page, context } = await openPage(browser, { javaScriptEnabled });
    await signInTo(page, at('api-configurations/new'));
    await page.getByLabel('Target URL').fill('http://example.com/');
    await page.getByLabel('Max Attempts').fill('99');
    if (javaScriptEnabled) await submitUnchecked(page, 'Create');
    else {
      await page.getByLabel('API Configuration Name', { exact: true }).fill('Cases');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
    }
    await page.locator('[data-faults]').waitFor();
    expect(await focused(page)).toMatch(/fields need a change.*Target URL: .*Max Attempts: /);
    expect(await page.title()).toMatch(/^Error: /);
    const entry = page.getByRole('link', { name: /^Max Attempts: / });
    await entry.focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'maxAttempts');
    await page.keyboard.type('3');
    expect(await entry.count()).toBe(javaScriptEnabled ? 0 : 1);
    await context.close();
  });

  it('a failure that belongs to no field has the focus', async () => {
    const { page, context } = await openPage(browser);
    await page.goto(`${service.cloud.apiUrl}/console/sign-in`);
    await page.getByLabel('Name').fill('demo');
    await page.getByLabel('Password').fill('Wrong-password-100');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The name or the password is wrong.').waitFor();
    expect(await focused(page)).toBe('The name or the password is wrong.');
    await context.close();
  });

  it('a person is warned two minutes before the session ends, and stays signed in', async () => {
    const { page, context, faults } = await openPage(browser);
    await page.clock.install();
    await signInTo(page, at('rules'));
    const warning = page.getByRole('alert').filter({ hasText: 'You will be signed out in about two minutes.' });
    await page.clock.runFor(32 * MINUTE);
    expect(await warning.count()).toBe(0);
    await page.clock.runFor(2 * MINUTE);
    await warning.waitFor();
    expect(await hindrances(page, 'the warning')).toEqual([]);
    await warning.getByRole('button', { name: 'Stay signed in' }).click();
    await page.getByRole('status').filter({ hasText: 'You stay signed in.' }).waitFor({ state: 'attached' });
    expect(await warning.count()).toBe(0);
    // A request in another tab makes the session of this tab longer.
    await page.clock.runFor(30 * MINUTE);
    const other = await context.newPage();
    await other.clock.install({ time: await page.evaluate(() => Date.now()) });
    await other.goto(at('rules'));
    await page.clock.runFor(4 * MINUTE);
    expect(await warning.count()).toBe(0);
    await page.clock.runFor(40 * MINUTE);
    await page.getByText('Your session has ended.').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('people without script read that there is no warning', async () => {
    const { page, context } = await openPage(browser, { javaScriptEnabled: false });
    await signInTo(page, at('rules'));
    // The browser of the test shows no `noscript`, even without script.
    expect(await page.content()).toMatch(/<noscript>.*Without JavaScript there is no warning/s);
    await context.close();
  });
});
