import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, it } from 'vitest';
import { noBrowser, openBrowser, openPage } from '../../support/browser.ts';
import { testPassword } from '../../support/members.ts';
import { addPasskeyDevice } from '../../support/passkey-device.ts';
import { openTestService } from '../../support/service.ts';

let browser: Browser;
beforeAll(async () => {
  if (noBrowser === undefined) browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
});
beforeEach(({ skip }) => skip(noBrowser !== undefined, noBrowser));

it('a passkey confirms that it is the person, and is refused after it was removed', async () => {
  let nowMs = Date.now();
  await using service = await openTestService({ now: () => new Date(nowMs) });
  await service.addPerson();
  const origin = service.origin.replace('127.0.0.1', 'localhost');
  await using opened = await openPage(browser, { width: 1280, height: 800 });
  const { page } = opened;
  await addPasskeyDevice(page);
  await page.goto(`${origin}/settings/security/passkeys/new`);
  await page.getByLabel('Email').fill('ana@salon.example');
  await page.getByLabel('Password', { exact: true }).fill(testPassword);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByText('The passkey was added.').waitFor();
  await page.getByRole('link', { name: 'Add passkey' }).click();
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByText('This device has a passkey for you already.').waitFor();

  nowMs += 3 * 3_600_000;
  await page.goto(`${origin}/settings/security`);
  await page.getByRole('link', { name: /^Remove Chrome/ }).click();
  await page.getByRole('heading', { name: "Confirm that it's you" }).waitFor();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('button', { name: 'Remove passkey' }).click();
  await page.getByText('The passkey was removed.').waitFor();

  await page.context().clearCookies();
  await page.goto(`${origin}/sign-in`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText('This passkey was not accepted.').first().waitFor();
});
