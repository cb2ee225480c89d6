import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { noBrowser, openBrowser, openPage } from '../support/browser.ts';
import { createMachine } from '../support/io.ts';
import { testPassword } from '../support/members.ts';
import { signInOnPage } from '../support/page-checks.ts';
import { addPasskeyDevice } from '../support/passkey-device.ts';
import {
  createHome,
  type Home,
  type RunningService,
  runSalon,
  type StartOptions,
  startService,
} from '../support/salon-process.ts';
import { loginAndVisit } from '../support/sign-in-elsewhere.ts';

const email = 'you@example.com';
const database = 'sqlite:salon.db';

let home: Home;
let service: RunningService;
let browser: Browser;
/** Processes that find no other program, not even Node. */
let alone: StartOptions;
let invitation: string;
beforeAll(async () => {
  home = createHome();
  alone = { home, env: { PATH: '' } };
  const account = ['--name', 'Studio Luz', '--owner', email, '--database', database, '--format', 'json'];
  const created = await runSalon(['server', 'accounts', 'create', ...account], alone);
  invitation = new URL(JSON.parse(created.stdout).link).pathname;
  service = await startService(database, alone);
  if (noBrowser === undefined) browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  service.child.kill('SIGTERM');
  await once(service.child, 'close');
  home[Symbol.dispose]();
});
beforeEach(({ skip }) => skip(noBrowser !== undefined, noBrowser));

it('a new owner joins, signs in with a password and a passkey, connects an app, and uses an API key', async () => {
  const origin = service.origin.replace('127.0.0.1', 'localhost');
  await using opened = await openPage(browser, { width: 1280, height: 800 });
  const { page, complaints, requested } = opened;
  await addPasskeyDevice(page);
  await page.goto(`${origin}${invitation}`);
  await page.getByLabel('Your name').fill('Lu Zamora');
  await page.getByLabel('Password', { exact: true }).fill(testPassword);
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByText('Welcome to Studio Luz.').waitFor();
  await signOut(page);

  await signInOnPage(page, origin, email);
  await page.getByRole('link', { name: 'Sign-in and security' }).click();
  await page.getByRole('link', { name: 'Add passkey' }).click();
  await page.getByLabel('Name').fill('My laptop');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByText('The passkey was added.').waitFor();
  await page.getByRole('cell', { name: 'My laptop', exact: true }).waitFor();
  await signOut(page);

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

  writeFileSync(join(home.folder, 'key'), `${key}\n`, { mode: 0o600 });
  const login = await runSalon(['auth', 'login', '--base-url', origin, '--key-file', 'key'], alone);
  expect([login.exitCode, login.stderr]).toEqual([0, expect.stringContaining('Studio Luz')]);
  const status = await runSalon(['auth', 'status', '--format', 'json'], alone);
  expect(JSON.parse(status.stdout)).toMatchObject({ role: 'manager' });

  await page.goto(`${origin}/docs`);
  await page.locator('.opblock', { hasText: 'List appointments' }).waitFor();
  expect(requested.filter((url) => !url.startsWith(`${origin}/`))).toEqual([]);

  using machine = createMachine();
  const connected = await loginAndVisit(machine, ['--base-url', origin], async (address) => {
    await page.goto(address);
    await page.getByText('salon command line wants to use Studio Luz on your behalf').waitFor();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
    return page.url();
  });
  expect([connected.exitCode, connected.stderr]).toEqual([0, expect.stringContaining('as owner, Lu Zamora')]);
  expect(complaints).toEqual([]);
});

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Lu Zamora' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You have signed out.').waitFor();
}
