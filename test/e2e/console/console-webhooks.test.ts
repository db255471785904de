/**
 * The first journey of an administrator, in a browser: with script, without it, and by keys alone; and what people hear
 * who see no screen.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, later } from '../../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { chromiumPath, launchChromium, openPage } from '../../support/console/browser.ts';
import { byKeys, openAs, showsState, signInTo } from '../../support/console/console-page.ts';
import { ConsoleVisitor } from '../../support/console/console-visitor.ts';
import { EVERY_FORM, hindrances, PageLooks } from '../../support/console/page-checks.ts';
import { expectTextOnly, HOSTILE_NAME } from '../../support/faults/hostile-text.ts';
import { stepsInOrder } from '../../support/runner/steps-in-order.ts';
import { few } from '../../support/runner/thoroughness.ts';
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.ts';
import { type WebhookTenant, webhookTenant } from '../../support/webhooks/webhook-tenant.ts';

stepsInOrder();

const folder = mkdtempSync(join(tmpdir(), 'console-webhooks-'));
/** Endpoints that are broken, by path. */
const broken = new Set<string>();
/** What outsiders may send, to be read as text. */
const HOSTILE = `<img src=x onerror="alert(1)"></script><script>alert(2)</script><b>bold</b>`;
let receiver: Receiver;
let service: RunningService;
let demo: WebhookTenant;
let browser: Browser;

beforeAll(async () => {
  if (chromiumPath() === undefined) return;
  receiver = await startReceiver({
    answer: ({ path }) =>
      broken.has(path) ? { status: 503, body: HOSTILE } : { status: 200, body: '{"thanks": true}' },
  });
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, receiver.caPem);
  service = await startService({
    parameters: { WebhookPrivateTargets: `127.0.0.1:${receiver.port}`, WebhookExtraCaFile: ca },
  });
  service.cloud.stopSchedules({ allBut: 'SweepEveryMinute' });
  demo = await webhookTenant(service, 'demo');
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
  await receiver?.close();
  rmSync(folder, { recursive: true });
});

const at = (path: string) => `${service.cloud.apiUrl}/console/t/demo/${path}`;

