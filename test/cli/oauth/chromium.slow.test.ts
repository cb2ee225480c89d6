import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { noBrowser, openBrowser, openPage } from '../../support/browser.ts';
import { createMachine } from '../../support/io.ts';
import { testPassword } from '../../support/members.ts';
import { findBarriers, readOverflow } from '../../support/page-checks.ts';
import { openTestService, type TestService } from '../../support/service.ts';
import { loginAndVisit } from '../../support/sign-in-elsewhere.ts';

let service: TestService;
let browser: Browser;
beforeAll(async () => {
  service = await openTestService();
  await service.addPerson();
  if (noBrowser === undefined) browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await service[Symbol.asyncDispose]();
});
beforeEach(({ skip }) => skip(noBrowser !== undefined, noBrowser));

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('ana@salon.example');
  await page.getByLabel('Password', { exact: true }).fill(testPassword);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

describe('salon auth login in Chromium', () => {
  it('signs in, asks for consent, returns to the terminal and works', async () => {
    using machine = createMachine();
    await using opened = await openPage(browser, { width: 1280, height: 900 });
    const { page, requested } = opened;
    const ran = await loginAndVisit(machine, ['--base-url', service.origin], async (address) => {
      await page.goto(address);
      await signIn(page);
      await page.getByText('salon command line wants to use Test salon on your behalf').waitFor();
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await page.setViewportSize({ width: 320, height: 640 });
      expect(await readOverflow(page)).toBe(0);
      return page.url();
    });
    expect(ran.stderr).toContain('Signed in to Test salon (pro) as owner, Ana Costa');
    expect(ran.exitCode).toBe(0);
    expect(new URL(ran.page)).toMatchObject({ hostname: '127.0.0.1', pathname: '/callback' });
    const hosts = new Set(requested.map((url) => new URL(url).hostname));
    expect([...hosts].sort()).toEqual(['127.0.0.1', 'localhost']);
    expect((await machine.salon(['clients', 'list'])).exitCode).toBe(0);
  });

  it('connects with a code that is typed on another device', async () => {
    using machine = createMachine();
    await using opened = await openPage(browser, { width: 320, height: 640 });
    const { page } = opened;
    const argv = ['--base-url', service.origin, '--device'];
    const ran = await loginAndVisit(machine, argv, async (address, code) => {
      await page.goto(address);
      if (await page.getByLabel('Password', { exact: true }).isVisible()) await signIn(page);
      await page.getByLabel('Code').fill(code.toLowerCase());
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.getByText('You can close this page').waitFor();
      return page.url();
    });
    expect(ran.stderr).toContain('Signed in to Test salon (pro) as owner, Ana Costa');
    expect(ran.exitCode).toBe(0);
  });
});
