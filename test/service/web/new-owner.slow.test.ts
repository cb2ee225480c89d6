import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { noBrowser, openBrowser, openPage } from '../../support/browser.ts';
import { createMachine } from '../../support/io.ts';
import { testPassword } from '../../support/members.ts';
import { addPasskeyDevice } from '../../support/passkey-device.ts';
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

it('a new owner follows the link, adds a passkey, generates an API key, and signs the command line in with it', async () => {
  using machine = createMachine();
  const origin = service.origin.replace('127.0.0.1', 'localhost');
  const created = await machine.salon([
    ...['server', 'account', 'create', '--name', 'Studio Luz', '--owner', 'you@example.com'],
    ...['--database', service.database, '--public-url', origin, '--format', 'json'],
  ]);
  const { link } = JSON.parse(created.stdout);
  expect(link).toMatch(`${origin}/invitation/`);

  await using opened = await openPage(browser, { width: 1280, height: 800 });
  const { page, complaints, requested } = opened;
  await addPasskeyDevice(page);
  await page.goto(link);
  await page.getByLabel('Your name').fill('Lu Zamora');
  await page.getByLabel('Password', { exact: true }).fill('seven green umbrellas');
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByText('Welcome to Studio Luz.').waitFor();

  await page.getByRole('link', { name: 'Sign-in and security' }).click();
  await page.getByRole('link', { name: 'Add passkey' }).click();
  await page.getByLabel('Name').fill('My laptop');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByText('The passkey was added.').waitFor();
  await page.getByRole('cell', { name: 'My laptop', exact: true }).waitFor();

  await page.getByRole('button', { name: 'Lu Zamora' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You have signed out.').waitFor();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('heading', { name: 'Account', exact: true, level: 1 }).waitFor();

  const integrations = page.getByRole('navigation', { name: 'Account settings' });
  await integrations.getByRole('heading', { name: 'Integrations' }).waitFor();
  await integrations.getByRole('link', { name: 'API Keys' }).click();
  await page.getByRole('link', { name: 'Generate New Key' }).click();
  await page.getByLabel('Name').fill('My laptop');
  await page.getByLabel('Role', { exact: true }).selectOption('manager');
  await page.getByRole('button', { name: 'Generate New Key' }).click();
  const key = await page.getByLabel('API key', { exact: true }).inputValue();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy API key' }).click();
  await page.getByText('Copied.').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);

  const login = await machine.salon(['auth', 'login', '--base-url', origin, '--with-key'], {
    stdin: `${key}\n`,
  });
  expect([login.exitCode, login.stderr]).toEqual([0, expect.stringContaining('Studio Luz')]);
  const status = await machine.salon(['auth', 'status', '--format', 'json']);
  expect(JSON.parse(status.stdout)).toMatchObject({ role: 'manager' });

  expect(requested.filter((url) => !url.startsWith(`${origin}/`))).toEqual([]);
  expect(complaints).toEqual([]);
});

it('a passkey confirms that it is the person, and is refused after it was removed', async () => {
  let nowMs = Date.now();
  await using other = await openTestService({ now: () => new Date(nowMs) });
  await other.addPerson();
  const origin = other.origin.replace('127.0.0.1', 'localhost');
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
