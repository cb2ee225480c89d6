import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ExportSalon, openExportSalon } from '../../support/export-salon.ts';

let salon: ExportSalon;

beforeEach(async () => {
  salon = await openExportSalon({ rows: 90, perPage: 20 });
});
afterEach(() => salon[Symbol.asyncDispose]());

const sorted = 'clients list --sort -id -c id -o ids.csv';
const idsIn = (file: string) => salon.read(file).trim().split('\n').slice(1);
const descending = Array.from({ length: 90 }, (_, index) => `cli_${String(89 - index).padStart(6, '0')}`);

describe('an export in an order that the server ignores', () => {
  it('is sorted here and reports it', async () => {
    const { exitCode, stderr } = await salon.salon(sorted);
    expect({ exitCode, ids: idsIn('ids.csv') }).toEqual({ exitCode: 0, ids: descending });
    expect(stderr).toBe(
      'warning: The server ignored the order -id; reading the whole list to sort it here.\n90 clients written to ids.csv\n',
    );
  });

  it('is sorted before the limit applies', async () => {
    const { stderr } = await salon.salon(`${sorted} --limit 30`);
    expect(idsIn('ids.csv')).toEqual(descending.slice(0, 30));
    expect(stderr).toContain('30 of 90 clients\n');
  });

  it('is not a job: it starts again after a failure', async () => {
    salon.failFrom(4);
    const { exitCode } = await salon.salon(`${sorted} --retries 0`);
    expect({ exitCode, files: salon.files(), jobs: await salon.jobs() }).toEqual({
      exitCode: 5,
      files: ['data'],
      jobs: [],
    });
  });

  it('is not a job when it succeeds', async () => {
    await salon.salon(sorted);
    expect(await salon.jobs()).toEqual([]);
  });
});
