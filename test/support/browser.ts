import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

/** A page in a browser that has no screen. */
export interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  /** Every address that was asked for, in order; what stands in the page itself (`data:`) is none. */
  readonly requested: readonly string[];
  /** What the browser found fault with: errors of scripts, failed requests, breaches of the page's policy. */
  readonly complaints: readonly string[];
}

/** Where Debian's Chromium is; undefined where it is not installed. */
export const chromiumPath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'chromium'))
  .find((path) => existsSync(path));

/** Why browser tests are passed over on this machine; undefined where they run. In CI they always do. */
export const noBrowser =
  chromiumPath === undefined && process.env['CI'] === undefined
    ? 'There is no chromium on this machine, so its pages are not tested: install it.'
    : undefined;

/** Starts the browser; close it when done. */
export async function openBrowser(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('There is no chromium on this machine: install it.');
  // Its sandbox is not to be had as root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: chromiumPath, args });
}

/** Opens a page that shares nothing with others but the browser. */
export async function openPage(
  browser: Browser,
  viewport: { width: number; height: number },
): Promise<OpenPage> {
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  const requested: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) requested.push(request.url());
  });
  page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  return { page, requested, complaints, [Symbol.asyncDispose]: () => context.close() };
}
