/** Records, imports from the upload to the last row that is mended, plans and keys: with script, without it, and by keys alone. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DeadLetters } from '../../../shared/queue/dead-letters.sqs.ts';
import { clientOptions, later } from '../../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { requestsTo } from '../../support/cloud/service-calls.ts';
import { chromiumPath, launchChromium, openPage } from '../../support/console/browser.ts';
import { byKeys, byMouse, type Hands, openAs, showsState, signInHere } from '../../support/console/console-page.ts';
import { ConsoleVisitor, hiddenFields } from '../../support/console/console-visitor.ts';
import { PageLooks } from '../../support/console/page-checks.ts';
import {
  expectTextOnly,
  expectTextOnlyIn,
  HOSTILE,
  HOSTILE_ID,
  HOSTILE_NAME,
  type HostileAnswer,
} from '../../support/faults/hostile-text.ts';
import { few, isThorough } from '../../support/runner/thoroughness.ts';

/** Thorough tests download one record more than a file holds. */
const MADE = isThorough ? 10_001 : 1_201;
const FILE_RECORDS_MAX = 10_000;
const RARE = Math.ceil(MADE / 4);
const count = (records: number) => records.toLocaleString('en-US');

/** Waits until the page says that a download has ended, without being loaded again, and to screen readers once. */
async function saysCompleted(page: Page): Promise<void> {
  await page.locator('[data-says-state] >> text=Completed').waitFor({ timeout: 60_000 });
  const said = page.getByRole('status').filter({ hasText: /^Completed$/ });
  expect(await said.count()).toBe(1);
}
const MINUTE = 60_000;
let service: RunningService;
let operator: ReturnType<typeof requestsTo>;
let browser: Browser;

