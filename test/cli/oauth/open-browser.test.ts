import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openBrowser } from '../../../src/cli/oauth/browser-flow.ts';

it.skipIf(process.platform === 'win32')('gives the browser only the variables that it needs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'salon-browser-'));
  const browser = join(folder, 'browser');
  const seen = join(folder, 'seen');
  writeFileSync(browser, `#!/bin/sh\nenv > "${seen}.new"; mv "${seen}.new" "${seen}"\n`);
  chmodSync(browser, 0o755);
  const wanted = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    BROWSER: browser,
    DISPLAY: ':0',
    WAYLAND_DISPLAY: 'wayland-0',
    XDG_RUNTIME_DIR: '/run/user/1000',
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1000/bus',
  };
  const env = {
    ...wanted,
    SALON_API_KEY: 'k',
    SALON_HEADERS: 'X-Gateway: g',
    SALON_SECRETS_KEY: 's',
    PGPASSWORD: 'p',
    NODE_OPTIONS: '',
  };
  expect(await openBrowser('https://salon.example/', { env, platform: 'linux' })).toBe(true);
  await vi.waitUntil(() => existsSync(seen), { timeout: 120_000 });
  const names = readFileSync(seen, 'utf8')
    .split('\n')
    .flatMap((line) => /^(\w+)=/.exec(line)?.[1] ?? []);
  const others = names.filter((name) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name));
  expect(others.toSorted()).toEqual(Object.keys(wanted).toSorted());
  rmSync(folder, { recursive: true });
});
