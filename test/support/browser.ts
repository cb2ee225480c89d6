import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

/** A page in a headless browser. */
export interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  /** The URLs requested, in order, except `data:`. */
  readonly requested: readonly string[];
  /** Script errors, failed requests and CSP violations. */
  readonly complaints: readonly string[];
}

/** The path of Debian's Chromium; undefined if it is not installed. */
const chromiumPath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'chromium'))
  .find((path) => existsSync(path));

/** Why browser tests are skipped on this machine; undefined if they run, as they always do in CI. */
export const noBrowser =
  chromiumPath === undefined && process.env['CI'] === undefined
    ? 'There is no chromium on this machine, so its pages are not tested: install it.'
    : undefined;

/** For the start, and for one step in a page, on a busy machine. */
const patienceMs = 100_000;

/** Starts the browser; close it when done. */
export async function openBrowser(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('There is no chromium on this machine: install it.');
  // The sandbox is not available to root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: chromiumPath, args, timeout: patienceMs });
}

/** Opens a page in a new browser context. */
export async function openPage(
  browser: Browser,
  viewport: { width: number; height: number },
  { javaScriptEnabled = true } = {},
): Promise<OpenPage> {
  const context = await browser.newContext({ viewport, javaScriptEnabled });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  const requested: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) requested.push(request.url());
  });
  page.on('requestfailed', (request) => {
    // What a page still loads is aborted when the next one is opened.
    const reason = request.failure()?.errorText;
    if (reason !== 'net::ERR_ABORTED') complaints.push(`${reason}: ${request.url()}`);
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  return { page, requested, complaints, [Symbol.asyncDispose]: () => context.close() };
}
