/** Records, imports, plans and keys in a browser: with script, without it, and by keys alone. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, launchChromium, openPage } from '../support/browser.ts';
import { byKeys, byMouse, showsState, signInHere, signInTo } from '../support/console-page.ts';
import { expectTextOnly, HOSTILE, HOSTILE_ID, HOSTILE_NAME } from '../support/hostile-text.ts';
import { hindrances } from '../support/page-checks.ts';
import { type RunningService, startService } from '../support/running-service.ts';
import { requestsTo } from '../support/service-calls.ts';

/** One more than a file of a download holds. */
const MADE = 10_001;
const MINUTE = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'console-data-'));
let aheadMillis = 0;
let service: RunningService;
let operator: ReturnType<typeof requestsTo>;
let browser: Browser;

describe.skipIf(chromiumPath() === undefined)('the data screens in a browser', () => {
  beforeAll(async () => {
    const now = () => Date.now() + aheadMillis;
    [service, browser] = await Promise.all([startService({ now: () => new Date(now()) }), launchChromium()]);
    operator = requestsTo(service, now);
    const made = Array.from({ length: MADE }, (_, n) => ({ id: `made-${n}`, name: `Made product ${n}` }));
    const hostile = { id: 'hostile', name: HOSTILE, brand: 'Hostile', reviews: [{ text: HOSTILE }] };
    const products = file('made.ndjson', [...made, hostile].map((record) => JSON.stringify(record)).join('\n'));
    const places = file(
      `${HOSTILE_NAME}.csv`,
      `id,name,latitude,longitude\na,A,1,2\nb,B,north,2\nc,C,3,4\nd,D,"${HOSTILE_NAME}",4\n`,
    );
    const imports = await Promise.all([importing('products', products), importing('places', places)]);
    expect(
      imports.map(({ code }) => code),
      imports[0]?.stderr,
    ).toEqual([0, 2]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
    rmSync(folder, { recursive: true });
  });

  function file(name: string, content: string): string {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  }
  const importing = (type: string, path: string) => service.run('cdk/import.command.ts', '--type', type, path);
  const at = (path: string, tenant = 'demo') => `${service.cloud.apiUrl}/console/t/${tenant}/${path}`;
  const read = async (path: string) => (await operator.manage('GET', `/manage/v1/${path}`)).json;
  const account = async (name: string): Promise<string> =>
    (await operator.made('accounts', { name, plan: 'starter', billingCurrency: 'USD' })).id;
  const order = async (body: object): Promise<number> =>
    (await operator.made('requests', { type: 'products', ...body })).id;

  /** Keeps downloads from being worked on, until `goOn`. */
  const hold = () => service.cloud.faults.throttle('RunDownload', 30);
  async function goOn() {
    service.cloud.faults.clear();
    // Throttled often enough, a message lies among the dead letters by now.
    expect((await service.run('cdk/redrive.command.ts', 'Downloads')).code).toBe(0);
  }

  describe.each([
    ['with script', byMouse, true],
    ['without script', byMouse, false],
    ['by keys alone', byKeys, true],
  ] as const)('%s', (how, hands, javaScriptEnabled) => {
    const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name, exact: true });
    const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
    const opened = () => openPage(browser, { javaScriptEnabled });

    it('a search becomes a download, which is watched to its end and fetched', async () => {
      const { page, context, faults } = await opened();
      await signInTo(page, at('search'), { hands });
      await hands.press(link(page, 'Products'));
      await page.waitForURL(/type=products/);
      await hands.fill(page.getByLabel('Query'), 'colour:red');
      await hands.press(button(page, 'Search'));
      await page.getByText('colour does not exist in product schema').waitFor();
      await hands.fill(page.getByLabel('Query'), 'name:made');
      await hands.press(button(page, 'Search'));
      await page.getByText('Estimated total: 10,001 records').waitFor();
      expect(await page.getByRole('row').count()).toBe(1 + 10);

      await hands.press(link(page, 'Download all…'));
      await page.waitForURL(/downloads\/new/);
      await hands.choose(page.getByLabel('View'), 'products_basicFields');
      await hands.press(button(page, 'Work out the credits'));
      await page.waitForURL(/products_basicFields/);
      hold();
      await hands.press(button(page, 'Start for 10,001 credits'));
      await page.waitForURL(/downloads\/\d+$/);
      await page.getByText('In progress').waitFor();
      await page.getByText('0 of 10,001 records written').waitFor();
      await page.evaluate(() => void Object.assign(window, { isSame: true }));
      await goOn();
      if (javaScriptEnabled) await page.locator('section[aria-live] >> text=Completed').waitFor({ timeout: 60_000 });
      else await showsState(page, 'Completed');
      // With script, it is still the page that was opened.
      expect(await page.evaluate(() => 'isSame' in window)).toBe(javaScriptEnabled);
      await page.getByText('10,001 of 10,001 records written, for 10,001 credits').waitFor();

      const ids = new Set<string>();
      for (const [name, records] of [
        ['Fetch file 1', 10_000],
        ['Fetch file 2', 1],
      ] as const) {
        const [download] = await Promise.all([page.waitForEvent('download'), hands.press(link(page, name))]);
        const lines = readFileSync(await download.path(), 'utf8')
          .trim()
          .split('\n');
        expect(lines.length, name).toBe(records);
        for (const line of lines) ids.add(JSON.parse(line).id);
      }
      expect(ids.size).toBe(MADE);
      // The query that was refused is an answer too.
      expect(faults).toEqual([expect.stringContaining('400 (Bad Request)')]);
      await context.close();
    });

    it('an import says which lines were rejected, and why', async () => {
      const { page, context, faults } = await opened();
      await signInTo(page, at('downloads'), { hands });
      await hands.press(link(page, 'Imports'));
      await page.getByText('Some rejected').waitFor();
      await hands.press(link(page, `${HOSTILE_NAME}.csv`));
      await page.getByRole('heading', { name: 'Rejected lines' }).waitFor();
      const facts = (await page.locator('dl.facts').textContent()) ?? '';
      expect(facts).toContain('Lines read5Imported2 placesRejected2 lines');
      const rows = await page.getByRole('row').allTextContents();
      expect(rows).toEqual([
        'LineReason',
        expect.stringMatching(/^3.*"north"/),
        expect.stringMatching(/^5.*"<img class=planted src=x onerror=alert\(/),
      ]);
      await expectTextOnly(page);

      const [download] = await Promise.all([page.waitForEvent('download'), hands.press(link(page, 'All as a file'))]);
      const report = readFileSync(await download.path(), 'utf8')
        .trim()
        .split('\n');
      expect(report.map((line) => JSON.parse(line).line)).toEqual([3, 5]);
      expect(faults).toEqual([]);
      await context.close();
    });

    it('a plan is changed for the charge that was shown, and not by a page that is out of date', async () => {
      const tenant = await account(`Plan ${how}`);
      const plan = () => read(`accounts/${tenant}/plan`);
      const invoices = async () => (await read(`accounts/${tenant}/invoices`)).items.length;
      const { page, context, faults } = await opened();
      await signInTo(page, at('usage', tenant), { name: 'demo-operator', hands });
      await hands.press(link(page, 'Change the plan…'));
      await page.waitForURL(/usage\/plan$/);
      const cells = page.getByRole('row', { name: 'Growth' }).getByRole('cell');
      const charge = (await cells.nth(2).textContent()) ?? '';
      expect([await cells.nth(1).textContent(), charge]).toEqual([
        'At once',
        expect.stringMatching(/^[1-9]\d*\.\d\d USD$/),
      ]);
      await hands.press(link(page, 'Choose Growth'));
      await page.getByRole('heading', { name: 'Change to Growth?' }).waitFor();
      expect(await page.locator('dl.facts').first().textContent()).toContain(`Charge before tax${charge}`);
      const second = await context.newPage();
      await second.goto(page.url());
      expect((await plan()).plan).toBe('starter');

      await page.bringToFront();
      const before = await invoices();
      await hands.press(button(page, 'Change to Growth'));
      await page.getByText('The plan is changed.').waitFor();
      expect(await page.locator('main').textContent()).toContain(charge);
      const changed = await plan();
      expect([changed.plan, await invoices()]).toEqual(['growth', before + 1]);

      await second.bringToFront();
      await hands.press(button(second, 'Change to Growth'));
      await second.getByText('Nothing was changed yet.').waitFor();
      expect(await second.locator('.note').textContent()).toContain(`The charge is 0.00 USD; it was ${charge}.`);
      expect([await plan(), await invoices()]).toEqual([changed, before + 1]);
      expect(faults).toEqual([]);
      await context.close();
    });

    it('a key is shown once, and revoked when that is confirmed', async () => {
      const { page, context, faults } = await opened();
      const name = `Server ${how}`;
      const list = at('keys/management-keys');
      await signInTo(page, list, { hands });
      await hands.fill(page.getByLabel('Name', { exact: true }), name);
      await hands.press(button(page, 'Create'));
      await page.getByText('Tick at least one.').waitFor();
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(name);
      await hands.tick(page.getByLabel('Read'));
      await hands.press(button(page, 'Create'));
      await page.getByRole('heading', { name: 'New management key', level: 1 }).waitFor();
      const secret = (await page.locator('#secret').textContent()) ?? '';
      const uses = async () =>
        (await service.call('/manage/v1/runs', { headers: { authorization: `Bearer ${secret}` } })).status;
      expect(await uses()).toBe(200);

      // The form is sent again, which makes no other key.
      await page.reload();
      await page.getByRole('heading', { name: 'Sent already' }).waitFor();
      expect(await page.content()).not.toContain(secret);
      await page.goto(list);
      const row = page.getByRole('row', { name });
      expect(await row.count()).toBe(1);
      expect(await page.content()).not.toContain(secret);

      await hands.press(row.getByRole('link', { name: /^Revoke…/ }));
      await page.getByRole('heading', { name: 'Revoke this management key?' }).waitFor();
      await hands.press(link(page, 'Cancel'));
      await page.waitForURL(list);
      await row.getByText('In force').waitFor();
      await hands.press(row.getByRole('link', { name: /^Revoke…/ }));
      await page.waitForURL(/revoke$/);
      await hands.press(button(page, 'Revoke'));
      await page.waitForURL(list);
      await row.getByText('Revoked').waitFor();
      const { items } = await read('accounts/demo/management-keys');
      const revoked = items.find((key: { name: string }) => key.name === name);
      expect(revoked.revokedAt).toEqual(expect.any(String));
      expect(faults.map((fault) => fault.replace(/.*status of /, ''))).toEqual(['400 (Bad Request)', '409 (Conflict)']);
      await context.close();
    });
  });
});