describe.skipIf(chromiumPath() === undefined)('the console in a browser', () => {
  const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

  const open = (page: Page, path: string) => openAs(service, page, at(path));

  async function openEmptyAccount(): Promise<void> {
    const token = await service.managementToken('ops', { operator: true });
    const { status, text } = await service.call('/manage/v1/accounts', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Empty' }),
    });
    expect(status, text).toBe(201);
  }

  const announce = (recordId: string, trigger = 'Stage started') => demo.announce({ trigger, recordId });

  // By keys alone it is used with script.
  describe.each(
    few<readonly [string, boolean, string]>(
      [['without script', false, 'Task is completed']],
      [['with script', true, 'Stage started']],
    ),
  )('%s', (how, javaScriptEnabled, trigger) => {
    it('an event fails, the endpoint is mended, and a replay resolves it', async () => {
      const { page, context, faults } = await openPage(browser, { javaScriptEnabled });
      const path = `/${how.replace(' ', '-')}`;
      const name = `Cases ${how}`;
      broken.add(path);
      await open(page, 'runs');

      await page.getByRole('link', { name: 'API configurations' }).first().click();
      await page.getByRole('link', { name: 'New API configuration' }).first().click();
      await page.getByLabel('API Configuration Name', { exact: true }).fill(name);
      await page.getByLabel('Target URL').fill('http://example.com/');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      // What was typed is still there, and what is wrong stands beside it.
      expect(await page.getByLabel('API Configuration Name', { exact: true }).inputValue()).toBe(name);
      expect(await page.locator('#field-targetUrl-said').textContent()).toMatch(/https/i);
      await page.getByLabel('Target URL').fill(receiver.url + path);
      expect(await page.locator('#field-targetUrl-said.wrong').count()).toBe(javaScriptEnabled ? 0 : 1);
      await page.getByLabel('Authentication').selectOption('bearer');
      await page.getByLabel('Token').fill('a-secret-of-the-endpoint');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      expect(await page.content()).not.toContain('a-secret-of-the-endpoint');
      expect(await page.getByLabel('Token').inputValue()).toBe('');

      await page.goto(at('rules/new'));
      await page.getByLabel('Trigger').selectOption(`dsar|${trigger}`);
      await page.getByLabel('API configuration').selectOption({ label: name });
      await page.getByRole('textbox', { name: 'Body' }).fill('{"request": "{{requestId}}", "oops": "{{nothing}}"}');
      await page.getByRole('button', { name: 'Preview', exact: true }).click();
      await page.getByText("{{nothing}}: this variable isn't known").waitFor();
      await page.getByRole('textbox', { name: 'Body' }).fill('{"request": "{{requestId}}"}');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByText('Created.').waitFor();

      const record = `case-${how.replace(' ', '-')}`;
      await announce(record, trigger);
      await page.goto(at(`runs?record=${record}`));
      await showsState(service.cloud, page, 'Failed');
      await page.getByRole('link', { name: `subject request: ${record}` }).click();
      await page.getByRole('heading', { name: 'Response' }).waitFor();
      expect(await page.locator('#answer').textContent()).toBe(HOSTILE);
      expect(await page.locator('img[src="x"]').count()).toBe(0);
      expect(await page.getByText('Bearer ***').count()).toBe(1);

      broken.delete(path);
      await page.getByRole('button', { name: 'Replay' }).click();
      await page.getByRole('heading', { name: `subject request: ${record}` }).waitFor();
      await showsState(service.cloud, page, 'Completed');
      await page.getByRole('link', { name: /^run_/ }).first().click();
      await page.getByText('Resolved', { exact: true }).waitFor();
      expect(await page.getByRole('button', { name: 'Replay' }).count()).toBe(0);
      expect(receiver.posts.filter((post) => post.path === path).length).toBe(4);
      // The form that was refused is an answer too.
      expect(faults).toEqual([expect.stringContaining('400 (Bad Request)')]);
      await context.close();
    });
  });

  it('a variable is written where the caret was, and a fault goes when its field is changed', async () => {
    const { page, context } = await openPage(browser);
    await open(page, 'rules/new');
    await page.getByLabel('Trigger').selectOption('dsar|Stage started');
    const body = page.getByRole('textbox', { name: 'Body' });
    const before = await body.inputValue();
    const variable = button(page, '{{requestId}}');
    // In a field that nobody was in, at its end.
    await variable.click();
    expect(await body.inputValue()).toBe(`${before}{{requestId}}`);
    await body.press('ControlOrMeta+Home');
    await variable.click();
    expect(await body.inputValue()).toBe(`{{requestId}}${before}{{requestId}}`);
    await button(page, 'Create').click();
    await page.locator('#field-body-said.wrong').waitFor();
    await body.fill(before);
    expect(await page.locator('.wrong').count()).toBe(0);
    expect(await body.getAttribute('aria-invalid')).toBeNull();
    await context.close();
  });

  it('asks before a page is left on which something was entered and not saved', async () => {
    const { page, context, faults } = await openPage(browser);
    await open(page, 'api-configurations/new');
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('Half an endpoint');
    const question = page.waitForEvent('dialog');
    await link(page, 'Delivery log').click();
    expect((await question).type()).toBe('beforeunload');
    expect([page.url(), await name.inputValue()]).toEqual([at('api-configurations/new'), 'Half an endpoint']);
    await name.fill('');
    await link(page, 'Delivery log').click();
    await page.waitForURL(at('runs'));
    expect(faults).toHaveLength(1);
    await context.close();
  });

  it('is used by keys alone: an empty account gets a rule, whose test event fails, is found and is replayed', async () => {
    const { page, context, faults } = await openPage(browser);
    await openEmptyAccount();
    broken.add('/keys');
    await signInTo(page, `${service.cloud.apiUrl}/console/t/empty/runs`, { name: 'demo-operator', hands: byKeys });
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
    await byKeys.press(link(page, 'API configurations'));
    await byKeys.press(link(page, 'New API configuration').first());
    await byKeys.fill(field(page, 'API Configuration Name'), 'Cases');
    await byKeys.fill(field(page, 'Target URL'), 'http://example.com/');
    await byKeys.fill(field(page, 'Max Attempts'), '1');
    await byKeys.press(button(page, 'Create'));
    // The focus is on the summary, and an entry leads to its field.
    const entry = page.getByRole('link', { name: /^Target URL:? / });
    await entry.waitFor();
    expect(await page.evaluate(() => document.activeElement?.matches('[data-faults]'))).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'targetUrl');
    await byKeys.fill(field(page, 'Target URL'), `${receiver.url}/keys`);
    await byKeys.press(button(page, 'Create'));
    await page.getByRole('heading', { name: 'Cases', level: 1 }).waitFor();

    await byKeys.press(link(page, 'Rules'));
    await byKeys.press(link(page, 'New rule').first());
    await byKeys.choose(field(page, 'Module and trigger'), 'dsar|Stage started');
    await byKeys.fill(page.getByRole('textbox', { name: 'Body' }), '{"request": "{{requestId}}"}');
    await byKeys.press(button(page, 'Create'));
    await page.getByText('Created.').waitFor();
    await byKeys.press(page.getByRole('link', { name: 'Send test event' }));
    await page.getByRole('heading', { name: 'Send test event', level: 1 }).waitFor();
    await byKeys.press(button(page, 'Send test event'));
    await page.waitForURL(/runs\/run_/);
    await showsState(service.cloud, page, 'Failed');

    await byKeys.press(link(page, 'Delivery log').first());
    await byKeys.press(link(page, 'Failed').first());
    await byKeys.press(page.getByRole('link', { name: /^subject request: test-/ }));
    await page.getByRole('heading', { name: /^subject request: test-/ }).waitFor();
    broken.delete('/keys');
    await byKeys.press(button(page, 'Replay'));
    await page.getByText('Replay of').first().waitFor();
    await showsState(service.cloud, page, 'Completed');
    expect(faults).toEqual([expect.stringContaining('400 (Bad Request)')]);
    await context.close();
  });

  it('failed runs are selected in the log and replayed together', async () => {
    const { page, context, faults } = await openPage(browser);
    const { configuration } = await demo.webhook(`${receiver.url}/selected`, {
      maxAttempts: 1,
      rule: { trigger: 'Stage started' },
    });
    broken.add('/selected');
    await announce('selected-1');
    await announce('selected-2');
    const log = `runs?status=FAILED&configuration=${configuration}`;
    await eventually(
      service.cloud,
      async () => (await demo.get(log)).items.length,
      (count) => count === 2,
    );
    await open(page, log);
    const looks = new PageLooks();
    await looks.look(page, 'the log');
    await page.getByRole('button', { name: 'Select all' }).click();
    expect(await page.getByRole('checkbox', { name: 'selected-1' }).isChecked()).toBe(true);
    await page.getByRole('checkbox', { name: 'selected-2' }).uncheck();
    await page.getByRole('checkbox', { name: 'selected-2' }).check();
    broken.delete('/selected');
    await page.getByRole('button', { name: 'Replay selected' }).click();
    await page.getByText('2 runs replayed, 0 refused.').waitFor();
    await looks.look(page, 'the outcomes');
    expect(await looks.hindrances(browser, service.cloud.apiUrl)).toEqual([]);
    await page.reload();
    await page.goto(at(`runs?configuration=${configuration}`));
    await page.getByRole('link', { name: 'Replay of run_' }).nth(1).waitFor();
    await showsState(service.cloud, page, 'Resolved');
    expect((await demo.get(`runs?configuration=${configuration}`)).items.length).toBe(4);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('shows a run on as it is delivered, without loading the page again', async () => {
    const { page, context, faults } = await openPage(browser);
    const { configuration } = await demo.webhook(`${receiver.url}/live`, {
      maxAttempts: 2,
      // Longer than any machine takes until the page shows the first attempt.
      retryIntervalSeconds: 300,
      rule: { trigger: 'Stage started' },
    });
    broken.add('/live');
    await announce('live');
    const { items } = await eventually(
      service.cloud,
      () => demo.get(`runs?configuration=${configuration}`),
      ({ items }) => items.length === 1,
    );
    const run: string = items[0].id;
    await eventually(
      service.cloud,
      async () => (await demo.get(`runs/${run}`)).attempts,
      (attempts) => attempts === 1,
    );
    await open(page, `runs/${run}`);
    await page.evaluate(() => void Object.assign(window, { isSame: true }));
    await page.getByText('In progress').waitFor();
    broken.delete('/live');
    await later(service.cloud, 300_000);
    await page.locator('[data-says-state] >> text=2 of 2 attempts').waitFor({ timeout: 60_000 });
    await page.getByText('Completed', { exact: true }).first().waitFor({ timeout: 60_000 });
    expect(faults).toEqual([]);
    await context.close();
  });

  it('has pages that everybody can use', async () => {
    const { page, context, faults } = await openPage(browser);
    await open(page, 'runs');
    const first = async (path: string): Promise<string> => (await demo.get(`${path}?limit=1`)).items[0].id;
    const [run, rule, configuration] = [await first('runs'), await first('rules'), await first('api-configurations')];
    await demo.webhook('https://example.com/', { name: HOSTILE_NAME });
    const obstacles: string[] = [];
    // A list with states, a page of one thing with code, a form, and a form with faults: the style sheet in every form.
    for (const path of ['runs', `runs/${run}?attempt=1.0`, 'rules/new', 'replays/new?review=1']) {
      await page.goto(at(path));
      if (path === 'rules/new') await expectTextOnly(page, HOSTILE_NAME);
      obstacles.push(...(await hindrances(page, path, EVERY_FORM)));
    }
    const looks = new PageLooks();
    await looks.lookAt(page, at(''), [
      'runs?status=FAILED&record=nothing',
      `runs/-/replayed?made=${run}.${run}&refused=${run}.resolved`,
      'api-configurations',
      'api-configurations/new',
      `api-configurations/${configuration}`,
      `api-configurations/${configuration}/delete`,
      'rules',
      `rules/${rule}`,
      `rules/${rule}/test`,
      'replays',
      'replays/new',
      'menu',
      'nothing-here',
    ]);
    obstacles.push(...(await looks.hindrances(browser, service.cloud.apiUrl)));
    // Runs of one record share its name, as rules of one trigger do: the other cells tell them apart.
    expect(obstacles.filter((obstacle) => !/stands for \d+ things$/.test(obstacle))).toEqual([]);
    expect(faults.filter((fault) => !fault.includes('404'))).toEqual([]);
    await context.close();
  });
});

