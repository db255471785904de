import type { Page } from 'playwright-core';
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

/** Nothing on the page was made of text that outsiders have sent. @param text stands there as it was sent */
export async function expectTextOnly(page: Page, text?: string): Promise<void> {
  const made = await page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .filter(
        (element) =>
          element.matches('.planted, script:not([src^="/console/assets/"])') ||
          element.getAttributeNames().some((name) => name === 'style' || name.startsWith('on')) ||
          /^\s*(javascript|data):/i.test(element.getAttribute('href') ?? element.getAttribute('src') ?? ''),
      )
      .map(({ outerHTML }) => outerHTML),
  );
  expect(made, page.url()).toEqual([]);
  if (text === undefined) return;
  const content = await page.evaluate(() =>
    [document.body.textContent, ...[...document.querySelectorAll('input')].map(({ value }) => value)].join('\n'),
  );
  expect(content, page.url()).toContain(text);
}
