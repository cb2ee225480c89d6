import { describe, expect, it } from 'vitest';
import { openExportSalon } from '../../support/export-salon.ts';

describe('an export job', () => {
  it.each([
    ['resume ID --max-errors 3', 'is an export: --max-errors is for bulk edits.'],
    ['results ID', 'is an export, not a bulk edit.'],
    ['undo ID', 'is an export, not a bulk edit.'],
  ])('is refused by: jobs %s', async (command, said) => {
    await using salon = await openExportSalon({ rows: 200 });
    const id = await salon.exportUpTo(5, 'clients list -o out.json');
    const ran = await salon.salon(`jobs ${command.replace('ID', id)}`);
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(said) });
    expect(ran.stderr).toMatch(new RegExp(`: salon jobs (show|resume) ${id}\\n$`));
  });
});
