/** Imports in a browser, from the upload to the last row that is mended: with script, without it, and by keys alone. */
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { requestsTo } from '../../support/cloud/service-calls.ts';
import { chromiumPath, launchChromium, openPage } from '../../support/console/browser.ts';
import { byKeys, byMouse, type Hands, showsState, signInTo } from '../../support/console/console-page.ts';
import { hindrances } from '../../support/console/page-checks.ts';
import { expectTextOnly, HOSTILE, HOSTILE_NAME } from '../../support/faults/hostile-text.ts';
import { few } from '../../support/runner/thoroughness.ts';

let service: RunningService;
let operator: ReturnType<typeof requestsTo>;
let browser: Browser;

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describe.skipIf(chromiumPath() === undefined)('imports in a browser', () => {
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), launchChromium()]);
    service.cloud.stopSchedules();
    operator = requestsTo(service, () => service.cloud.clock.millis());
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

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

  type Way = readonly [how: string, hands: Hands, javaScriptEnabled: boolean];
  const WITH_SCRIPT: Way = ['with script', byMouse, true];
  const WITHOUT_SCRIPT: Way = ['without script', byMouse, false];
  const BY_KEYS: Way = ['by keys alone', byKeys, true];

  it.each(few([WITHOUT_SCRIPT, BY_KEYS], [WITH_SCRIPT]))(
    'a file is uploaded, mapped, imported and mended until every row is accepted: %s',
    async (...how) => {
      const [name, hands, javaScriptEnabled] = how;
      const of = name.replaceAll(' ', '-');
      const { page, context, faults } = await openPage(browser, { javaScriptEnabled });
      await signInTo(page, at('imports'), { hands });
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
    await signInTo(page, at('imports/-/new'));
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
    await signInTo(page, `${imports}/-/new`, { name: 'demo-operator' });
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
    await signInTo(page, at('imports/-/new'));
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
    await signInTo(page, at('imports/-/new'));
    const obstacles = await hindrances(page, 'the upload');
    const quoted = HOSTILE.replaceAll('"', '""');
    await choose(page, `${HOSTILE_NAME.replaceAll('/', '')}.csv`, `id,"${quoted}",name\na,"${quoted}",A\n`);
    await button(page, 'Upload').click();
    await page.getByRole('heading', { name: 'Columns' }).waitFor();
    await expectTextOnly(page);
    obstacles.push(...(await hindrances(page, 'the mapping')));
    await page.locator('input[name=field]').nth(1).fill('latitude');
    await page.getByRole('row', { name: /latitude must be a number/ }).waitFor();
    await expectTextOnly(page);
    await button(page, 'Start import').click();
    await ends(page, 'Some rejected');
    await expectTextOnly(page);
    obstacles.push(...(await hindrances(page, 'an import')));
    await link(page, 'Fix and import again').click();
    await page.getByRole('heading', { name: 'Fix rejected rows' }).waitFor();
    await expectTextOnly(page);
    obstacles.push(...(await hindrances(page, 'the rows to fix')));
    await page.getByLabel('Leave line 2 out').check();
    await button(page, 'Import 1 row').click();
    await page.getByText('All rows are left out.').waitFor();
    expect(obstacles).toEqual([]);
    expect(faults.filter((fault) => !/status of 400 /.test(fault))).toEqual([]);
    await context.close();
  });
});