describe.skipIf(chromiumPath() === undefined)('the console for people who see no screen', () => {
  const MINUTE = 60_000;
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');
  /** Checks what the browser would, too: the server refuses the form. */
  const submitUnchecked = async (page: Page, name: string) => {
    await page
      .getByRole('button', { name, exact: true })
      .evaluate((button) => button.setAttribute('formnovalidate', ''));
    await page.getByRole('button', { name, exact: true }).click();
  };

  // With script, the journey by keys alone has one.
  it.each(few<readonly [string, boolean]>([['without script', false]], [['with script', true]]))(
    'a refused form has the focus on a summary that leads to its fields, %s',
    async (_, javaScriptEnabled) => {
      const { page, context } = await openPage(browser, { javaScriptEnabled });
      await openAs(service, page, at('api-configurations/new'));
      await page.getByLabel('Target URL').fill('http://example.com/');
      await page.getByLabel('Max Attempts').fill('99');
      if (javaScriptEnabled) await submitUnchecked(page, 'Create');
      else {
        await page.getByLabel('API Configuration Name', { exact: true }).fill('Cases');
        await page.getByRole('button', { name: 'Create', exact: true }).click();
      }
      await page.locator('[data-faults]').waitFor();
      expect(await focused(page)).toMatch(/fields need a change.*Target URL:? .*Max Attempts:? /);
      expect(await page.title()).toMatch(/^Error: /);
      const entry = page.getByRole('link', { name: /^Max Attempts:? / });
      await entry.focus();
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'maxAttempts');
      await page.keyboard.type('3');
      expect(await entry.count()).toBe(javaScriptEnabled ? 0 : 1);
      await context.close();
    },
  );

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
    await openAs(service, page, at('api-configurations/new'));
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
    const person = new ConsoleVisitor(service);
    await person.signIn();
    // The browser of the test shows no `noscript`, even without script.
    expect((await person.get('/console/t/demo/rules')).text).toMatch(
      /<noscript>.*Without JavaScript there is no warning/s,
    );
  });
});
