import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { isDescribedRequest } from '../contract/described-calls.ts';
import { plantedIn } from '../faults/hostile-text.ts';
import { isThorough } from '../runner/thoroughness.ts';
import { openPage } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/**
 * What axe-core finds on a page, one line each. Its script is evaluated by the debugger: the policy of the page allows
 * no other script than its own.
 */
async function accessibilityFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (rules?.length === 0) return [];
  const client = await page.context().newCDPSession(page);
  try {
    const { result: axeType } = await client.send('Runtime.evaluate', { expression: 'typeof axe' });
    if (axeType.value === 'undefined') await client.send('Runtime.evaluate', { expression: AXE });
    const only = rules ? { runOnly: { type: 'rule', values: rules } } : { rules: { 'target-size': { enabled: true } } };
    const { result, exceptionDetails } = await client.send('Runtime.evaluate', {
      expression: `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...only })}).then(JSON.stringify)`,
      awaitPromise: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    const { violations } = JSON.parse(String(result.value)) as AxeResult;
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ''}`),
    );
  } finally {
    await client.detach();
  }
}

/** What stands out of the page at its right, and would have to be scrolled to. */
const widerThanScreen = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Tables whose last columns, mostly what can be done with a row, would have to be scrolled to; one line each. */
const hiddenColumns = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main .scroll')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map((one) => `${one.getAttribute('aria-label')} is ${one.scrollWidth - one.clientWidth} px too wide`),
  );

/**
 * What axe-core does not look for: names that several links or buttons of the page share, required fields without the
 * word, rows without a header, and what no Tab reaches.
 */
const OWN_CHECKS = () => {
  const shows = (element: Element) => (element as HTMLElement).checkVisibility({ visibilityProperty: true });
  const nameOf = (element: Element) => (element.getAttribute('aria-label') ?? element.textContent).trim();
  const all = (selector: string) => [...document.querySelectorAll(selector)].filter(shows);
  const acts = new Map<string, Set<string>>();
  for (const element of all('main a[href], main button')) {
    const fields = element.closest('form')?.querySelectorAll('input[type="hidden"]:not([name="form"])') ?? [];
    const own = [...element.attributes].filter(({ name }) => /^(data-|name$|value$|href$)/.test(name));
    const act = [
      element.closest('form')?.getAttribute('action') ?? '',
      ...own.map(({ value }) => value),
      ...[...fields].map((field) => (field as HTMLInputElement).value),
    ].join(' ');
    const name = `${element.tagName} "${nameOf(element)}"`;
    acts.set(name, (acts.get(name) ?? new Set()).add(act));
  }
  const marked = (field: Element) => field.closest('div, fieldset')?.querySelector('.required');
  return [
    ...[...acts].filter(([, ways]) => ways.size > 1).map(([name, ways]) => `${name} stands for ${ways.size} things`),
    ...all('main :required:not([type="radio"])')
      .filter((field) => !marked(field))
      .map((field) => `${field.id} is required, and does not say so`),
    ...all('main tbody tr')
      .filter((row) => row.querySelectorAll('th[scope="row"]').length !== 1)
      .map((row) => `a row without a header: ${row.textContent}`),
    // The places of a map stand in the list beside it, too.
    ...all('a[href]:not(svg *), button, input, select, textarea, summary')
      .filter((stop) => (stop as HTMLElement).tabIndex < 0)
      .map((stop) => `no Tab reaches ${stop.outerHTML.slice(0, 200)}`),
  ];
};

/** Forms of the person's own sign-in, and of the steps of an import, which the page of its upload describes. */
const WITHOUT_CALL = /^\/console\/(password|second-factor|sign-out|sign-in)|\/imports\/-\//;

/** The forms of the page without the call of the API that does the same, and the calls that the contract refuses. */
async function callFaults(page: Page): Promise<string[]> {
  const actions = await page.evaluate(() =>
    [...document.querySelectorAll('main form[method="post"]:not(:has(.read-only))')].map(
      (form) => form.getAttribute('action') ?? '',
    ),
  );
  const commands = await page.locator('.api-calls pre').allTextContents();
  const hasForm = actions.some((action) => !WITHOUT_CALL.test(action));
  return [
    ...(hasForm && commands.length === 0 ? [`${actions.join(', ')} without a call of the API`] : []),
    ...commands.filter((command) => !isDescribedCommand(command)).map((command) => `not in the contract: ${command}`),
  ];
}

function isDescribedCommand(command: string): boolean {
  const [, method = '', path = ''] = /^curl -X (\w+) "\$API_URL([^"]+)"/.exec(command) ?? [];
  const body = /-d '(.*)'$/s.exec(command)?.[1]?.replaceAll("'\\''", "'");
  return isDescribedRequest(method, path, body === undefined ? undefined : JSON.parse(body));
}

const DRAWN = ['color-contrast', 'link-in-text-block'];

/** How a page is looked at. The rules are all, or those that may find something else there than in light. */
interface Form {
  readonly look: string;
  readonly colorScheme: 'light' | 'dark';
  readonly viewport: { readonly width: number; readonly height: number };
  readonly rules?: readonly string[];
}

const IN_LIGHT: Form = { look: 'in light', colorScheme: 'light', viewport: { width: 1_440, height: 900 } };
const IN_DARK: Form = { ...IN_LIGHT, look: 'in dark', colorScheme: 'dark', rules: DRAWN };
const AT_1024_PX: Form = { ...IN_LIGHT, look: 'at 1,024 px', viewport: { width: 1_024, height: 768 }, rules: [] };
const AT_360_PX: Form = { look: 'at 360 px', colorScheme: 'light', viewport: { width: 360, height: 780 } };

export const EVERY_FORM: readonly Form[] = [IN_LIGHT, IN_DARK, AT_1024_PX, AT_360_PX];

/** In `npm test` axe looks at most pages in light only: the forms differ by one style sheet. */
const FORMS: readonly Form[] = isThorough ? EVERY_FORM : [IN_LIGHT, AT_1024_PX, { ...AT_360_PX, rules: [] }];

/** What keeps people from using a page as it stands, in each form; one line each. */
export async function hindrances(page: Page, what: string, forms = FORMS): Promise<string[]> {
  const faults: string[] = [];
  for (const { look, colorScheme, viewport, rules } of forms) {
    // A colour that is just fading would be measured.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(viewport);
    const wider = await widerThanScreen(page);
    faults.push(
      ...(await accessibilityFaults(page, rules)).map((fault) => `${what} ${look}: ${fault}`),
      ...(look === 'in light'
        ? [...(await page.evaluate(OWN_CHECKS)), ...(await callFaults(page))].map((fault) => `${what}: ${fault}`)
        : []),
      ...(wider > 0 ? [`${what} ${look}: ${wider} px wider than the screen`] : []),
      ...(await hiddenColumns(page)).map((fault) => `${what} ${look}: ${fault}`),
    );
  }
  return faults;
}

interface Look {
  readonly what: string;
  readonly html: string;
}

/**
 * Pages to look at. Thorough tests open each and look at it in each form. Others put what they have seen of the pages
 * into one document, one after the other: it has the style sheet and axe already, for a third of the time.
 */
export class PageLooks {
  readonly #looks: Look[] = [];
  readonly #hindrances: string[] = [];

  /** Looks at the page as it stands once all of it has arrived. */
  async look(page: Page, what: string): Promise<void> {
    await page.waitForLoadState();
    if (isThorough) this.#hindrances.push(...(await hindrances(page, what)), ...(await plantedFaults(page, what)));
    else this.#looks.push({ what, html: await page.content() });
  }

  /** Looks at other pages of the person who uses the page. @param base the address that the paths are relative to */
  async lookAt(page: Page, base: string, paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      const url = new URL(path, base).href;
      if (isThorough) {
        await page.goto(url);
        await this.look(page, path);
      } else this.#looks.push({ what: path, html: await (await page.request.get(url)).text() });
    }
  }

  /** Returns what keeps people from using the pages. @param origin of the console */
  async hindrances(browser: Browser, origin: string): Promise<string[]> {
    if (this.#looks.length === 0) return this.#hindrances;
    // The policy of the console refuses to parse text.
    const { page, context } = await openPage(browser, { bypassCSP: true });
    await page.goto(`${origin}/console/sign-in`);
    const faults: string[] = [];
    for (const form of FORMS) {
      for (const { what, html } of this.#looks) {
        await page.evaluate(showPage, html);
        faults.push(...(await hindrances(page, what, [form])));
        if (form === IN_LIGHT) faults.push(...(await plantedFaults(page, what)));
      }
    }
    await context.close();
    return faults;
  }
}

const plantedFaults = async (page: Page, what: string): Promise<string[]> =>
  (await plantedIn(page)).map((fault) => `${what}: ${fault}`);

function showPage(html: string): void {
  const next = new DOMParser().parseFromString(html, 'text/html');
  document.title = next.title;
  document.documentElement.lang = next.documentElement.lang;
  document.body.replaceWith(document.adoptNode(next.body));
}
