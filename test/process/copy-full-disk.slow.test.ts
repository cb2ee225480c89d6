import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openCopyServer, toClient } from '../support/copy-server.ts';
import { createHome, launcher } from '../support/salon-process.ts';

it.skipIf(process.platform === 'win32')('leaves nothing of a first copy that finds a full disk', async () => {
  await using server = await openCopyServer();
  server.salon.lists['clients'] = Array.from({ length: 2_000 }, (_, index) =>
    toClient(index + 1, { notes: 'x'.repeat(2_000) }),
  );
  using home = createHome();
  // A file size limit acts like a full disk.
  const limited = `trap '' XFSZ; ulimit -f 2000; exec "$0" "$@"`;
  const env = {
    HOME: home.folder,
    SALON_BASE_URL: server.origin,
    SALON_API_KEY: 'k',
    SALON_DATA_DIR: 'data',
  };
  const stderr = await new Promise<string>((resolve) => {
    execFile(
      'bash',
      ['-c', limited, process.execPath, launcher, 'sync', 'salon.db'],
      { cwd: home.folder, env: { ...env, PATH: process.env['PATH'] ?? '' } },
      (error, _stdout, text) => resolve(`${error?.code} ${text}`),
    );
  });
  expect(stderr).toMatch(/^5 .*^error: Cannot write \S*salon\.db: /ms);
  // SQLite would apply its journal to any file that is put there later.
  expect(readdirSync(home.folder).filter((name) => name.startsWith('salon.db'))).toEqual([]);
});
