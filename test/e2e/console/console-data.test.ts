/** Records, imports, plans and keys in a browser: with script, without it, and by keys alone. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { later } from '../../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { requestsTo } from '../../support/cloud/service-calls.ts';
import { chromiumPath, launchChromium, openPage } from '../../support/console/browser.ts';
import { byKeys, byMouse, type Hands, showsState, signInHere, signInTo } from '../../support/console/console-page.ts';
import { hindrances } from '../../support/console/page-checks.ts';
import { expectTextOnly, HOSTILE, HOSTILE_ID, HOSTILE_NAME } from '../../support/faults/hostile-text.ts';
import { few } from '../../support/runner/thoroughness.ts';

/** One more than a file of a download holds. */
const MADE = 10_001;
const MINUTE = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'console-data-'));
let service: RunningService;
let operator: ReturnType<typeof requestsTo>;
let browser: Browser;

describe.skipIf(chromiumPath() === undefined)('the data screens in a browser', () => {
  beforeAll(async () => {
    const now = () => service.cloud.clock.millis();
    [service, browser] = await Promise.all([startService(), launchChromium()]);
    service.cloud.stopSchedules();
    operator = requestsTo(service, now);
    const madeUp = Array.from({ length: MADE }, (_, n) => ({
      id: `made-${n}`,
      name: `Made product ${n}`,
      brand: n % 4 === 0 ? 'Rare' : 'Common',
    }));
    const hostile = { id: 'hostile', name: HOSTILE, brand: 'Hostile', reviews: [{ text: HOSTILE }] };
    const products = file('made.ndjson', [...madeUp, hostile].map((record) => JSON.stringify(record)).join('\n'));
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
  const importing = (type: string, path: string) => {
    const domain = type === 'places' ? 'places' : 'records';
    return service.run(`functions/${domain}/commands/import-${domain}.command.ts`, '--type', type, path);
  };
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
    expect((await service.run('cdk/letters.command.ts', 'Downloads', '--redrive')).code).toBe(0);
  }

  const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  type Way = readonly [how: string, hands: Hands, javaScriptEnabled: boolean];
  const WITH_SCRIPT: Way = ['with script', byMouse, true];
  const WITHOUT_SCRIPT: Way = ['without script', byMouse, false];
  const BY_KEYS: Way = ['by keys alone', byKeys, true];

  // The mouse and the keys once each, with script and without; all ways when tests are thorough.
  describe.each(few([WITHOUT_SCRIPT, BY_KEYS], [WITH_SCRIPT]))('%s', (_how, hands, javaScriptEnabled) => {
    it('a search becomes a download, which is watched to its end and fetched', async () => {
      const { page, context, faults } = await openPage(browser, { javaScriptEnabled });
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
      await hands.press(button(page, 'Calculate cost'));
      await page.waitForURL(/products_basicFields/);
      hold();
      await hands.press(button(page, 'Start for 10,001 credits'));
      await page.waitForURL(/downloads\/\d+$/);
      await page.getByText('In progress').waitFor();
      await page.getByText('0 of 10,001 records written').waitFor();
      await page.evaluate(() => void Object.assign(window, { isSame: true }));
      await goOn();
      if (javaScriptEnabled) {
        await page.locator('[data-says-state] >> text=Completed').waitFor({ timeout: 60_000 });
        expect(
          await page
            .getByRole('status')
            .filter({ hasText: /^Completed$/ })
            .count(),
        ).toBe(1);
      } else await showsState(service.cloud, page, 'Completed');
      // With script, it is still the page that was opened.
      expect(await page.evaluate(() => 'isSame' in window)).toBe(javaScriptEnabled);
      await page.getByText('10,001 of 10,001 records written, for 10,001 credits').waitFor();

      const ids = new Set<string>();
      for (const [name, records] of [
        ['Download file 1', 10_000],
        ['Download file 2', 1],
      ] as const) {
        const [download] = await Promise.all([page.waitForEvent('download'), hands.press(link(page, name))]);
        const lines = readFileSync(await download.path(), 'utf8')
          .trim()
          .split('\n');
        expect(lines.length, name).toBe(records);
        for (const line of lines) ids.add(JSON.parse(line).id);
      }
      expect(ids.size).toBe(MADE);

      await hands.press(link(page, '10,000 records of file 1'));
      await page.getByRole('heading', { name: 'Records of file 1' }).waitFor();
      expect(await page.getByRole('row').count()).toBe(1 + 25);
      const first = await page.getByRole('rowheader').first().innerText();
      await hands.press(link(page, 'Next records'));
      await page.waitForURL(/cursor=/);
      expect(await page.getByRole('row').count()).toBe(1 + 25);
      expect(await page.getByRole('rowheader').first().innerText()).not.toBe(first);
      await page.goto(page.url().replace(/files\/1.*/, 'files/2/records'));
      expect(await page.getByRole('row').count()).toBe(1 + 1);
      // The query that was refused is an answer too.
      expect(faults).toEqual([expect.stringContaining('400 (Bad Request)')]);
      await context.close();
    });
  });

  describe.each(few([WITHOUT_SCRIPT], [WITH_SCRIPT, BY_KEYS]))('%s', (how, hands, javaScriptEnabled) => {
    it('a plan is changed for the charge that was shown, and not by a page that is out of date', async () => {
      const tenant = await account(`Plan ${how}`);
      const plan = () => read(`accounts/${tenant}/plan`);
      const invoices = async () => (await read(`accounts/${tenant}/invoices`)).items.length;
      const { page, context, faults } = await openPage(browser, { javaScriptEnabled });
      await signInTo(page, at('usage', tenant), { name: 'demo-operator', hands });
      await hands.press(link(page, 'Change plan…'));
      await page.waitForURL(/usage\/plan$/);
      const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Growth' }) });
      await card.getByText('Takes effect: Immediately.').waitFor();
      const charge = (await card.locator('strong').textContent()) ?? '';
      expect(charge).toMatch(/^[1-9]\d*\.\d\d USD$/);
      await hands.press(link(page, 'Choose Growth'));
      await page.getByRole('heading', { name: 'Change to Growth?' }).waitFor();
      expect(await page.locator('dl.facts').first().textContent()).toContain(`Charge before tax${charge}`);
      const second = await context.newPage();
      await second.goto(page.url());
      expect((await plan()).plan).toBe('starter');

      await page.bringToFront();
      const before = await invoices();
      await hands.press(button(page, 'Change to Growth'));
      await page.getByText('Plan changed.').waitFor();
      expect(await page.locator('main').textContent()).toContain(charge);
      const changed = await plan();
      expect([changed.plan, await invoices()]).toEqual(['growth', before + 1]);

      await second.bringToFront();
      await hands.press(button(second, 'Change to Growth'));
      await second.getByText('The plan was not changed yet.').waitFor();
      expect(await second.locator('.note').textContent()).toContain(`The charge is 0.00 USD; it was ${charge}.`);
      expect([await plan(), await invoices()]).toEqual([changed, before + 1]);
      expect(faults).toEqual([]);
      await context.close();
    });
  });

  it.each(few([WITH_SCRIPT, WITHOUT_SCRIPT], [BY_KEYS]))(
    'a search is narrowed by a value, and its fields are completed: %s',
    async (_how, hands, javaScriptEnabled) => {
      const { page, context, faults } = await openPage(browser, { javaScriptEnabled });
      await signInTo(page, at('search?type=products'), { hands });
      const box = page.getByLabel('Query');
      await hands.fill(box, 'made product');
      await hands.press(button(page, 'Search'));
      await page.getByRole('heading', { name: 'Narrow down' }).waitFor();
      await page.getByText('Counted in 100 of the 10,001 records.').waitFor();
      await hands.press(link(page, 'Rare'));
      await page.getByText('Estimated total: 2,501 records').waitFor();
      expect(await box.inputValue()).toBe('(made AND product) AND brand:"Rare"');
      if (javaScriptEnabled) {
        await hands.fill(box, '"bra');
        expect(await page.getByRole('listbox').isVisible()).toBe(false);
        await hands.fill(box, 'made AND -bra');
        expect((await page.getByRole('option').allTextContents())[0]).toBe('brand');
        await page.keyboard.press('Escape');
        expect(await page.getByRole('listbox').isVisible()).toBe(false);
        await page.keyboard.type('n');
        if (hands === byMouse) {
          await page.getByRole('option', { name: 'brand', exact: true }).click();
          expect(await box.inputValue()).toBe('made AND -brand:');
          await hands.fill(box, 'made AND -bran');
        }
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        expect(await box.inputValue()).toBe('made AND -brand:');
        await page.keyboard.type('rare');
        await page.keyboard.press('Enter');
        await page.getByText('Estimated total: 7,500 records').waitFor();
      }
      expect(faults).toEqual([]);
      await context.close();
    },
  );

  describe.each(few([WITH_SCRIPT], [BY_KEYS]))('%s', (how, hands) => {
    it('a key is shown once, and revoked when that is confirmed', async () => {
      const { page, context, faults } = await openPage(browser);
      const name = `Server ${how}`;
      const list = at('keys/management-keys');
      await signInTo(page, list, { hands });
      await hands.fill(page.getByLabel('Name', { exact: true }), name);
      await hands.press(button(page, 'Create'));
      await page.locator('.wrong', { hasText: 'Choose at least one scope.' }).waitFor();
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
      await page.getByText('The secret was shown once').waitFor();
      expect(await page.content()).not.toContain(secret);
      await page.goto(list);
      const row = page.getByRole('row', { name });
      expect(await row.count()).toBe(1);
      expect(await page.content()).not.toContain(secret);

      await hands.press(row.getByRole('link', { name: /^Revoke…/ }));
      await page.getByRole('heading', { name: 'Revoke this management key?' }).waitFor();
      await hands.press(link(page, 'Cancel'));
      await page.waitForURL(list);
      await row.getByText('Active').waitFor();
      await hands.press(row.getByRole('link', { name: /^Revoke…/ }));
      await page.waitForURL(/revoke$/);
      await hands.press(button(page, 'Revoke'));
      await page.waitForURL(list);
      await row.getByText('Revoked').waitFor();
      const { items } = await read('accounts/demo/management-keys');
      const revoked = items.find((key: { name: string }) => key.name === name);
      expect(revoked.revokedAt).toEqual(expect.any(String));
      expect(faults.map((fault) => fault.replace(/.*status of /, ''))).toEqual(['400 (Bad Request)']);
      await context.close();
    });
  });

  it.each(few([WITH_SCRIPT], [BY_KEYS]))(
    'an import says which lines were rejected, and why: %s',
    async (_how, hands) => {
      const { page, context, faults } = await openPage(browser);
      await signInTo(page, at('downloads'), { hands });
      await hands.press(link(page, 'Imports'));
      await page.getByText('Some rejected').waitFor();
      await hands.press(link(page, `${HOSTILE_NAME}.csv`));
      await page.getByRole('heading', { name: 'Rejected lines' }).waitFor();
      const facts = (await page.locator('dl.facts').textContent()) ?? '';
      expect(facts).toContain('Lines read5Imported2 placesRejected2 lines');
      const rows = await page.getByRole('row').allTextContents();
      expect(rows).toEqual([
        'LineReasonRow',
        expect.stringMatching(/^3.*"north"/),
        expect.stringMatching(/^5.*"<img class=planted src=x onerror=alert\(/),
      ]);
      await expectTextOnly(page);

      const [download] = await Promise.all([page.waitForEvent('download'), hands.press(link(page, 'Download all'))]);
      const report = readFileSync(await download.path(), 'utf8')
        .trim()
        .split('\n');
      expect(report.map((line) => JSON.parse(line).line)).toEqual([3, 5]);
      expect(faults).toEqual([]);
      await context.close();
    },
  );

  describe('after the session has ended', () => {
    const overnight = () => later(service.cloud, 36 * MINUTE);
    const signInUrl = /console\/sign-in\?return=/;

    it.each(few([WITH_SCRIPT], [BY_KEYS]))(
      'a link leads through signing in to where it would have led: %s',
      async (_how, hands) => {
        const { page, context, faults } = await openPage(browser);
        await signInTo(page, at('search?type=products&q=name%3Amade'), { hands });
        await overnight();
        await hands.press(link(page, 'Download all…'));
        await page.waitForURL(signInUrl);
        await page.getByText('Sign in to continue.').waitFor();
        await signInHere(page, { hands });
        await page.waitForURL(at('downloads/new?type=products&q=name%3Amade'));
        await button(page, 'Start for 10,001 credits').waitFor();
        expect(faults).toEqual([]);
        await context.close();
      },
    );

    it('a form leads to its page, and has changed nothing', async () => {
      const { page, context, faults } = await openPage(browser);
      await signInTo(page, at('keys/oauth-clients'));
      const clients = async () => (await read('accounts/demo/oauth-clients')).items.length;
      const before = await clients();
      await overnight();
      await button(page, 'Create').click();
      await page.waitForURL(signInUrl);
      await signInHere(page);
      await page.waitForURL(at('keys/oauth-clients'));
      expect(await clients()).toBe(before);
      await button(page, 'Create').click();
      await page.getByRole('heading', { name: 'New OAuth client', level: 1 }).waitFor();
      expect(await clients()).toBe(before + 1);
      expect(faults).toEqual([]);
      await context.close();
    });

    it('a page that follows what changes asks for signing in by itself', async () => {
      const { page, context, faults } = await openPage(browser);
      hold();
      const path = at(`downloads/${await order({ q: 'name:made', records: 1 })}`);
      await signInTo(page, path);
      await page.getByText('In progress').waitFor();
      await overnight();
      await page.waitForURL(signInUrl, { timeout: 60_000 });
      await goOn();
      await signInHere(page);
      await page.waitForURL(path);
      await showsState(service.cloud, page, 'Completed');
      expect(faults).toEqual([]);
      await context.close();
    });
  });

  describe('text of outsiders stays text', () => {
    it('in records, queries, cursors, names of keys and configurations', async () => {
      const { page, context, faults } = await openPage(browser);
      await signInTo(page, at('search?type=products&q=brand:hostile'));
      // The list shows the beginning of a long text, the record all of it.
      await expectTextOnly(page, HOSTILE.slice(0, 90));
      await page.getByRole('row').getByRole('link').click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.title()).toContain(HOSTILE.slice(0, 150));
      await expectTextOnly(page, HOSTILE);

      await operator.made('accounts/demo/management-keys', { name: HOSTILE_NAME, scopes: ['read'] });
      await operator.made('api-configurations', { name: HOSTILE_NAME, targetUrl: 'https://example.com/' });
      for (const path of ['keys/management-keys', 'api-configurations', 'rules/new', 'runs', 'imports']) {
        await page.goto(at(path));
        await expectTextOnly(page, HOSTILE_NAME);
      }

      const hostile = encodeURIComponent(HOSTILE);
      const id = encodeURIComponent(HOSTILE_ID);
      const echoing = [`search?q=${hostile}`, `search?q=a&add=${hostile}`, `downloads/new?type=products&q=${hostile}`];
      for (const path of echoing) {
        await page.goto(at(path));
        await expectTextOnly(page, HOSTILE);
      }
      for (const path of [
        `search?type=${hostile}&q=a&view=${hostile}`,
        `search/products/record?id=${id}&view=${hostile}`,
        `search/${id}/record?id=${id}`,
        `downloads?cursor=${hostile}`,
        `downloads/${id}`,
        `downloads/1?after=${hostile}`,
        `downloads/new?type=products&q=name:made&records=${hostile}&tokenId=${hostile}&format=${hostile}`,
        `downloads/new?type=${id}&q=a`,
        `imports?cursor=${hostile}`,
        `imports/${id}`,
        `imports/${id}/rejections/${id}`,
        `usage?saved=${hostile}`,
        `usage/plan?to=growth&method=${hostile}`,
        `usage/plan?to=${hostile}`,
        `usage/invoices?cursor=${hostile}`,
        `keys/management-keys?cursor=${hostile}`,
        `keys/keys/${id}/revoke`,
        `${id}?fragment=${hostile}`,
      ]) {
        const answer = await page.goto(at(path));
        expect(answer?.status(), path).toBeLessThan(500);
        await expectTextOnly(page);
      }
      expect(faults.filter((fault) => !/status of 40[0-9] /.test(fault))).toEqual([]);
      await context.close();
    });

    it('where the page’s script puts it into the page', async () => {
      const { page, context, faults } = await openPage(browser);
      hold();
      const q = `brand:hostile OR name:"${HOSTILE_NAME}"`;
      await order({ q });
      await signInTo(page, at('downloads'));
      await page.getByText('In progress').waitFor();
      await page.evaluate(() => void Object.assign(window, { isSame: true }));
      await goOn();
      await page.getByText('In progress').waitFor({ state: 'detached', timeout: 60_000 });
      expect(await page.evaluate(() => 'isSame' in window)).toBe(true);
      await expectTextOnly(page, q);
      expect(faults).toEqual([]);
      await context.close();
    });

    it('in the address to return to, which leads nowhere else', async () => {
      const { page, context, faults } = await openPage(browser);
      const { apiUrl } = service.cloud;
      const own = `/console/t/demo/search?q=${encodeURIComponent(HOSTILE)}`;
      for (const target of [HOSTILE, 'javascript:alert(7)', '//evil.example/console', own]) {
        await page.goto(`${apiUrl}/console/sign-in?return=${encodeURIComponent(target)}`);
        await expectTextOnly(page);
      }
      await signInHere(page);
      await page.waitForURL(/\/console\/t\/demo\/search/);
      await expectTextOnly(page, HOSTILE);
      expect(faults).toEqual([expect.stringContaining('400 (Bad Request)')]);
      await context.close();
    });
  });

  describe('has pages that everybody can use', () => {
    /** What hinders people on each of these pages. */
    async function hindrancesOf(page: Page, tenant: string, paths: readonly string[]): Promise<string[]> {
      const faults: string[] = [];
      for (const path of paths) {
        await page.goto(at(path, tenant));
        faults.push(...(await hindrances(page, path)));
      }
      return faults;
    }
    const unexpected = (faults: readonly string[]) => faults.filter((fault) => !/status of 40[0-9] /.test(fault));

    it('with something on them', async () => {
      const { page, context, faults } = await openPage(browser);
      const download = await order({ q: 'name:made', records: 2 });
      const [imported] = (await read('loyalty/imports')).items;
      const [recordsImported] = (await read('imports')).items;
      await operator.made('accounts/demo/keys', { mode: 'test' });
      const { clientId } = await operator.made('accounts/demo/oauth-clients', {});
      await operator.made('accounts/demo/management-keys', { name: 'A server', scopes: ['read', 'manage'] });
      await operator.manage('DELETE', `/manage/v1/accounts/demo/oauth-clients/${clientId}`);
      await signInTo(page, at(`downloads/${download}`), { name: 'demo-operator' });
      await showsState(service.cloud, page, 'Completed');
      const obstacles = await hindrancesOf(page, 'demo', [
        `downloads/${download}`,
        `downloads/${download}/files/1/records`,
        'downloads',
        'search?type=products',
        'search?type=products&q=name:made',
        'search/products/record?id=hostile',
        'downloads/new?type=products&q=name:made',
        '../../imports',
        `../../imports/${recordsImported.id}`,
        'imports',
        `imports/${imported.id}`,
        'usage?saved=cap',
        'usage/plan',
        'usage/plan?to=free',
        'usage/invoices',
        'keys',
        'keys/oauth-clients',
        'keys/management-keys',
        'keys/data-tokens',
      ]);
      expect(obstacles).toEqual([]);
      expect(unexpected(faults)).toEqual([]);
      await context.close();
    });

    it('empty', async () => {
      const { page, context, faults } = await openPage(browser);
      const tenant = await account('Empty');
      await signInTo(page, at('downloads', tenant), { name: 'demo-operator' });
      const obstacles = await hindrancesOf(page, tenant, [
        'downloads',
        'search?q=hotel',
        'imports',
        'usage',
        'keys/oauth-clients',
        'keys/data-tokens',
      ]);
      expect(obstacles).toEqual([]);
      expect(unexpected(faults)).toEqual([]);
      await context.close();
    });

    it('with errors, questions and secrets', async () => {
      const { page, context, faults } = await openPage(browser);
      await signInTo(page, at('downloads'));
      const obstacles = await hindrancesOf(page, 'demo', [
        'search?type=products&q=colour:red',
        'search?type=products&q=name:nowhere',
        'search?q=a&add=name',
        'search/products/record?id=nobody',
        'downloads?cursor=nothing',
        'downloads/new?type=products&q=name:made&records=many&format=csv',
        'downloads/new?type=products&q=name:nowhere',
        'downloads/new?type=products&q=colour:red',
        'usage/plan?to=scale',
        'keys/data-tokens',
        'keys/management-keys/nothing/revoke',
      ]);
      const look = async (what: string) => obstacles.push(...(await hindrances(page, what)));
      await button(page, 'Revoke').click();
      await page.getByRole('heading', { name: 'Not revoked' }).waitFor();
      await look('a key that cannot be revoked');
      await page.goto(at('usage'));
      await page.getByLabel('Overage limit').selectOption('amount');
      await page.getByLabel('Amount in USD').fill('much');
      await button(page, 'Save').click();
      await page.locator('.wrong', { hasText: 'Enter an amount' }).waitFor();
      await look('a cap that is refused');
      await page.goto(at('keys/management-keys'));
      await page.getByLabel('Name', { exact: true }).fill('Never made');
      await button(page, 'Create').click();
      await page.locator('.wrong', { hasText: 'Choose at least one scope.' }).waitFor();
      await look('a key that is refused');
      await page.getByLabel('Read').check();
      await button(page, 'Create').click();
      await page.locator('#secret').waitFor();
      await look('a new key');
      await page.reload();
      await look('a form that was sent before');
      expect(obstacles).toEqual([]);
      expect(unexpected(faults)).toEqual([]);
      await context.close();
    });
  });
});
