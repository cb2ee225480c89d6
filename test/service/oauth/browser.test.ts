import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import axe from 'axe-core';
import * as openid from 'openid-client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noBrowser, openBrowser, openPage } from '../../support/browser.ts';
import { testPassword } from '../../support/members.ts';
import { type OauthScene, openOauthScene } from '../../support/oauth-scene.ts';

const pictures = process.env['SALON_PICTURES'];

describe.skipIf(noBrowser !== undefined)(
  `in a browser${noBrowser === undefined ? '' : ` (${noBrowser})`}`,
  () => {
    let scene: OauthScene;
    let browser: Browser;
    beforeAll(async () => {
      scene = await openOauthScene();
      browser = await openBrowser();
    });
    afterAll(async () => {
      await browser.close();
      await scene[Symbol.asyncDispose]();
    });

    async function signIn(page: Page): Promise<void> {
      await page.getByLabel('Email').fill('ana@salon.example');
      await page.getByLabel('Password', { exact: true }).fill(testPassword);
      await page.keyboard.press('Enter');
    }

    /** Problems that axe finds, and whether the page is wider than the window. */
    async function inspect(page: Page, name: string): Promise<object> {
      await page.evaluate(axe.source);
      const found: axe.AxeResults = await page.evaluate('axe.run()');
      const violations = found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`);
      const width = page.viewportSize()?.width ?? 0;
      if (pictures !== undefined)
        await page.screenshot({ path: `${pictures}/${name}-${width}.png`, fullPage: true });
      const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
      return { violations, isTooWide };
    }

    const fine = { violations: [], isTooWide: false };

    it('a person signs in, allows the command line with the keyboard alone, and returns to it', async () => {
      const received: string[] = [];
      const listener = createServer((request, response) => {
        received.push(request.url ?? '');
        response.end('You can close this window.');
      }).listen(0, '127.0.0.1');
      await new Promise((resolve) => listener.once('listening', resolve));
      const { port } = listener.address() as AddressInfo;
      await using opened = await openPage(browser, { width: 1280, height: 800 });
      const { page, complaints } = opened;
      const redirect_uri = `http://127.0.0.1:${port}/callback`;
      const { url, checks } = await scene.app.begin({ redirect_uri, scope: 'clients:read' });
      await page.goto(url.href);
      await signIn(page);
      await page.getByRole('heading', { name: 'Connect Salon command line' }).waitFor();
      await page.getByRole('button', { name: 'Allow' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('You can close this window.').waitFor();
      const answer = new URL(received[0] ?? '', redirect_uri);
      const tokens = await openid.authorizationCodeGrant(scene.app.config, answer, checks);
      expect(tokens.scope).toBe('clients:read');
      expect(complaints.filter((text) => !text.includes('favicon'))).toEqual([]);
      listener.close();
    });

    it.each([320, 1280])('the pages have no defects that axe finds, and fit %d px', async (width) => {
      await using opened = await openPage(browser, { width, height: 800 });
      const { page, complaints } = opened;
      const origin = new URL(scene.service.origin);
      origin.hostname = 'localhost';
      await page.goto(`${origin.origin}/settings/apps`);
      await signIn(page);
      await page.getByRole('heading', { name: 'Connected apps', level: 1 }).waitFor();
      const { url } = await scene.app.begin();
      await page.goto(url.href);
      expect(await inspect(page, 'consent')).toEqual(fine);
      await page.goto(`${origin.origin}/oauth/authorize?client_id=x`);
      expect(await inspect(page, 'refused')).toEqual(fine);
      const device = await openid.initiateDeviceAuthorization(scene.app.config, { scope: 'clients:read' });
      await page.goto(device.verification_uri_complete ?? '');
      expect(await inspect(page, 'device-code')).toEqual(fine);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('heading', { name: 'Connect Salon command line' }).waitFor();
      expect(await inspect(page, 'device')).toEqual(fine);
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.getByRole('heading', { name: 'Connected' }).waitFor();
      expect(await inspect(page, 'device-end')).toEqual(fine);
      for (const path of ['apps', 'oauth-clients', 'oauth-clients/new']) {
        await page.goto(`${origin.origin}/settings/${path}`);
        expect(await inspect(page, path.replace('/', '-'))).toEqual(fine);
      }
      await page.getByRole('button', { name: 'Add OAuth client' }).click();
      expect(await inspect(page, 'oauth-clients-errors')).toEqual(fine);
      expect(complaints.filter((text) => !/favicon|40\d|422/.test(text))).toEqual([]);
    });
  },
);
