import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { settingsPages } from '../../../../src/service/web/page-list.ts';
import { noBrowser, openBrowser, openPage } from '../../../support/browser.ts';
import { testPassword } from '../../../support/members.ts';
import { findBarriers, readOverflow, signInOnPage } from '../../../support/page-checks.ts';
import { openTestService, type TestService } from '../../../support/service.ts';

const name = 'Zé Pereira da Silva e Albuquerque';

let service: TestService;
let origin: string;
let memberId: string;
let browser: Browser;
beforeAll(async () => {
  service = await openTestService();
  origin = service.origin.replace('127.0.0.1', 'localhost');
  await service.addPerson();
  const [stylistId = ''] = service.stylistIds;
  memberId = await service.addPerson({ email: 'ze@salon.example', name, role: 'stylist', stylistId });
  await service.addPerson({ accountId: (await service.addAccount()).id, role: 'viewer' });
  if (noBrowser === undefined) browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await service[Symbol.asyncDispose]();
});
beforeEach(({ skip }) => skip(noBrowser !== undefined, noBrowser));

/** Every page that can be opened without a record of its own, and those of a member. */
function listPaths(): string[] {
  const own = settingsPages.map(({ path }) => path).filter((path) => !path.includes(':'));
  return [...own, `/settings/team/${memberId}`, `/settings/team/${memberId}/deactivate`];
}

const looks = [
  { look: '320 px wide', size: { width: 320, height: 640 }, colorScheme: 'light', rules: undefined },
  // The same HTML: only colours differ.
  {
    look: '1280 px wide and dark',
    size: { width: 1280, height: 800 },
    colorScheme: 'dark',
    rules: ['color-contrast'],
  },
] as const;

it('pages, narrow or wide and dark, have no barriers, fit, and load nothing from elsewhere', {
  timeout: 600_000,
}, async () => {
  await using opened = await openPage(browser, looks[0].size);
  const { page, requested, complaints } = opened;
  const found: Record<string, unknown> = {};
  const check = async (path: string) => {
    await page.goto(`${origin}${path}`);
    for (const { look, size, colorScheme, rules } of looks) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme });
      const [barriers, overflow] = [await findBarriers(page, rules), await readOverflow(page)];
      if (barriers.length > 0 || overflow > 0) found[`${path}, ${look}`] = { barriers, overflow };
    }
  };
  for (const path of ['/sign-in', '/reset']) await check(path);
  await signInOnPage(page, origin);
  for (const path of [...listPaths(), '/sign-in/confirm', '/sign-out']) await check(path);
  expect(found).toEqual({});
  expect(requested.filter((url) => !url.startsWith(`${origin}/`))).toEqual([]);
  expect(complaints).toEqual([]);
});

it('a form with something wrong says what, without a barrier, and puts the focus there', async () => {
  await using opened = await openPage(browser, looks[0].size);
  const { page } = opened;
  await page.goto(`${origin}/sign-in`);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  const summary = page.getByRole('alert').filter({ hasText: 'There is a problem' });
  await summary.waitFor();
  await expect.poll(() => hasFocus(summary)).toBe(true);
  for (const { look, size, colorScheme, rules } of looks) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    expect(await findBarriers(page, rules), look).toEqual([]);
  }
  await page.getByRole('link', { name: 'Enter your password.' }).click();
  await expect.poll(() => hasFocus(page.getByLabel('Password', { exact: true }))).toBe(true);
});

function hasFocus(element: Locator): Promise<boolean> {
  return element.evaluate((found) => found.matches(':focus'));
}

describe('the keyboard alone', () => {
  /** Presses Tab until something with this name has the focus, which is seen every time. */
  async function tabTo(page: Page, label: string): Promise<void> {
    for (let count = 0; count < 60; count++) {
      await page.keyboard.press('Tab');
      const focus = await page.evaluate<{ text: string; isSeen: boolean }>(describeFocus);
      expect(focus, `the focus at ${focus.text}`).toMatchObject({ isSeen: true });
      if (focus.text === label) return;
    }
    throw new Error(`Tab does not reach ${label}.`);
  }

  it('signs in, opens menus, changes a name, and signs out', async () => {
    await using opened = await openPage(browser, { width: 320, height: 640 });
    const { page } = opened;
    await page.goto(`${origin}/sign-in`);
    await page.keyboard.type('ana@salon.example');
    await tabTo(page, 'Password');
    await page.keyboard.type(testPassword);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/settings/account');

    await tabTo(page, 'Menu');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Sign-in and security');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('navigation', { name: 'Account settings' }).isVisible()).toBe(false);

    await page.reload();
    await tabTo(page, 'Skip to content');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Your name');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Ana Maria Costa');
    await tabTo(page, 'Save');
    await page.keyboard.press('Enter');
    await page.getByText('Your name was changed.').waitFor();

    await tabTo(page, 'Ana Maria Costa');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Sign out');
    await page.keyboard.press('Enter');
    await page.getByText('You have signed out.').waitFor();
  });
});

