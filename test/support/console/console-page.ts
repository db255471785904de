import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Cloud } from '../../../cdk/local/cloud.ts';
import { eventually } from '../cloud/local-cloud.ts';
import type { RunningService } from '../cloud/running-service.ts';
import { ConsoleVisitor, DEMO_PASSWORD } from './console-visitor.ts';

/**
 * Opens a page of the console in the session of a person who has signed in over HTTP: for tests that are not about
 * signing in, of which the form costs two pages. @param url the page, with its origin
 */
export async function openAs(service: RunningService, page: Page, url: string, name = 'demo'): Promise<void> {
  const visitor = new ConsoleVisitor(service);
  expect((await visitor.signIn(name)).status).toBe(303);
  const { apiUrl } = service.cloud;
  await page.context().addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url: apiUrl })));
  await page.goto(url);
}

/** Signs in, and waits for the page of the console to which that leads. @param url the page, with its origin */
export async function signInTo(page: Page, url: string, { name = 'demo', hands = byMouse } = {}): Promise<void> {
  const { origin, pathname, search } = new URL(url);
  await page.goto(`${origin}/console/sign-in?return=${encodeURIComponent(`${pathname}${search}`)}`);
  await signInHere(page, { name, hands });
  await page.waitForURL(url);
}

/** Fills and sends the form of the page for signing in. */
export async function signInHere(page: Page, { name = 'demo', hands = byMouse } = {}): Promise<void> {
  await hands.fill(page.getByLabel('Name', { exact: true }), name);
  await hands.fill(page.getByLabel('Password'), DEMO_PASSWORD);
  await hands.press(page.getByRole('button', { name: 'Sign in' }));
}

/** Waits for the notice of a change on the page that it led to. Its script takes the notice out of the address at once. */
export async function showsNotice(page: Page, url: string, text: string): Promise<void> {
  await page.locator('[data-notice]', { hasText: text }).waitFor();
  await page.waitForURL(url);
}

/** Loads the page again until a state has this label: what a person without script does. */
export const showsState = (cloud: Cloud, page: Page, label: string) =>
  eventually(
    cloud,
    async () => {
      if (await page.locator('.badge', { hasText: label }).first().isVisible()) return true;
      // The page's own script may be loading it at this moment.
      await page.reload().catch(() => undefined);
      return false;
    },
    (isShown) => isShown,
  );

/** How a person works a page. */
export interface Hands {
  /** Follows a link, or presses a button. */
  press(target: Locator): Promise<void>;
  /** Replaces what a field holds. */
  fill(target: Locator, text: string): Promise<void>;
  /** @param value of the option */
  choose(target: Locator, value: string): Promise<void>;
  tick(target: Locator): Promise<void>;
}

export const byMouse: Hands = {
  press: (target) => target.click(),
  fill: (target, text) => target.fill(text),
  choose: async (target, value) => void (await target.selectOption(value)),
  tick: (target) => target.check(),
};

export const byKeys: Hands & { readonly focus: (target: Locator) => Promise<void> } = {
  focus: (target) => reach(target),
  async press(target) {
    await reach(target);
    await target.page().keyboard.press('Enter');
  },
  async fill(target, text) {
    await reach(target);
    await target.page().keyboard.press('ControlOrMeta+A');
    await target.page().keyboard.type(text);
  },
  async choose(target, value) {
    await reach(target);
    const options = await target.locator('option').count();
    await target.page().keyboard.press('Home');
    for (let step = 0; step < options; step += 1) {
      if ((await target.inputValue()) === value) return;
      await target.page().keyboard.press('ArrowDown');
    }
    throw new Error(`No key chooses ${value}.`);
  },
  async tick(target) {
    await reach(target);
    await target.page().keyboard.press('Space');
  },
};

/** More than any page has places to stop at, with the address bar's return to the first one. */
const STEPS_MAX = 250;

/** Goes on with Tab until the target has the focus, which can be seen at every stop. Skips what is before the content. */
async function reach(target: Locator): Promise<void> {
  await target.waitFor();
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const { isReached, isSkipLink, hidden } = await target.evaluate(stopAt);
    if (hidden !== undefined) throw new Error(`The focus cannot be seen on the way to ${target.toString()}: ${hidden}`);
    if (isReached) return;
    await target.page().keyboard.press(isSkipLink ? 'Enter' : 'Tab');
  }
  throw new Error(`No Tab leads to ${target.toString()}.`);
}

/** Returns whether the focus is on the target, or on a link that skips to it, and the element if its focus cannot be seen. */
function stopAt(target: Element) {
  const stop = document.activeElement ?? document.body;
  const isReached = stop === target;
  const isSkipLink = stop.matches('a.skip') && target.closest('main') !== null;
  // A page that has just opened has the focus on nothing, or on its content.
  if (stop === document.body || stop.matches('main')) return { isReached, isSkipLink, hidden: undefined };
  const { top, bottom, left, right } = stop.getBoundingClientRect();
  const isInView = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
  // A part of a picture is lit instead.
  const isMarked = getComputedStyle(stop).outlineStyle !== 'none' || stop.matches('.lit');
  return { isReached, isSkipLink, hidden: isInView && isMarked ? undefined : stop.outerHTML.slice(0, 200) };
}
