import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/**
 * Chromium of this machine; undefined where there is none. Debian's packages are `chromium-headless-shell`, which has
 * no windows and takes half of the processor time, and `chromium`.
 */
export function chromiumPath(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return ['chromium-headless-shell', 'chromium', 'chromium-browser']
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find(existsSync);
}

/** It must neither ask the network for anything of its own, nor draw with what a machine may not have. */
const ARGUMENTS = [
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--force-color-profile=srgb',
];

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath() ?? 'chromium',
    // Its sandbox refuses to run as root.
    args: [...ARGUMENTS, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });

/** A page, and all that went wrong on it: errors of its console, exceptions, and violations of its policy. */
export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly faults: readonly string[];
}

export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 }, ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('dialog', (dialog) => {
    faults.push(`A dialog says: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { page, context, faults };
}
