import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';

/** What outsiders may send in the hope that a page takes it for HTML. Whatever element comes of it is `planted`. */
export const HOSTILE = [
  `"'></title></textarea></option></noscript>`,
  '<img class=planted src=x onerror="alert(1)">',
  '<svg class=planted onload=alert(2)><style>*{display:none}</style></svg>',
  '<script>alert(3)</script><!--<b class=planted>-->',
  '<a class=planted href="javascript:alert(4)">here</a>{{7*7}}${7*7}',
].join('');

/** For names, which are short, and for what a reason repeats of a line. */
export const HOSTILE_NAME = '<img class=planted src=x onerror=alert(5)>';

/** Quotes and a backslash, for the queries and addresses that are made of ids. */
export const HOSTILE_ID = String.raw`7" OR id:* \<b class=planted onclick='alert(6)'>/../?a=%00#b`;

/** Elements that text of outsiders has made, and what the policy of the console refuses to run or to apply. */
const PLANTED = (root: ParentNode) =>
  [...root.querySelectorAll('*')]
    .filter(
      (element) =>
        element.matches('.planted, script:not([src^="/console/assets/"])') ||
        element.getAttributeNames().some((name) => name === 'style' || name.startsWith('on')) ||
        /^\s*(javascript|data):/i.test(element.getAttribute('href') ?? element.getAttribute('src') ?? ''),
    )
    .map(({ outerHTML }) => outerHTML);

/** Returns the planted elements of a page. */
export const plantedIn = (page: Page): Promise<string[]> => page.evaluate(`(${PLANTED.toString()})(document)`);

/** Nothing on the page was made of text that outsiders have sent. @param text stands there as it was sent */
export async function expectTextOnly(page: Page, text?: string): Promise<void> {
  expect(await plantedIn(page), page.url()).toEqual([]);
  if (text === undefined) return;
  const content = await page.evaluate(() =>
    [document.body.textContent, ...[...document.querySelectorAll('input')].map(({ value }) => value)].join('\n'),
  );
  expect(content, page.url()).toContain(text);
}

/** An answer with the text of outsiders that it must show, if any. */
export interface HostileAnswer {
  readonly path: string;
  readonly html: string;
  readonly text?: string | undefined;
}

/** The same of answers that the browser parses and does not show: for pages whose script adds nothing to them. */
export async function expectTextOnlyIn(browser: Browser, answers: readonly HostileAnswer[]): Promise<void> {
  const page = await browser.newPage();
  try {
    // Not below the policy of the console, which refuses to parse text.
    await page.addScriptTag({ content: `const planted = ${PLANTED.toString()};` });
    const parsed = await page.evaluate(
      (all) =>
        all.map((html) => {
          const { body, documentElement } = new DOMParser().parseFromString(html, 'text/html');
          const values = [...body.querySelectorAll('input')].map(({ value }) => value);
          // @ts-expect-error -- the script of above
          return { made: planted(documentElement) as string[], content: [body.textContent, ...values].join('\n') };
        }),
      answers.map(({ html }) => html),
    );
    for (const [index, { path, text }] of answers.entries()) {
      const { made, content } = parsed[index] ?? {};
      expect(made, path).toEqual([]);
      expect(content, path).toContain(text ?? '');
    }
  } finally {
    await page.close();
  }
}
