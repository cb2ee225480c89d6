import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWebhookSecret, signWebhook } from '../../src/webhooks/signature.ts';
import { findFreePort } from '../support/free-port.ts';

const root = join(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/webhooks.md'), 'utf8');
const secret = createWebhookSecret(() => Buffer.alloc(32, 'hook'));
// Parsed and printed again, the spaces and the number change.
const body = '{"id": "evt_1",  "type": "booking.cancelled", "data": {"object": {"price": 10.50}}}';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'salon-hooks-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function sign(key: string): Record<string, string> {
  const signature = signWebhook({ id: 'evt_1', timestamp: new Date(), body }, key);
  return { 'content-type': 'application/json', ...signature };
}

it.each(['express', 'fastify', 'hono'])(
  'the guide’s receiver with %s takes a signed delivery and refuses a forged one',
  async (framework) => {
    const code = new RegExp(`// ${framework}-hook\\.mjs\n([\\s\\S]*?)\`\`\``).exec(guide)?.[1] ?? '';
    const port = await findFreePort();
    const adapted = code
      .replace("from 'salon'", `from '${new URL('../../dist/library/index.js', import.meta.url)}'`)
      .replace('3000', String(port));
    expect(adapted).toContain(`${port}`);
    const file = join(folder, `${framework}.mjs`);
    writeFileSync(file, adapted);
    const receiver = spawn(process.execPath, [file], {
      env: { SALON_WEBHOOK_SECRET: secret },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const url = `http://localhost:${port}/hook`;
      const send = (key: string) => fetch(url, { method: 'POST', headers: sign(key), body });
      const lines = createInterface(receiver.stdout);
      const printed = once(lines, 'line');
      await expect
        .poll(() =>
          fetch(url).then(
            ({ status }) => status,
            () => 0,
          ),
        )
        .toBe(404);
      expect((await send(secret)).status).toBe(204);
      expect(await printed).toEqual(['booking.cancelled evt_1']);
      const forged = await send(createWebhookSecret(() => Buffer.alloc(32, 'forged')));
      expect(forged.status).toBe(400);
      expect(await forged.text()).toContain('signature does not match');
    } finally {
      if (receiver.exitCode === null && receiver.kill()) await once(receiver, 'exit');
    }
  },
);
