import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeWorkbook } from '../bulk/sheet/workbook.ts';
import { openExportServer } from '../support/export-server.ts';
import { createHome, finish, startSalon } from '../support/salon-process.ts';
import { until } from '../support/until.ts';

describe('a command that reads a workbook with a million blank rows', () => {
  it('ends at SIGTERM, and leaves nothing', async () => {
    await using server = await openExportServer({ rows: 1 });
    using home = createHome();
    let rows = '<row r="1"><c r="A1" t="str"><v>id</v></c><c r="B1" t="str"><v>notes</v></c></row>';
    for (let line = 2; line <= 1_000_000; line += 1) rows += `<row r="${line}"><c r="A${line}" s="1"/></row>`;
    writeFileSync(join(home.folder, 'in.xlsx'), makeWorkbook({ rows }));
    const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k', SALON_DATA_DIR: 'data' };
    const jobs = join(home.folder, 'data/jobs');
    const isCopied = () => globSync('.new-*/*', { cwd: jobs }).length > 0;
    // On a busy machine the command may end before the test looks.
    for (let interrupted = false; !interrupted; ) {
      const child = startSalon(['clients', 'update', '--file', 'in.xlsx', '--yes'], { home, env });
      const finished = finish(child);
      await until(() => child.exitCode !== null || isCopied());
      child.kill('SIGTERM');
      const ran = await finished;
      interrupted = ran.exitCode !== 2;
      expect(ran).toMatchObject({ exitCode: interrupted ? 143 : 2, stdout: '' });
    }
    expect(server.received).toEqual([]);
  });
});
