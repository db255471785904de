/** Receipts to review, places and the screens of operators: in a browser, then over HTTP as people without script use them. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOptions, eventually } from '../../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { chromiumPath, launchChromium, openPage } from '../../support/console/browser.ts';
import {
  byKeys,
  byMouse,
  type Hands,
  openAs,
  showsNotice,
  showsState,
  signInTo,
} from '../../support/console/console-page.ts';
import { ConsoleVisitor } from '../../support/console/console-visitor.ts';
import { PageLooks } from '../../support/console/page-checks.ts';
import {
  expectTextOnlyIn,
  HOSTILE,
  HOSTILE_ID,
  HOSTILE_NAME,
  type HostileAnswer,
} from '../../support/faults/hostile-text.ts';
import { type ImageService, imageService } from '../../support/images/image-service.ts';
import { stepsInOrder } from '../../support/runner/steps-in-order.ts';
import { few, isThorough } from '../../support/runner/thoroughness.ts';

// Whoever is led to the next record is given one that waits for another test.
stepsInOrder();

const RECEIPTS = join(import.meta.dirname, '../../../functions/images/commands/demo-receipts');
const HOME = '/console/t/demo';
const PASSWORD = 'Chosen-password-1234';

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

/** Types a date and a time, whose parts the browser asks for one after the other. */
async function fillTime(page: Page, name: string, [date, time]: readonly [string, string]) {
  await byKeys.focus(field(page, name));
  await page.keyboard.type(date);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type(time);
}

/** Pictures that are alike would be taken for one that was submitted twice. */
const randomPicture = (): Promise<Buffer> =>
  sharp(randomBytes(16 * 16), { raw: { width: 16, height: 16, channels: 1 } })
    .resize(640, 640, { kernel: 'nearest' })
    .jpeg()
    .toBuffer();

let service: RunningService;
let images: ImageService;
let browser: Browser;

beforeAll(async () => {
  service = await startService();
  service.cloud.stopSchedules();
  images = imageService(service, await service.managementToken('demo'));
});
afterAll(() => service?.close());

async function visitor(name = 'demo'): Promise<ConsoleVisitor> {
  const person = new ConsoleVisitor(service);
  expect((await person.signIn(name)).status).toBe(303);
  return person;
}

