import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { noBrowser, type OpenPage, openBrowser, openPage } from '../../support/browser.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let browser: Browser;
beforeAll(async () => {
  service = await openTestService();
  if (noBrowser === undefined) browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await service[Symbol.asyncDispose]();
});
beforeEach(({ skip }) => skip(noBrowser !== undefined, noBrowser));

/** One page for all: it takes seconds to draw every operation. */
describe('the API reference', () => {
  let opened: OpenPage;
  beforeAll(async () => {
    if (noBrowser !== undefined) return;
    opened = await openPage(browser, { width: 1200, height: 900 });
    await opened.page.goto(`${service.origin}/docs`);
  });
  afterAll(() => opened?.[Symbol.asyncDispose]());

  it('finds an operation and shows its fields and badge, with no foreign request or CSP violation', async () => {
    const { page, requested, complaints } = opened;
    const operations = page.locator('.opblock-tag-section .opblock');
    await operations.first().waitFor();
    const all = await operations.count();

    await page.getByLabel('Search operations').fill('post add stylist');
    const found = operations.filter({ hasText: 'Add a stylist' });
    await found.waitFor();
    await expect.poll(() => operations.count()).toBe(1);
    expect(await found.locator('.salon-badge').textContent()).toBe('extension');

    await found.locator('.opblock-summary-control').click();
    const body = found.locator('.opblock-section-request-body').getByRole('tabpanel');
    await body.getByText('"first_name"').waitFor();
    await found.getByRole('tab', { name: 'Schema' }).first().click();
    await body.getByText('display_name').waitFor();

    const readWidth = () => page.evaluate<number>('document.documentElement.scrollWidth');
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await readWidth(), 'it fits on a small screen').toBe(390);
    await page.setViewportSize({ width: 1200, height: 900 });

    await page.getByLabel('Search operations').fill('');
    await expect.poll(() => operations.count()).toBe(all);
    const first = page.locator('.opblock', { hasText: 'List appointments' });
    expect(await first.locator('.salon-badge').textContent()).toBe('documented');
    expect(await readWidth()).toBe(1200);
    expect(requested.filter((url) => !url.startsWith(`${service.origin}/`))).toEqual([]);
    expect(requested).toContain(`${service.origin}/openapi.json`);
    expect(complaints).toEqual([]);
  });

  it('shows an example event, sends a request with a key, and cannot send foreign requests', async () => {
    const { page, complaints } = opened;
    const webhook = page.locator('.opblock', { hasText: 'booking.cancelled' });
    await webhook.locator('.opblock-summary-control').click();
    await webhook.getByRole('tabpanel').getByText('cancellation_reason').first().waitFor();

    await page.getByRole('button', { name: 'Authorize' }).first().click();
    // The other ways to sign in have a form of their own.
    const bearer = page.locator('.auth-container').filter({ hasText: 'http, Bearer' });
    await bearer.locator('input').fill(service.keys.viewer);
    await bearer.locator('.auth-btn-wrapper').getByText('Authorize').click();
    await bearer.locator('.auth-btn-wrapper').getByText('Close').click();
    const me = page.locator('.opblock', { hasText: 'Get the account, role and scopes' });
    await me.locator('.opblock-summary-control').click();
    await me.getByRole('button', { name: 'Try it out' }).click();
    await me.getByRole('button', { name: 'Execute' }).click();
    const response = me.locator('.live-responses-table');
    await response.getByText('Test salon').waitFor();
    expect(await response.textContent()).toContain('"viewer"');
    expect(complaints).toEqual([]);

    await page.evaluate("fetch('http://127.0.0.1:9/').catch(() => {})");
    await expect.poll(() => complaints.join()).toContain('Content Security Policy');
  });
});

describe('the problem pages', () => {
  it('are listed on a small screen, and link to the API reference', async () => {
    await using opened = await openPage(browser, { width: 390, height: 844 });
    const { page, requested, complaints } = opened;
    await page.goto(`${service.origin}/problems`);
    await page.getByRole('link', { name: 'Not found' }).click();
    await page.getByRole('heading', { name: 'What to do' }).waitFor();
    expect(page.url()).toBe(`${service.origin}/problems/not-found`);
    expect(await page.locator('pre').textContent()).toContain('"code": "not_found"');
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(390);
    expect(await page.getByRole('link', { name: 'API reference' }).getAttribute('href')).toBe('/docs');
    expect(requested.filter((url) => !url.startsWith(`${service.origin}/`))).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
