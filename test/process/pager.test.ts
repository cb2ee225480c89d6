import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ExportServer, openExportServer } from '../support/export-server.ts';
import { createHome, type Home, launcher } from '../support/salon-process.ts';

let home: Home;
let server: ExportServer;

beforeAll(async () => {
  home = createHome();
  server = await openExportServer({ rows: 450, perPage: 20 });
});
afterAll(async () => {
  home[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

/** Reports that it runs, handles Ctrl-C, then reads to the end. */
const pagerScript = `
const waiting = setInterval(() => {}, 60_000);
process.once('SIGINT', () => {
  process.stdout.write('pager: ctrl-c\\n');
  clearInterval(waiting);
  process.stdin.resume().on('end', () => process.stdout.write('pager: end\\n'));
});
process.stdout.write('pager: running\\n');
`;

/** Typed once a text appears. */
interface Typed {
  readonly after: string;
  readonly keys: string;
}

/** Runs a line in a real terminal, where one thing after another is typed. */
async function runInTerminal(line: string, typed: readonly Typed[], env: NodeJS.ProcessEnv) {
  const waiting = [...typed];
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: home.folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: home.folder,
      TERM: 'xterm',
      SALON_BASE_URL: server.origin,
      SALON_API_KEY: 'k',
      ...env,
    },
  });
  child.stdin.on('error', () => {});
  let shown = '';
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
    if (shown.includes(waiting[0]?.after ?? '\0')) child.stdin.write(waiting.shift()?.keys ?? '');
  });
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, shown: shown.replaceAll('\r', '') };
}

describe.skipIf(process.platform !== 'linux')('a pager on a real terminal', () => {
  it('receives Ctrl-C, and messages wait until it exits', async () => {
    writeFileSync(join(home.folder, 'pager.mjs'), pagerScript);
    const line = `stty rows 24; exec "${process.execPath}" "${launcher}" clients list --limit 60 -v`;
    const { exitCode, shown } = await runInTerminal(line, [{ after: 'pager: running', keys: '\x03' }], {
      PAGER: `"${process.execPath}" pager.mjs`,
    });
    const lines = shown.split('\n').filter((text) => /^\^?C?pager|^60 of/.test(text));
    expect({ exitCode, lines }).toEqual({
      exitCode: 0,
      lines: ['pager: running', '^Cpager: ctrl-c', 'pager: end', '60 of 450 clients'],
    });
    expect(shown).not.toContain('Interrupted');
  });

  it.skipIf(spawnSync('sh', ['-c', 'command -v less']).status !== 0)(
    'is less, which says how to leave, saves nothing that is typed, and leaves at Ctrl-C',
    async () => {
      const line = `stty rows 24; exec "${process.execPath}" "${launcher}" clients list --limit 60`;
      const typed = [
        { after: 'Space for more, q leaves', keys: 'salon clients merge\r' },
        { after: 'not available', keys: '\x03' },
        // One that arrives just before less reads is answered with a bell alone.
        ...Array.from({ length: 5 }, () => ({ after: '\x07', keys: '\x03' })),
      ];
      const { exitCode, shown } = await runInTerminal(line, typed, {});
      // A Ctrl-C that arrives when less has just left ends the command itself.
      expect([0, 130]).toContain(exitCode);
      expect(shown).toContain('not available');
      expect(readdirSync(home.folder).filter((name) => name.startsWith('alon'))).toEqual([]);
    },
  );
});
