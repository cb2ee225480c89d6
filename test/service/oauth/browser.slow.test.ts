import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as openid from 'openid-client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { noBrowser, openBrowser, openPage } from '../../support/browser.ts';
import { type OauthScene, openOauthScene } from '../../support/oauth-scene.ts';
import { findBarriers, readOverflow, signInOnPage } from '../../support/page-checks.ts';

let scene: OauthScene;
let origin: string;
let browser: Browser;
beforeAll(async () => {
  scene = await openOauthScene();
  origin = scene.service.origin.replace('127.0.0.1', 'localhost');
  if (noBrowser === undefined) browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await scene[Symbol.asyncDispose]();
});
beforeEach(({ skip }) => skip(noBrowser !== undefined, noBrowser));

/** The loopback listener of an app, which receives one request. */
async function openListener() {
  const received = Promise.withResolvers<string>();
  const server = createServer((request, response) => {
    response.end('You can close this window.');
    if (request.url?.startsWith('/callback')) received.resolve(request.url);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const redirectUri = `http://127.0.0.1:${port}/callback`;
  return {
    redirectUri,
    answer: received.promise.then((url) => new URL(url, redirectUri)),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('a person in Chromium', () => {
  it('signs in, allows the command line with the keyboard alone, and returns to it', async () => {
    await using listener = await openListener();
    await using opened = await openPage(browser, { width: 1280, height: 800 });
    const { page, complaints } = opened;
    await signInOnPage(page, origin);
    const { url, checks } = await scene.app.begin({
      redirect_uri: listener.redirectUri,
      scope: 'clients:read',
    });
    await page.goto(url.href);
    const button = page.getByRole('button', { name: 'Allow' });
    await button.waitFor();
    while (!(await button.evaluate((element) => element.matches(':focus')))) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const tokens = await openid.authorizationCodeGrant(scene.app.config, await listener.answer, checks);
    expect(tokens.scope).toBe('clients:read');
    expect(complaints.filter((text) => text.includes('Content Security Policy'))).toEqual([]);
  });
});

describe.each([
  [320, 640],
  [1280, 800],
])('pages %d px wide', (width, height) => {
  it('have no barriers and fit', async () => {
    await using opened = await openPage(browser, { width, height });
    const { page, complaints } = opened;
    await signInOnPage(page, origin);
    const { url } = await scene.app.begin();
    await page.goto(url.href);
    await check(page, 'Connect Salon command line');
    await page.goto(`${origin}/oauth/authorize?client_id=x`);
    await check(page, 'The app cannot be connected');
    const device = await openid.initiateDeviceAuthorization(scene.app.config, { scope: 'clients:read' });
    await page.goto(device.verification_uri_complete ?? '');
    await check(page, 'Connect a device');
    await page.getByRole('button', { name: 'Continue' }).click();
    await check(page, 'Connect Salon command line');
    await page.getByRole('button', { name: 'Allow' }).click();
    await check(page, 'Connected');
    expect(complaints.filter((text) => text.includes('Content Security Policy'))).toEqual([]);
  });

  async function check(page: Page, heading: string): Promise<void> {
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(await readOverflow(page)).toBe(0);
  }
});