describe.skipIf(chromiumPath() === undefined)('the loyalty screens in a browser', () => {
  const waiting: Record<string, number> = {};
  let campaign: string;

  beforeAll(async () => {
    browser = await launchChromium();
    const to = await images.campaign({ reviewAboveTotal: 0 });
    campaign = to;
    const customer = await images.newCustomer();
    for (const name of few(['cafe'], ['grocery'])) {
      const { id } = await images.submit(customer, { to }, readFileSync(join(RECEIPTS, `${name}.jpg`)));
      waiting[name] = id;
    }
    await Promise.all(Object.values(waiting).map((id) => images.waiting({ id })));
  });
  afterAll(() => browser?.close());

  const at = (path: string) => `${service.cloud.apiUrl}${path}`;
  const open = (page: Page, path: string, name?: string) => openAs(service, page, at(path), name);
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

  describe.each(
    few<readonly [string, Hands, string]>([['by mouse', byMouse, 'cafe']], [['by keys alone', byKeys, 'grocery']]),
  )('%s', (_how, hands, receipt) => {
    it('a receipt is read again, taken, looked at with what was read drawn over it, corrected and decided', async () => {
      const { page, context, faults } = await openPage(browser);
      const path = `${HOME}/images/${waiting[receipt]}`;
      await open(page, `${HOME}/images`);
      await hands.press(page.getByRole('link', { name: String(waiting[receipt]), exact: true }));
      await page.waitForURL(at(path));
      await readAgain(page, Number(waiting[receipt]));
      await hands.press(button(page, 'Start review'));

      const picture = page.getByRole('region', { name: 'Picture 1' });
      const frame = await boxOf(picture.locator('svg image'));
      const marks = await picture.locator('svg polygon').all();
      const list = page.locator('ol.marks li');
      expect(marks.length).toBeGreaterThan(3);
      expect(await list.count()).toBeGreaterThanOrEqual(marks.length);
      // Each lies on the picture.
      for (const mark of marks) {
        const { x, y, width, height } = await boxOf(mark);
        expect(x + width / 2).toBeGreaterThan(frame.x);
        expect(x + width / 2).toBeLessThan(frame.x + frame.width);
        expect(y + height / 2).toBeGreaterThan(frame.y);
        expect(y + height / 2).toBeLessThan(frame.y + frame.height);
      }

      // A line and its box lead to each other, and light each other.
      await list.nth(1).getByRole('link').focus();
      expect(await page.locator('.lit').evaluateAll((parts) => parts.map(({ id }) => id))).toEqual([
        'box-0-2',
        'line-0-2',
      ]);
      await picture.locator('a.mark').nth(2).focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(/#line-0-3$/);
      expect(await list.nth(2).getAttribute('class')).toBe('lit');
      await page.goto(at(path));

      await hands.press(button(page, 'Save'));
      // The browser asks for a verdict before anything is sent.
      expect(new URL(page.url()).pathname).toBe(path);
      await hands.fill(page.getByLabel('Store', { exact: true }), 'The store that I see');
      await hands.tick(page.getByLabel('Valid', { exact: true }));
      await hands.press(button(page, 'Save'));
      await page.waitForURL(at(`${HOME}/images?decided=${waiting[receipt]}`));
      await page.goto(at(path));
      await showsState(service.cloud, page, 'Valid');
      const details = await page.locator('dl.facts').textContent();
      expect(details).toContain('The store that I see');
      expect((await images.manage('GET', `image-validations/${waiting[receipt]}`)).json).toMatchObject({
        status: 'valid',
        storeName: 'The store that I see',
      });
      expect(faults).toEqual([]);
      await context.close();
    });
  });

  /** Has a receipt read again that an older reader has read: then it awaits its person as before. */
  async function readAgain(page: Page, id: number): Promise<void> {
    const { review } = await images.waiting({ id });
    expect(await button(page, 'Read again').count()).toBe(0);
    await forgetReader(id);
    await page.reload();
    await button(page, 'Read again').click();
    await page.getByText('The pictures are being read again').waitFor();
    const after = await eventually(
      service.cloud,
      async () => (await images.manage('GET', `image-validations/${id}`)).json,
      ({ canExamineAgain, revision }) => !canExamineAgain && !page.url().includes(`reading=${revision}&`),
    );
    expect(after).toMatchObject({ status: 'pending', needsReview: true, review });
    // The page's script loads the page at the end.
    await page.getByText('The pictures are being read again').waitFor({ state: 'detached' });
    expect(await button(page, 'Read again').count()).toBe(0);
  }

  /** Stores the examinations of a record as an older reader has written them. */
  async function forgetReader(id: number): Promise<void> {
    const s3 = new S3Client({ ...clientOptions(service.cloud), forcePathStyle: true });
    const Bucket = service.cloud.outputs['ImagesPicturesBucket'];
    const { Contents: objects = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
    const keys = objects.flatMap(({ Key = '' }) => (Key.includes(`/${id}/`) && Key.endsWith('.json') ? [Key] : []));
    expect(keys).toHaveLength(1);
    for (const Key of keys) {
      const text = await (await s3.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToString();
      const { reader: _, ...older } = JSON.parse(text ?? '');
      await s3.send(new PutObjectCommand({ Bucket, Key, Body: JSON.stringify(older) }));
    }
    s3.destroy();
  }

  it.each(
    few<readonly [string, boolean, string]>(
      [['without script', false, 'hardware']],
      [['with script', true, 'grocery']],
    ),
  )('a receipt is submitted for a customer, and its page shows the verdict: %s', async (...how) => {
    const [, javaScriptEnabled, receipt] = how;
    const { page, context, faults } = await openPage(browser, { javaScriptEnabled });
    const to = await images.campaign({ receiptsOnce: 'campaign' });
    const externalId = `crm-${crypto.randomUUID()}`;
    await images.newCustomer({ externalId });
    await open(page, `${HOME}/campaigns/${to}`);
    await page.getByRole('link', { name: 'Submit a receipt' }).click();
    expect(await page.getByLabel('Campaign').inputValue()).toBe(to);
    const submit = async (customer: string, file: { name: string; mimeType: string; buffer: Buffer }) => {
      await page.getByLabel('Customer').fill(customer);
      await page.getByLabel('File').setInputFiles(file);
      await button(page, 'Submit').click();
    };
    const bytes = readFileSync(join(RECEIPTS, `${receipt}.jpg`));
    const picture = { name: `${receipt}.jpg`, mimeType: 'image/jpeg', buffer: bytes };
    await submit('nobody', picture);
    await page.locator('.wrong', { hasText: 'There is no such customer' }).waitFor();
    // A file that is no picture is refused when it arrives, and its page says so.
    await submit(externalId, { name: 'a.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture') });
    await page.waitForURL(/images\/\d+$/);
    await eventually(
      service.cloud,
      async () => {
        await page.reload();
        return page.getByText("The file isn't a JPEG").isVisible();
      },
      (isVisible) => isVisible,
    );
    await page.goto(at(`${HOME}/images/-/new?campaign=${to}`));
    await submit(externalId, picture);
    await page.waitForURL(/images\/\d+$/);
    await showsState(service.cloud, page, 'Valid');
    expect(faults).toEqual(javaScriptEnabled ? [] : [expect.stringContaining('400 (Bad Request)')]);
    await context.close();
  });

  it('the page of a campaign counts its records by verdict, and leads to each', async () => {
    const person = await visitor();
    const { text } = await person.get(`${HOME}/campaigns/${campaign}`);
    expect(
      /(\d+) valid, (\d+) invalid and (\d+) undecided/
        .exec(text)
        ?.slice(1)
        .reduce((sum, n) => sum + Number(n), 0),
    ).toBe(Object.keys(waiting).length);
    expect(text).toContain(`href="${HOME}/images/${waiting['cafe']}"`);
  });

  // `console-webhooks.test.ts` is used by keys alone, too.
  it.runIf(isThorough)(
    'by keys alone a campaign is made and a reviewer invited, who chooses a password and decides a record',
    async () => {
      const { page, context, faults } = await openPage(browser);
      await signInTo(page, at(`${HOME}/campaigns`), { hands: byKeys });
      await byKeys.press(link(page, 'New campaign').first());
      await byKeys.fill(field(page, 'Campaign name'), 'Store fronts');
      await byKeys.fill(field(page, 'Campaign permalink'), 'fronts');
      await byKeys.choose(field(page, 'Validation type'), 'image');
      await fillTime(page, 'Starts at (UTC)', ['09022020', '0700AM']);
      await fillTime(page, 'Ends at (UTC)', ['09012060', '0700AM']);
      await byKeys.press(button(page, 'Create'));
      await showsNotice(page, at(`${HOME}/campaigns/fronts`), 'Created.');

      await byKeys.press(link(page, 'People'));
      await byKeys.press(link(page, 'Invite a person').first());
      await byKeys.fill(field(page, 'Email address'), 'robin@demo.example');
      await byKeys.fill(field(page, 'Name'), 'Robin');
      await byKeys.choose(field(page, 'Role'), 'reviewer');
      await byKeys.press(button(page, 'Invite'));
      const secret = (await page.getByText(/^Aa1-[\w-]{43}$/).textContent()) ?? '';
      await byKeys.press(button(page, 'Sign out'));
      await page.waitForURL(/sign-in/);

      const record = await waitingRecord();
      await byKeys.fill(field(page, 'Name'), 'robin@demo.example');
      await byKeys.fill(field(page, 'Password'), secret);
      await byKeys.press(button(page, 'Sign in'));
      await byKeys.fill(field(page, 'New password'), PASSWORD);
      await byKeys.press(page.getByRole('button'));
      await byKeys.press(link(page, 'Review queue'));
      await byKeys.press(link(page, String(record)));
      await byKeys.press(button(page, 'Start review'));
      await byKeys.tick(field(page, 'Valid'));
      await byKeys.press(button(page, 'Save'));
      await page.waitForURL(at(`${HOME}/images?decided=${record}`));
      await page.goto(at(`${HOME}/images/${record}`));
      await showsState(service.cloud, page, 'Valid');
      expect(faults).toEqual([]);
      await context.close();
    },
  );

  /** A picture of the campaign that a person must look at. */
  async function waitingRecord(): Promise<number> {
    const to = { to: 'fronts', type: 'image' } as const;
    const submitted = await images.submit(await images.newCustomer(), to, await randomPicture());
    return (await images.waiting(submitted)).id;
  }

  it('a campaign is created in an empty account, and ended', async () => {
    const { page, context, faults } = await openPage(browser);
    const own = `/console/t/${await openEmptyAccount('Empty')}/campaigns`;
    const looks = new PageLooks();
    const look = (what: string) => looks.look(page, what);
    await open(page, own, 'demo-operator');
    await look('no campaign');
    await page.getByRole('link', { name: 'New campaign' }).click();
    await page.getByLabel('Campaign name').fill('Autumn receipts');
    await page.getByLabel('Campaign permalink').fill('autumn');
    await page.getByLabel('Starts at (UTC)').fill('2020-09-02T07:00');
    await page.getByLabel('Ends at (UTC)').fill('2020-09-01T07:00');
    await page.getByLabel('Products').fill('Oak board; 5');
    await button(page, 'Create').click();
    await page.locator('.wrong', { hasText: 'Ends at must be later than Starts at' }).waitFor();
    await look('a campaign that was refused');
    await page.getByLabel('Ends at (UTC)').fill('2060-09-01T07:00');
    await button(page, 'Create').click();
    await showsNotice(page, at(`${own}/autumn`), 'Created.');
    await look('a campaign');
    await page.getByLabel('Max awards', { exact: true }).fill('1,000');
    await button(page, 'Save').click();
    await page.getByText('1,000 of 1,000').waitFor();
    await page.getByRole('link', { name: 'End now…' }).click();
    await look('the question before a campaign ends');
    await button(page, 'End now').click();
    await showsNotice(page, at(`${own}/autumn`), 'The campaign has ended.');
    await page.goto(at(own));
    expect(await page.getByRole('row', { name: 'Autumn receipts' }).textContent()).toContain('Ended');
    await look('campaigns');
    expect(await looks.hindrances(browser, service.cloud.apiUrl)).toEqual([]);
    expect(faults).toEqual([expect.stringContaining('400 (Bad Request)')]);
    await context.close();
  });

  it('show text of outsiders as text, also what a path or a query repeats', async () => {
    const paths = ['campaigns', 'apps', 'customers', 'ad-units', ...(await hostilePaths())];
    const hostile = encodeURIComponent(HOSTILE);
    const echoing = [
      `campaigns?cursor=${hostile}&deleted=${hostile}`,
      `campaigns/${encodeURIComponent(HOSTILE_ID)}`,
      `campaigns/hostile?notice=${hostile}`,
      `customers?customer=${hostile}`,
      `customers/${encodeURIComponent(HOSTILE_ID)}`,
      `apps?cursor=${hostile}`,
      `ad-units/${encodeURIComponent(HOSTILE_ID)}/delete`,
    ];
    const person = await visitor();
    const answers: HostileAnswer[] = [];
    for (const path of [...paths, ...echoing]) {
      const { status, text: html } = await person.get(`${HOME}/${path}`);
      expect(status, path).toBeLessThan(500);
      answers.push({ path, html, text: paths.includes(path) ? HOSTILE_NAME : undefined });
    }
    const form = `${HOME}/campaigns/-/new`;
    const dates = { startsAt: '2020-09-02T07:00', endsAt: '2060-09-01T07:00' };
    const fields = {
      name: 'A',
      permalink: 'A B',
      type: 'receipt',
      country: 'US',
      currency: 'USD',
      stores: HOSTILE,
      pointsPerValidation: '1',
      ...dates,
    };
    const refused = await person.post(form, { form: await person.formToken(form, form), ...fields });
    expect(refused.text).toContain('Campaign permalink must be lower-case');
    answers.push({ path: 'a refused form', html: refused.text, text: HOSTILE });
    await expectTextOnlyIn(browser, answers);
  });

  async function openEmptyAccount(name: string): Promise<string> {
    const token = await service.managementToken('ops', { operator: true });
    const { status, text, json } = await service.call('/manage/v1/accounts', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    });
    expect(status, text).toBe(201);
    return json.id;
  }

  /** Makes one of each kind whose texts are hostile. Returns the paths of their pages. */
  async function hostilePaths(): Promise<string[]> {
    const create = async (path: string, body: object) => {
      const { status, text, json } = await images.manage('POST', `loyalty/${path}`, body);
      expect(status, text).toBe(201);
      return `${path}/${json.permalink ?? json.id}`;
    };
    const dates = { startsAt: '2020-01-01T00:00:00Z', endsAt: '2060-01-01T00:00:00Z' };
    const listed = { stores: [HOSTILE_NAME], products: [{ name: HOSTILE_NAME, points: 1 }] };
    const kind = { permalink: 'hostile', type: 'receipt', country: 'US', currency: 'USD' };
    const campaign = await create('campaigns', { name: HOSTILE_NAME, ...kind, ...listed, ...dates });
    const app = await create('apps', { name: HOSTILE_NAME });
    const customer = await create('customers', { externalId: HOSTILE_NAME, attributes: { [HOSTILE_NAME]: HOSTILE } });
    await create('places', { id: 'hostile', name: HOSTILE_NAME, latitude: 1, longitude: 1 });
    const unit = await create('ad-units', { name: HOSTILE_NAME, placeIds: ['hostile'] });
    return [
      campaign,
      `${campaign}/end`,
      `${campaign}/delete`,
      app,
      `${app}/secret`,
      `${app}/delete`,
      customer,
      unit,
      `${unit}/delete`,
    ];
  }

  it('the overview leads on to everything a tenant has', async () => {
    const { text } = await (await visitor()).get(HOME);
    for (const screen of ['runs?status=FAILED', 'images', 'usage']) {
      expect(text, screen).toContain(`<a class="card tile" href="${HOME}/${screen}`);
    }
    for (const service of ['Webhooks', 'Records', 'Conversions', 'Places', 'Receipts and photos']) {
      expect(text, service).toMatch(new RegExp(`<h3[^>]*>${service}</h3>.*?<a href="/console/`));
    }
    expect(text).not.toContain('Getting started');
    const empty = await openEmptyAccount('New');
    expect((await (await visitor('demo-operator')).get(`/console/t/${empty}`)).text).toContain('Getting started');
  });

  it('operators see alarms with their sections of the runbook, which nobody else does', async () => {
    const [demo, operator] = [await visitor(), await visitor('demo-operator')];
    const { text } = await operator.get('/console/system');
    expect(text).toContain('href="/console/system/runbook/dead-letters"');
    expect(text).toMatch(/<summary>(All )?\d+ alarms are OK<\/summary>/);
    const section = await operator.get('/console/system/runbook/dead-letters');
    expect([section.status, section.text.includes('npm run -s letters')]).toEqual([200, true]);
    expect((await operator.get('/console/system/runbook/nothing')).status).toBe(404);
    for (const path of [
      '/console/accounts',
      '/console/accounts/demo',
      '/console/system',
      '/console/system/runbook/faults',
    ]) {
      expect((await demo.get(path)).status, path).toBe(404);
    }
  });

  it('has pages that everybody can use', async () => {
    const { page, context, faults } = await openPage(browser);
    const { json: place } = await images.manage('POST', 'loyalty/places', {
      id: 'cafe-rosa',
      name: 'Cafe Rosa',
      latitude: 36.72,
      longitude: -3.42,
    });
    expect(place).toMatchObject({ id: 'cafe-rosa' });
    const looks = new PageLooks();
    await looks.lookAt(page, at(''), ['/console/sign-in']);
    const to = await images.campaign();
    const receipt = readFileSync(join(RECEIPTS, 'cafe.jpg'));
    const awaiting = await images.submit(await images.newCustomer(), { to, imageCount: 2 }, receipt);
    await open(page, HOME, 'demo-operator');
    await looks.lookAt(page, at(''), [
      HOME,
      `${HOME}/menu`,
      `${HOME}/places`,
      `${HOME}/places/cafe-rosa`,
      `${HOME}/places/-/new`,
      `${HOME}/places/cafe-rosa/delete`,
      `${HOME}/places/-/check-ins?customer=demo-user`,
      `${HOME}/campaigns/${campaign}`,
      `${HOME}/customers`,
      `${HOME}/customers/demo-user`,
      `${HOME}/apps/-/new`,
      `${HOME}/ad-units/-/new`,
      `${HOME}/images`,
      // Lists and forms of what is made of the same parts.
      ...few(
        [],
        [
          `${HOME}/places/-/check-ins`,
          `${HOME}/images?campaign=${campaign}`,
          `${HOME}/customers/-/new`,
          `${HOME}/apps`,
          `${HOME}/ad-units`,
          `${HOME}/images?view=decided`,
          '/console/second-factor',
        ],
      ),
      `${HOME}/images/${waiting['cafe']}`,
      `${HOME}/images/${awaiting.id}`,
      `${HOME}/images/-/new?campaign=${campaign}`,
      '/console/accounts',
      '/console/accounts/-/new',
      '/console/accounts/demo',
      '/console/system',
      '/console/system/runbook/dead-letters',
      '/console/t/demo/nothing',
    ]);
    await page.goto(at('/console/system'));
    const healthy = page.locator('#healthy-alarm');
    await healthy.locator('summary').click();
    await healthy.evaluate((part) => part.setAttribute('data-seen', ''));
    await page.getByRole('heading', { name: 'System', exact: true }).click();
    // The script of the page renews the state every few seconds; what was unfolded stays so.
    await page.locator('#healthy-alarm:not([data-seen])[open]').waitFor();
    await page.goto(at('/console/second-factor'));
    await button(page, 'Set up an app').click();
    await page.getByLabel('Code from the app').waitFor();
    await looks.look(page, 'the key of an app');
    await page.getByLabel('Code from the app').fill('000000');
    await button(page, 'Confirm').click();
    await page.locator('.wrong', { hasText: 'Wrong code. Enter the current code from the app.' }).waitFor();
    await looks.look(page, 'a wrong code');
    expect(await looks.hindrances(browser, service.cloud.apiUrl)).toEqual([]);
    expect(faults.filter((fault) => !/status of 4(04|22) /.test(fault))).toEqual([]);
    await context.close();
  });
});

async function boxOf(part: ReturnType<Page['locator']>) {
  const box = await part.boundingBox();
  if (!box) throw new Error('It is not drawn.');
  return box;
}

/** Submits the form of a page that goes to a path. */
async function submit(person: ConsoleVisitor, page: string, action: string, fields: Record<string, string> = {}) {
  const form = await person.formToken(page, action);
  return person.post(action, { form, ...fields });
}

/** Returns the text of a page without its elements. */
const words = (html: string) =>
  html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('&lt;', '<');

describe('the loyalty screens without script', () => {
  let demo: ConsoleVisitor;
  let operator: ConsoleVisitor;
  beforeAll(async () => {
    [demo, operator] = (await Promise.all(['demo', 'demo-operator'].map(visitor))) as [ConsoleVisitor, ConsoleVisitor];
  });

  describe('places', () => {
    const NEW = `${HOME}/places/-/new`;
    const cafe = { name: 'Cafe <i>Azul</i>', id: 'cafe-azul', latitude: '36.7213', longitude: '-4.4214', points: '7' };

    it('are made, found on the map and in the list, changed and deleted', async () => {
      const answer = await submit(demo, NEW, NEW, cafe);
      expect([answer.status, answer.location]).toEqual([303, `${HOME}/places/cafe-azul?notice=created`]);

      const map = await demo.get(`${HOME}/places?box=-4.5,36.7,-4.4,36.8`);
      expect(words(map.text)).toContain('1 place');
      expect(map.text.match(/<circle class="point"/g)).toHaveLength(1);
      expect(map.text).toContain('Cafe &lt;i>Azul&lt;/i>');
      expect(map.text).toMatch(/<path class="land" d="M/);

      const path = `${HOME}/places/cafe-azul`;
      const saved = await submit(demo, path, path, { ...cafe, name: 'Cafe Verde', brand: 'Azul', closed: 'on' });
      expect(saved.location).toBe(`${path}?notice=saved`);
      const content = words((await demo.get(path)).text);
      expect(content).toContain('Cafe Verde');
      expect(content).toContain('Closed');

      expect((await submit(demo, `${path}/delete`, `${path}/delete`)).location).toBe(`${HOME}/places?deleted=1`);
      expect((await demo.get(path)).status).toBe(404);
    });

    it('say beside the field what is wrong, and keep what was typed', async () => {
      const refused = await submit(demo, NEW, NEW, { ...cafe, latitude: '97', longitude: 'west' });
      expect(refused.status).toBe(400);
      expect(words(refused.text)).toContain('Enter degrees as a number');
      const tooFar = await submit(demo, NEW, NEW, { ...cafe, latitude: '97' });
      expect([tooFar.status, tooFar.text.includes('value="97"')]).toEqual([400, true]);
      expect(tooFar.text).toMatch(/id="field-latitude-said"/);
    });

    it('are all found in a view of the world, where the index finds none', async () => {
      for (const [id, longitude] of [
        ['north', '-122.3493'],
        ['south', '-122.3494'],
      ] as const) {
        const fields = { ...cafe, id, name: `Bar ${id}`, latitude: '47.6205', longitude };
        expect((await submit(demo, NEW, NEW, fields)).status).toBe(303);
      }
      const world = await demo.get(`${HOME}/places?box=-180,-60,180,75`);
      expect(words(world.text)).toMatch(/Bar (north|south)/);
      expect(world.text).toMatch(/<text class="count"[^>]*>\d+<\/text>/);
      const taken = await submit(demo, NEW, NEW, { ...cafe, id: 'north' });
      expect([taken.status, words(taken.text).includes('There is a place north already')]).toEqual([409, true]);
    });

    it('list the check-ins of a customer, by either id', async () => {
      expect(words((await demo.get(`${HOME}/places/-/check-ins`)).text)).toContain('Whose check-ins?');
      for (const customer of ['demo-user', 'demo-external']) {
        const { status, text } = await demo.get(`${HOME}/places/-/check-ins?customer=${customer}`);
        expect([status, words(text).includes('This customer has not checked in.')]).toEqual([200, true]);
      }
      expect(words((await demo.get(`${HOME}/places/-/check-ins?customer=nobody`)).text)).toContain('No such customer');
    });
  });

  describe('reviews', () => {
    async function waitingRecord(): Promise<{ id: number; path: string }> {
      const to = await images.campaign({ type: 'image' });
      const { id } = await images.waiting(
        await images.submit(await images.newCustomer(), { to, type: 'image' }, await randomPicture()),
      );
      return { id, path: `${HOME}/images/${id}` };
    }

    let first: Awaited<ReturnType<typeof waitingRecord>>;
    beforeAll(async () => {
      first = await waitingRecord();
    });

    it('belong to whoever has taken the record, until it is released', async () => {
      const { id, path } = first;
      expect(words((await demo.get(`${HOME}/images`)).text)).toContain(String(id));
      expect((await demo.get(path)).text).not.toContain(`action="${path}/review"`);

      expect((await submit(demo, path, `${path}/claim`)).location).toBe(path);
      const mine = await demo.get(path);
      expect(mine.text).toContain(`action="${path}/review"`);
      const theirs = await operator.get(path);
      expect(theirs.text).not.toContain(`action="${path}/review"`);
      expect(words(theirs.text)).toContain('demo is reviewing this record');

      // Somebody who had opened the page before it was taken.
      const late = await operator.post(`${path}/claim`, { form: await operator.formToken(path, '/console/sign-out') });
      expect([late.status, words(late.text).includes('Another reviewer has started on this record.')]).toEqual([
        409,
        true,
      ]);

      expect((await submit(demo, path, `${path}/release`)).location).toBe(`${HOME}/images?notice=released`);
      expect((await submit(operator, path, `${path}/claim`)).status).toBe(303);
      await submit(operator, path, `${path}/release`);
    });

    it('show the picture from the origin that the policy allows, by a link that is made on click', async () => {
      const { path } = first;
      const { text, headers } = await demo.get(path);
      const [, address = ''] = /<image href="([^"]+)"/.exec(text) ?? [];
      const { origin } = new URL(address);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy.split('; ').find((rule) => rule.startsWith('img-src'))).toBe(`img-src 'self' ${origin}`);
      const opened = await demo.get(`${path}/pictures/0`);
      expect([opened.status, new URL(opened.location ?? '').origin]).toEqual([303, origin]);
      const picture = await fetch(opened.location ?? '');
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      expect((await demo.get(`${path}/pictures/1`)).status).toBe(404);
    });

    it('are stored once, lead to the next record, and tell others what became of it', async () => {
      const second = await waitingRecord();
      await submit(demo, first.path, `${first.path}/claim`);
      const { text } = await demo.get(first.path);
      const [, revision = ''] = /name="revision" value="(\d+)"/.exec(text) ?? [];
      const undecided = await submit(demo, first.path, `${first.path}/review`, { revision, act: 'save' });
      expect([undecided.status, words(undecided.text).includes('Choose one')]).toEqual([400, true]);
      const reasonless = { revision, verdict: 'invalid', code: '', act: 'save' };
      const unexplained = await submit(demo, first.path, `${first.path}/review`, reasonless);
      expect([unexplained.status, words(unexplained.text).includes('Choose one')]).toEqual([400, true]);
      const stale = await submit(demo, first.path, `${first.path}/review`, {
        revision: String(Number(revision) - 1),
        verdict: 'valid',
      });
      expect([stale.status, words(stale.text).includes('The record has changed since you opened it.')]).toEqual([
        409,
        true,
      ]);

      const verdict = { revision, verdict: 'invalid', code: '17', act: 'next' };
      const saved = await submit(demo, first.path, `${first.path}/review`, verdict);
      // Records of other tests may wait, too: the next one is theirs or the second one, and is this person's now.
      const [next = ''] = saved.location?.split('?') ?? [];
      expect(next).toMatch(new RegExp(`^${HOME}/images/\\d+$`));
      expect(next).not.toBe(first.path);
      const { text: nextText } = await demo.get(saved.location ?? '');
      expect([nextText.includes('The review is saved.'), nextText.includes(`action="${next}/review"`)]).toEqual([
        true,
        true,
      ]);

      const form = await operator.formToken(second.path, '/console/sign-out');
      const typed = { verdict: 'valid', storeName: 'Seen <b>too</b> late' };
      const late = await operator.post(`${first.path}/review`, { form, revision, ...typed });
      expect(late.status).toBe(409);
      expect(words(late.text)).toMatch(/Your unsaved input.* Seen <b>too/);
      expect(words(late.text)).toMatch(/Another reviewer has decided this record|The record is no longer open/);
      const decided = words((await demo.get(first.path)).text);
      expect(decided).toMatch(/Decided by you on .*: invalid, image appears to have been altered\./);
      expect(words((await operator.get(first.path)).text)).toContain('Decided by another person on');
    });
  });

  describe('operators', () => {
    it('make an account, change it, give it credit once in view, and act for it', async () => {
      const NEW = '/console/accounts/-/new';
      const answer = await submit(operator, NEW, NEW, {
        name: 'Fabrikam Ltd',
        plan: 'starter',
        billingCurrency: 'EUR',
      });
      expect(answer.location).toBe('/console/t/fabrikam-ltd/people/-/new?account-created=1');
      const path = '/console/accounts/fabrikam-ltd';
      const again = await submit(operator, NEW, NEW, { name: 'Fabrikam Ltd', plan: 'free', billingCurrency: 'EUR' });
      expect([again.status, words(again.text).includes('An account with the id fabrikam-ltd already exists')]).toEqual([
        409,
        true,
      ]);
      const changed = await submit(operator, path, path, { organization: 'Fabrikam', billingCurrency: 'EUR' });
      expect(changed.location).toBe(`${path}?notice=saved`);
      expect((await operator.get(path)).text).toContain('value="Fabrikam"');

      const token = await submit(operator, path, `${path}/tokens`, { availableDownloads: '1,500', planId: 'basic' });
      const [, secret = ''] = /<pre id="secret"[^>]*>([\w-]+)<\/pre>/.exec(token.text) ?? [];
      expect(secret.length).toBeGreaterThan(30);
      const page = await operator.get(path);
      expect(words(page.text)).toContain('1,500 credits');
      expect(page.text).not.toContain(secret);
      const refused = await submit(operator, path, `${path}/tokens`, { availableDownloads: 'many', planId: 'basic' });
      expect([refused.status, words(refused.text).includes('must be a number')]).toEqual([400, true]);

      const own = words((await operator.get('/console/t/fabrikam-ltd/places')).text);
      expect(own).toContain('Viewing the account fabrikam-ltd');
    });
  });
});