/** The label of what has the focus, and whether one can see where it is. */
const describeFocus = `(() => {
  const element = document.activeElement;
  const label = (element.labels?.[0] ?? element).cloneNode(true);
  for (const hidden of label.querySelectorAll('[aria-hidden]')) hidden.remove();
  const text = label.textContent;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  const isInside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  const hasOutline = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
  return { text: text.trim(), isSeen: element === document.body || (isInside && hasOutline) };
})()`;

it('without scripts, everything works but passkeys and the copy button', async () => {
  await using opened = await openPage(browser, looks[1].size, { javaScriptEnabled: false });
  const { page } = opened;
  await signInOnPage(page, origin);
  await page.getByRole('link', { name: 'API Keys' }).click();
  await page.getByRole('link', { name: 'Generate New Key' }).click();
  await page.getByLabel('Name').fill('Till');
  await page.getByRole('button', { name: 'Generate New Key' }).click();
  expect(await page.getByLabel('API key', { exact: true }).inputValue()).toMatch(/^slk_/);
  expect(await page.getByRole('button', { name: 'Copy API key' }).isVisible()).toBe(false);
  await page.goto(`${origin}/settings/security/passkeys/new`);
  await page.locator('noscript .notice').waitFor();
  await page.getByRole('button', { name: 'Ana' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You have signed out.').waitFor();
  expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible()).toBe(false);
});

describe('the form for an API key', () => {
  const visible = async (page: Page) => {
    const labels = { stylist: '#stylist_id', scopes: '#scopes', date: '#expires_on' };
    const shown = Object.entries(labels).map(async ([name, selector]) =>
      (await page.locator(selector).isVisible()) ? [name] : [],
    );
    return (await Promise.all(shown)).flat();
  };

  it('shows Stylist, Scopes and Expiry date only where they apply, or have a value', async () => {
    await using opened = await openPage(browser, looks[1].size);
    const { page } = opened;
    await signInOnPage(page, origin);
    await page.goto(`${origin}/settings/api-keys/new`);
    expect(await visible(page)).toEqual([]);
    await page.getByLabel('Role', { exact: true }).selectOption('stylist');
    expect(await visible(page)).toEqual(['stylist']);
    await page.getByLabel('Only the scopes chosen below').check();
    await page.getByLabel('Expires').selectOption('date');
    expect(await visible(page)).toEqual(['stylist', 'scopes', 'date']);
    await page.getByLabel('clients:read').check();
    await page.getByLabel('Everything the role allows').check();
    await page.getByLabel('Role', { exact: true }).selectOption('viewer');
    expect(await visible(page)).toEqual(['scopes', 'date']);
    await page.getByLabel('Expiry date').fill('2031-01-01');
    await page.getByLabel('Expires').selectOption('never');
    expect(await visible(page)).toEqual(['scopes']);
    await page.getByLabel('clients:read').uncheck();
    await page.getByLabel('Name').fill('Till');
    await page.getByRole('button', { name: 'Generate New Key' }).click();
    // The date that was left behind can be seen and cleared.
    await page.getByText('Choose "On a date", or clear the date.').first().waitFor();
    expect(await visible(page)).toEqual(['date']);
  });

  it('shows everything, and works, in a browser without :has', async () => {
    await using opened = await openPage(browser, looks[1].size);
    const { page } = opened;
    await page.route('**/*.css*', async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      await route.fulfill({ response, body: text.replaceAll(':has(', ':unknown(') });
    });
    await signInOnPage(page, origin);
    await page.goto(`${origin}/settings/api-keys/new`);
    expect(await visible(page)).toEqual(['stylist', 'scopes', 'date']);
    await page.getByLabel('Name').fill('Till');
    await page.getByRole('button', { name: 'Generate New Key' }).click();
    await page.getByText('not shown again').first().waitFor();
  });
});