beforeAll(async () => {
  if (chromiumPath() === undefined) return;
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
  const products = [...madeUp, hostile].map((record) => JSON.stringify(record)).join('\n');
  const places = `id,name,latitude,longitude\na,A,1,2\nb,B,north,2\nc,C,3,4\nd,D,"${HOSTILE_NAME}",4\n`;
  await Promise.all([
    store('ImportsBucket', 'products/made.ndjson', products),
    store('PlacesImportsBucket', `demo/${HOSTILE_NAME}.csv`, places),
  ]);
  await service.cloud.settled();
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

/** Stores a file as `npm run import` does. */
async function store(bucket: string, Key: string, Body: string): Promise<void> {
  const s3 = new S3Client({ ...clientOptions(service.cloud), forcePathStyle: true });
  await s3.send(new PutObjectCommand({ Bucket: service.cloud.outputs[bucket], Key, Body }));
  s3.destroy();
}

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

type Way = readonly [how: string, hands: Hands, javaScriptEnabled: boolean];
const WITH_SCRIPT: Way = ['with script', byMouse, true];
const WITHOUT_SCRIPT: Way = ['without script', byMouse, false];
const BY_KEYS: Way = ['by keys alone', byKeys, true];

describe.skipIf(chromiumPath() === undefined)('the data screens in a browser', () => {
  const home = (tenant = 'demo') => `/console/t/${tenant}/`;
  const at = (path: string, tenant?: string) => `${service.cloud.apiUrl}${home(tenant)}${path}`;
  const open = (page: Page, path: string, name?: string) => openAs(service, page, at(path), name);
  const read = async (path: string) => (await operator.manage('GET', `/manage/v1/${path}`)).json;
  const account = async (name: string): Promise<string> =>
    (await operator.made('accounts', { name, plan: 'starter', billingCurrency: 'USD' })).id;
  const order = async (body: object): Promise<number> =>
    (await operator.made('requests', { type: 'products', ...body })).id;

  /** The import that this file has begun with. */
  async function importOfPlaces(): Promise<{ readonly id: string }> {
    const { items } = await read('loyalty/imports');
    return items.find(({ imported, rejected }: Record<string, number>) => imported === 2 && rejected === 2);
  }

  /** A person with a browser that runs no script. */
  async function visitor(name = 'demo'): Promise<ConsoleVisitor> {
    const person = new ConsoleVisitor(service);
    expect((await person.signIn(name)).status).toBe(303);
    return person;
  }

  /** Keeps downloads from being worked on, until `goOn`. */
  const hold = () => service.cloud.faults.throttle('RunDownload', 30);
  async function goOn() {
    service.cloud.faults.clear();
    const sqs = new SQSClient({ ...clientOptions(service.cloud), useQueueUrlAsEndpoint: false });
    const letters = new DeadLetters(sqs, (queue) => service.cloud.outputs[`DeadLetters${queue}`] ?? '');
    // Throttled often enough, a message lies among the dead letters by now.
    await letters.redrive('Downloads');
    sqs.destroy();
  }

  // `console-webhooks.test.ts` is used by keys alone, and follows a page with script.
  describe.each(few([WITHOUT_SCRIPT], [WITH_SCRIPT, BY_KEYS]))('%s', (_how, hands, javaScriptEnabled) => {
    it('a search becomes a download, which is watched to its end and fetched', async () => {
      const { page, context, faults } = await openPage(browser, { javaScriptEnabled });
      await open(page, 'search');
      await hands.press(link(page, 'Products'));
      await page.waitForURL(/type=products/);
      await hands.fill(page.getByLabel('Query'), 'colour:red');
      await hands.press(button(page, 'Search'));
      await page.getByText('colour does not exist in product schema').waitFor();
      await hands.fill(page.getByLabel('Query'), 'name:made');
      await hands.press(button(page, 'Search'));
      await page.getByText(`Estimated total: ${count(MADE)} records`).waitFor();
      expect(await page.getByRole('row').count()).toBe(1 + 10);

      await hands.press(link(page, 'Download all…'));
      await page.waitForURL(/downloads\/new/);
      await hands.choose(page.getByLabel('View'), 'products_basicFields');
      await hands.press(button(page, 'Calculate cost'));
      await page.waitForURL(/products_basicFields/);
      hold();
      await hands.press(button(page, `Start for ${count(MADE)} credits`));
      await page.waitForURL(/downloads\/\d+$/);
      await page.getByText('In progress').waitFor();
      await page.getByText(`0 of ${count(MADE)} records written`).waitFor();
      await page.evaluate(() => void Object.assign(window, { isSame: true }));
      await goOn();
      if (javaScriptEnabled) await saysCompleted(page);
      else await showsState(service.cloud, page, 'Completed');
      // With script, it is still the page that was opened.
      expect(await page.evaluate(() => 'isSame' in window)).toBe(javaScriptEnabled);
      await page.getByText(`${count(MADE)} of ${count(MADE)} records written, for ${count(MADE)} credits`).waitFor();

      const ids = new Set<string>();
      const first = Math.min(MADE, FILE_RECORDS_MAX);
      for (const [index, records] of [first, MADE - first].filter((size) => size > 0).entries()) {
        const name = `Download file ${index + 1}`;
        const [download] = await Promise.all([page.waitForEvent('download'), hands.press(link(page, name))]);
        const lines = readFileSync(await download.path(), 'utf8')
          .trim()
          .split('\n');
        expect(lines.length, name).toBe(records);
        for (const line of lines) ids.add(JSON.parse(line).id);
      }
      expect(ids.size).toBe(MADE);

      await hands.press(link(page, `${count(first)} records of file 1`));
      await page.getByRole('heading', { name: 'Records of file 1' }).waitFor();
      expect(await page.getByRole('row').count()).toBe(1 + 25);
      const firstRow = await page.getByRole('rowheader').first().innerText();
      await hands.press(link(page, 'Next records'));
      await page.waitForURL(/cursor=/);
      expect(await page.getByRole('row').count()).toBe(1 + 25);
      expect(await page.getByRole('rowheader').first().innerText()).not.toBe(firstRow);
      if (MADE > first) {
        await page.goto(page.url().replace(/files\/1.*/, 'files/2/records'));
        expect(await page.getByRole('row').count()).toBe(1 + 1);
      }
      // The query that was refused is an answer too.
      expect(faults).toEqual([expect.stringContaining('400 (Bad Request)')]);
      await context.close();
    });
  });

  it('a plan is changed for the charge that was shown, and not by a page that is out of date', async () => {
    const tenant = await account('Plan');
    const plan = () => read(`accounts/${tenant}/plan`);
    const invoices = async () => (await read(`accounts/${tenant}/invoices`)).items.length;
    const person = await visitor('demo-operator');
    const path = `${home(tenant)}usage/plan`;
    expect((await person.get(`${home(tenant)}usage`)).text).toContain(`href="${path}"`);
    const { text: choices } = await person.get(path);
    const card = choices.split('<li').find((part) => part.includes('Choose Growth')) ?? '';
    expect(card).toContain('Takes effect: Immediately.');
    const [, charge = ''] = /<strong>([1-9]\d*\.\d\d USD)<\/strong>/.exec(card) ?? [];
    expect(charge).not.toBe('');
    const confirmation = `${path}?to=growth`;
    expect(card).toContain(`href="${confirmation}"`);
    const opened = [await person.get(confirmation), await person.get(confirmation)].map(({ text }) => {
      const forms = text
        .split('<form')
        .filter((form) => form.includes('method="post"') && form.includes(`action="${path}"`));
      expect(forms).toHaveLength(1);
      expect(text).toContain(charge);
      return hiddenFields(forms[0] ?? '');
    });
    expect((await plan()).plan).toBe('starter');

    const before = await invoices();
    const saved = await person.post(path, opened[0] ?? {});
    expect(saved.status).toBe(303);
    expect((await person.get(saved.location ?? '')).text).toMatch(/Plan changed\..*Growth/s);
    const changed = await plan();
    expect([changed.plan, await invoices()]).toEqual(['growth', before + 1]);

    const { text } = await person.post(path, opened[1] ?? {});
    expect(text).toContain('The plan was not changed yet.');
    expect(text).toContain(`The charge is 0.00 USD; it was ${charge}.`);
    expect([await plan(), await invoices()]).toEqual([changed, before + 1]);
  });

  it.each(few([WITH_SCRIPT], [WITHOUT_SCRIPT, BY_KEYS]))(
    'a search is narrowed by a value, and its fields are completed: %s',
    async (_how, hands, javaScriptEnabled) => {
      const { page, context, faults } = await openPage(browser, { javaScriptEnabled });
      await open(page, 'search?type=products');
      const box = page.getByLabel('Query');
      await hands.fill(box, 'made product');
      await hands.press(button(page, 'Search'));
      await page.getByRole('heading', { name: 'Narrow down' }).waitFor();
      await page.getByText(`Counted in 100 of the ${count(MADE)} records.`).waitFor();
      await hands.press(link(page, 'Rare'));
      await page.getByText(`Estimated total: ${count(RARE)} records`).waitFor();
      expect(await box.inputValue()).toBe('made AND product AND brand:"Rare"');
      await hands.press(link(page, 'Remove brand Rare'));
      await page.getByText(`Estimated total: ${count(MADE)} records`).waitFor();
      expect(await box.inputValue()).toBe('made AND product');
      await hands.press(link(page, 'Rare'));
      await page.getByText(`Estimated total: ${count(RARE)} records`).waitFor();
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
        await page.getByText(`Estimated total: ${count(MADE - RARE)} records`).waitFor();
      }
      expect(faults).toEqual([]);
      await context.close();
    },
  );

  it('a key is shown once, and revoked when that is confirmed', async () => {
    const person = await visitor();
    const list = `${home()}keys/management-keys`;
    const name = 'Server';
    const refused = await person.post(list, { form: await person.formToken(list, list), name });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('Choose at least one scope.')]);
    expect(refused.text).toContain(`value="${name}"`);
    const sent = { form: await person.formToken(list, list), name, scopes: 'read' };
    const created = await person.post(list, sent);
    expect(created.text).toContain('New management key');
    const [, secret = ''] = /id="secret"[^>]*>(mk_demo_\w+)</.exec(created.text) ?? [];
    const uses = async () =>
      (await service.call('/manage/v1/loyalty/imports', { headers: { authorization: `Bearer ${secret}` } })).status;
    expect(await uses()).toBe(200);

    // The form is sent again, which makes no other key.
    const again = await person.post(list, sent);
    const { text } = await person.get(again.location ?? '');
    expect(text).toContain('The secret was shown once');
    expect(text).not.toContain(secret);
    const rows = text.split('<tr').filter((row) => row.includes(name));
    expect(rows).toHaveLength(1);
    expect(rows[0]).toContain('Active');

    const [, question = ''] = /href="([^"]*\/revoke)"/.exec(rows[0] ?? '') ?? [];
    expect((await person.get(question)).text).toMatch(
      /Revoke the management key .*\?.*href="[^"]*keys\/management-keys"/s,
    );
    expect(await uses()).toBe(200);
    const revoked = await person.post(question, { form: await person.formToken(question, question) });
    expect((await person.get(revoked.location ?? '')).text).toContain('Revoked');
    expect(await uses()).toBe(401);
  });

  it('an import says which lines were rejected, and why', async () => {
    const person = await visitor();
    const { id } = await importOfPlaces();
    const path = `${home()}imports/${id}`;
    expect((await person.get(`${home()}imports`)).text).toMatch(new RegExp(`Some rejected.*href="${path}"`, 's'));
    const { text } = await person.get(path);
    const words = text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(words).toMatch(/Lines of the file 5 Imported 2 places Rejected 2 lines/);
    expect(words).toMatch(/ 3 [^<]*north.* 5 [^<]*&lt;img class=planted src=x onerror=alert\(/);
    const [, link = ''] = /href="([^"]*rejections[^"]*)"[^>]*>(?:(?!<\/a>).)*Download all/s.exec(text) ?? [];
    const { location = '' } = await person.get(link.replaceAll('&amp;', '&'));
    const report = (await (await fetch(location)).text()).trim().split('\n');
    expect(report.map((line) => JSON.parse(line).line)).toEqual([3, 5]);
  });

  it('a page that follows what changes asks for signing in when the session has ended, then says how it ended', async () => {
    const { page, context, faults } = await openPage(browser);
    hold();
    const path = at(`downloads/${await order({ q: 'name:made', records: 1 })}`);
    await openAs(service, page, path);
    await page.getByText('In progress').waitFor();
    await later(service.cloud, 36 * MINUTE);
    await page.waitForURL(/console\/sign-in\?return=/, { timeout: 60_000 });
    await signInHere(page);
    await page.waitForURL(path);
    await page.evaluate(() => void Object.assign(window, { isSame: true }));
    await goOn();
    await saysCompleted(page);
    expect(await page.evaluate(() => 'isSame' in window)).toBe(true);
    expect(faults).toEqual([]);
    await context.close();
  });

  describe('text of outsiders stays text', () => {
    it('in records, queries, cursors and names of keys', async () => {
      await operator.made('accounts/demo/management-keys', { name: HOSTILE_NAME, scopes: ['read'] });
      const hostile = encodeURIComponent(HOSTILE);
      const id = encodeURIComponent(HOSTILE_ID);
      // The list shows the beginning of a long text, the record all of it.
      const showing: Readonly<Record<string, string>> = {
        'search?type=products&q=brand:hostile': HOSTILE.slice(0, 90),
        'search/products/record?id=hostile': HOSTILE,
        'keys/management-keys': HOSTILE_NAME,
        imports: HOSTILE_NAME,
        [`search?q=a&add=${hostile}`]: HOSTILE,
        [`downloads/new?type=products&q=${hostile}`]: HOSTILE,
      };
      const echoing = few(
        [
          `search?type=${hostile}&q=a&view=${hostile}`,
          `search/products/record?id=${id}&view=${hostile}`,
          `downloads/${id}`,
          `downloads/new?type=products&q=name:made&records=${hostile}&tokenId=${hostile}&format=${hostile}`,
          `imports?cursor=${hostile}`,
          `usage/plan?to=growth&method=${hostile}`,
          `keys/keys/${id}/revoke`,
          `${id}?fragment=${hostile}`,
        ],
        [
          `search/${id}/record?id=${id}`,
          `downloads?cursor=${hostile}`,
          `downloads/1?after=${hostile}`,
          `downloads/new?type=${id}&q=a`,
          `imports/${id}`,
          `imports/${id}/rejections/${id}`,
          `usage?saved=${hostile}`,
          `usage/plan?to=${hostile}`,
          `usage/invoices?cursor=${hostile}`,
          `keys/management-keys?cursor=${hostile}`,
        ],
      );
      const person = await visitor();
      const answers: HostileAnswer[] = [];
      for (const path of [...Object.keys(showing), ...echoing]) {
        const { status, text: html } = await person.get(`${home()}${path}`);
        expect(status, path).toBeLessThan(500);
        answers.push({ path, html, text: showing[path] });
      }
      for (const target of [HOSTILE, 'javascript:alert(7)', '//evil.example/console']) {
        const path = `/console/sign-in?return=${encodeURIComponent(target)}`;
        answers.push({ path, html: (await new ConsoleVisitor(service).get(path)).text });
      }
      await expectTextOnlyIn(browser, answers);
    });

    it('where the page has a script that completes it', async () => {
      const { page, context, faults } = await openPage(browser);
      await open(page, `search?q=${encodeURIComponent(HOSTILE)}`);
      await expectTextOnly(page, HOSTILE);
      expect(faults).toEqual([expect.stringContaining('400 (Bad Request)')]);
      await context.close();
    });

    it('where the page’s script puts it into the page', async () => {
      const { page, context, faults } = await openPage(browser);
      hold();
      const q = `brand:hostile OR name:"${HOSTILE_NAME}"`;
      await order({ q });
      await open(page, 'downloads');
      await page.getByText('In progress').waitFor();
      await page.evaluate(() => void Object.assign(window, { isSame: true }));
      await goOn();
      await page.getByText('In progress').waitFor({ state: 'detached', timeout: 60_000 });
      expect(await page.evaluate(() => 'isSame' in window)).toBe(true);
      await expectTextOnly(page, q);
      expect(faults).toEqual([]);
      await context.close();
    });
  });

  describe('has pages that everybody can use', () => {
    const unexpected = (faults: readonly string[]) => faults.filter((fault) => !/status of 40[0-9] /.test(fault));

    it('with something on them', async () => {
      const { page, context, faults } = await openPage(browser);
      const download = await order({ q: 'name:made', records: 2 });
      const imported = await importOfPlaces();
      const [recordsImported] = (await read('imports')).items;
      await operator.made('accounts/demo/management-keys', { name: 'A server', scopes: ['read', 'manage'] });
      if (isThorough) {
        await operator.made('accounts/demo/keys', { mode: 'test' });
        const { clientId } = await operator.made('accounts/demo/oauth-clients', {});
        await operator.manage('DELETE', `/manage/v1/accounts/demo/oauth-clients/${clientId}`);
      }
      await open(page, `downloads/${download}`, 'demo-operator');
      await showsState(service.cloud, page, 'Completed');
      const looks = new PageLooks();
      await looks.lookAt(page, at(''), [
        `downloads/${download}`,
        `downloads/${download}/files/1/records`,
        'downloads',
        'search?type=products&q=name:made',
        'search/products/record?id=hostile',
        'downloads/new?type=products&q=name:made',
        '/console/imports',
        `imports/${imported.id}`,
        'usage?notice=cap-saved',
        'usage/plan',
        'usage/invoices',
        'keys/management-keys',
        'keys/data-tokens',
        ...few(
          [],
          [
            'search?type=products',
            'imports',
            `/console/imports/${recordsImported.id}`,
            'usage/plan?to=free',
            'keys',
            'keys/oauth-clients',
          ],
        ),
      ]);
      expect(await looks.hindrances(browser, service.cloud.apiUrl)).toEqual([]);
      expect(unexpected(faults)).toEqual([]);
      await context.close();
    });

    it('empty', async () => {
      const { page, context, faults } = await openPage(browser);
      const tenant = await account('Empty');
      await openAs(service, page, at('downloads', tenant), 'demo-operator');
      const looks = new PageLooks();
      await looks.lookAt(page, at('', tenant), [
        'downloads',
        'usage',
        'keys/data-tokens',
        ...few([], ['search?q=hotel', 'imports', 'keys/oauth-clients']),
      ]);
      expect(await looks.hindrances(browser, service.cloud.apiUrl)).toEqual([]);
      expect(unexpected(faults)).toEqual([]);
      await context.close();
    });

    it('with errors, questions and secrets', async () => {
      const { page, context, faults } = await openPage(browser);
      await open(page, 'downloads');
      const looks = new PageLooks();
      await looks.lookAt(page, at(''), [
        'search?type=products&q=colour:red',
        'search?type=products&q=name:nowhere',
        'downloads?cursor=nothing',
        'downloads/new?type=products&q=name:made&records=many&format=csv',
        'usage/plan?to=scale',
        'keys/data-tokens',
        'keys/management-keys/nothing/revoke',
        ...few(
          [],
          [
            'search?q=a&add=name',
            'search/products/record?id=nobody',
            'downloads/new?type=products&q=name:nowhere',
            'downloads/new?type=products&q=colour:red',
          ],
        ),
      ]);
      const look = (what: string) => looks.look(page, what);
      await page.goto(at('keys/management-keys/nothing/revoke'));
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
      expect(await looks.hindrances(browser, service.cloud.apiUrl)).toEqual([]);
      expect(unexpected(faults)).toEqual([]);
      await context.close();
    });
  });
});

describe.skipIf(chromiumPath() === undefined)('imports in a browser', () => {
  const at = (path: string) => `${service.cloud.apiUrl}/console/t/demo/${path}`;
  const place = async (id: string) =>
    (await operator.manage('GET', `/manage/v1/loyalty/places/${id}?tenant=demo`)).json;

  const choose = (page: Page, name: string, content: string | Buffer) =>
    page.getByLabel('File').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });

  /** Waits on the page of the import that has begun until it has ended so. */
  async function ends(page: Page, label: string) {
    await showsState(service.cloud, page, label);
    await page.waitForURL(/imports\/[\w-]{20}$/);
  }

  /** The field of a column in the block of a rejected row. */
  const cell = (page: Page, line: number, column: string) =>
    page.getByRole('group', { name: `Line ${line}` }).getByLabel(column, { exact: true });

  // With script, operators import below.
  it.each(few([WITHOUT_SCRIPT], [BY_KEYS, WITH_SCRIPT]))(
    'a file is uploaded, mapped, imported and mended until every row is accepted: %s',
    async (...how) => {
      const [name, hands, javaScriptEnabled] = how;
      const of = name.replaceAll(' ', '-');
      const { page, context, faults } = await openPage(browser, { javaScriptEnabled });
      await openAs(service, page, at('imports'));
      await hands.press(link(page, 'Import a file'));
      await page.waitForURL(/imports\/-\/new$/);
      await page.getByRole('heading', { name: 'Import a file' }).waitFor();
      await page.getByText(javaScriptEnabled ? 'drop the file here' : 'JavaScript is off').waitFor();
      expect(await page.getByText('JavaScript is off').isVisible()).toBe(!javaScriptEnabled);
      const rows = ['1,Corner,40.71,-74,x', '2,North,north,-74,y', '3,,40.72,-74.01,z', '4,Short'];
      await choose(
        page,
        'stores.csv',
        `Store,Title,lat,Longitude,Notes\n${rows.map((row) => `${of}-${row}`).join('\n')}\n`,
      );
      await hands.press(button(page, 'Upload'));

      await page.getByRole('heading', { name: 'Import stores.csv' }).waitFor();
      expect(await page.getByLabel('lat', { exact: true }).inputValue()).toBe('latitude');
      expect(await page.getByLabel('Notes').inputValue()).toBe('');
      await hands.fill(page.getByLabel('Store'), 'id');
      await hands.fill(page.getByLabel('Title'), 'nam');
      if (!javaScriptEnabled) await hands.press(button(page, 'Preview'));
      await page.getByText('did you mean name?').waitFor();
      await hands.fill(page.getByLabel('Title'), 'name');
      await hands.fill(page.getByLabel('Values for every row'), 'brand = Corner');
      if (!javaScriptEnabled) await hands.press(button(page, 'Preview'));
      await page.getByRole('row', { name: /^2 Accepted/ }).waitFor();
      expect(await page.getByRole('row').allTextContents()).toEqual([
        expect.stringMatching(/^LineResultname/),
        expect.stringMatching(/^2AcceptedCorner/),
        expect.stringContaining('latitude must be a number from -90 to 90, not "north"'),
        expect.stringContaining('name is missing'),
        expect.stringContaining('the row has 2 cells, the header has 5'),
      ]);
      expect((await place(`${of}-1`)).code).toBe('not-found');

      await hands.press(button(page, 'Start import'));
      await page.waitForURL(/imports\/(-\/started|[\w-]{20}$)/);
      await ends(page, 'Some rejected');
      expect(await place(`${of}-1`)).toMatchObject({ name: 'Corner', latitude: 40.71, brand: 'Corner' });
      expect(await page.getByRole('row', { name: /^3 / }).textContent()).toContain(`${of}-2,North,north,-74,y`);

      await hands.press(link(page, 'Fix and import again'));
      await hands.fill(cell(page, 3, 'lat'), '40.8');
      await hands.fill(cell(page, 4, 'Title'), 'East "9, 10"');
      await hands.press(button(page, 'Import 3 rows'));
      await page.waitForURL(/imports\/(-\/started|[\w-]{20}$)/);
      await ends(page, 'Some rejected');
      await page.getByRole('heading', { name: 'stores-fixed.csv' }).waitFor();
      expect(await place(`${of}-2`)).toMatchObject({ name: 'North', latitude: 40.8, brand: 'Corner' });
      expect(await place(`${of}-3`)).toMatchObject({ name: 'East "9, 10"' });

      await hands.press(link(page, 'Fix and import again'));
      await hands.fill(page.getByLabel('Row'), `${of}-4,South,40.6,-74.1,`);
      await hands.press(button(page, 'Import 1 row'));
      await page.waitForURL(/imports\/(-\/started|[\w-]{20}$)/);
      await ends(page, 'Completed');
      expect(await place(`${of}-4`)).toMatchObject({ name: 'South', latitude: 40.6 });
      expect(faults).toEqual([]);
      await context.close();
    },
  );

  it('a large file is uploaded in parts by dropping it, and its progress is shown', async () => {
    const { page, context, faults } = await openPage(browser);
    await openAs(service, page, at('imports/-/new'));
    const sizes: number[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PUT') sizes.push(request.postDataBuffer()?.length ?? 0);
    });
    const parts = await page.evaluateHandle(() => {
      const row = (n: number) => `{"id":"large-${n}","name":"Large ${n}","latitude":1,"longitude":2}\n`;
      const lines = Array.from({ length: 1_000 }, (_, n) => row(n % 7) + ' '.repeat(17_000) + '\n');
      const transfer = new DataTransfer();
      transfer.items.add(new File(lines, 'large.ndjson'));
      return transfer;
    });
    await page.locator('form[data-uploads]').dispatchEvent('drop', { dataTransfer: parts });
    await page.getByRole('heading', { name: 'Import large.ndjson' }).waitFor();
    expect(sizes.length).toBe(3);
    await page.getByText('17.1 MB uploaded').waitFor();
    await button(page, 'Start import').click();
    await ends(page, 'Completed');
    expect(await page.locator('dl.facts').textContent()).toContain('Imported1,000 places');
    expect(faults).toEqual([]);
    await context.close();
  });

  it('an operator imports compressed records of a type, with a member that fills two fields', async () => {
    const { page, context, faults } = await openPage(browser);
    const imports = `${service.cloud.apiUrl}/console/imports`;
    await openAs(service, page, `${imports}/-/new`, 'demo-operator');
    await page.getByLabel('Type').selectOption('products');
    await choose(page, 'new.ndjson.gz', gzipSync('{"id":"gz-1","name":"A"}\n{"id":"gz-2","nam":"B"}\n'));
    await button(page, 'Upload').click();
    await page.getByRole('heading', { name: 'Import new.ndjson.gz' }).waitFor();
    await page.getByLabel('nam', { exact: true }).fill('nam');
    await page.getByText('nam does not exist in product schema').first().waitFor();
    await page.getByLabel('nam', { exact: true }).fill('');
    await page.getByRole('row', { name: /^2 Accepted/ }).waitFor();
    await page.getByLabel('nam', { exact: true }).fill('name, colors');
    await page.getByRole('row', { name: /^2 Accepted/ }).waitFor();
    await button(page, 'Start import').click();
    await ends(page, 'Completed');
    expect(faults).toEqual([]);
    await context.close();
  });

  it('says what is wrong with a file, a form or a request', async () => {
    const { page, context } = await openPage(browser, { javaScriptEnabled: false });
    await openAs(service, page, at('imports/-/new'));
    await choose(page, 'map.map.json', 'x');
    await button(page, 'Upload').click();
    await page.locator('.wrong', { hasText: 'must not end with .map.json' }).waitFor();
    await choose(page, 'twice.csv', 'id,id\n1,2\n');
    await button(page, 'Upload').click();
    await page.getByText('names the column "id" twice').waitFor();
    await page.goto(at('imports/-/new'));
    await choose(page, 'large.csv', 'x'.repeat(4_050_000));
    await button(page, 'Upload').click();
    await page.locator('.wrong', { hasText: 'larger than 4.0 MB, the limit without JavaScript' }).waitFor();
    for (const path of ['imports/-/started', 'imports/none/fix']) {
      expect((await page.goto(at(path)))?.status(), path).toBe(404);
    }
    expect((await page.goto(at('imports/-/started?key=other/file.csv')))?.status()).toBe(200);
    await page.getByText('starts within seconds').waitFor();
    await context.close();
  });

  it('has pages that everybody can use, on which text of outsiders stays text', async () => {
    const { page, context, faults } = await openPage(browser);
    await openAs(service, page, at('imports/-/new'));
    const looks = new PageLooks();
    await looks.look(page, 'the upload');
    const quoted = HOSTILE.replaceAll('"', '""');
    await choose(page, `${HOSTILE_NAME.replaceAll('/', '')}.csv`, `id,"${quoted}",name\na,"${quoted}",A\n`);
    await button(page, 'Upload').click();
    await page.getByRole('heading', { name: 'Columns' }).waitFor();
    await expectTextOnly(page);
    await looks.look(page, 'the mapping');
    await page.locator('input[name=field]').nth(1).fill('latitude');
    await page.getByRole('row', { name: /latitude must be a number/ }).waitFor();
    await expectTextOnly(page);
    await button(page, 'Start import').click();
    await ends(page, 'Some rejected');
    await expectTextOnly(page);
    await looks.look(page, 'an import');
    await link(page, 'Fix and import again').click();
    await page.getByRole('heading', { name: 'Fix rejected rows' }).waitFor();
    await expectTextOnly(page);
    await looks.look(page, 'the rows to fix');
    await page.getByLabel('Leave line 2 out').check();
    await button(page, 'Import 1 row').click();
    await page.getByText('All rows are left out.').waitFor();
    expect(await looks.hindrances(browser, service.cloud.apiUrl)).toEqual([]);
    expect(faults.filter((fault) => !/status of 400 /.test(fault))).toEqual([]);
    await context.close();
  });
});
