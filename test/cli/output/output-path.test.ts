import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ExportSalon, openExportSalon } from '../../support/export-salon.ts';

let salon: ExportSalon;

beforeEach(async () => {
  salon = await openExportSalon();
  mkdirSync(join(salon.home, 'exports'));
  writeFileSync(join(salon.home, 'notes.txt'), '');
});
afterEach(() => salon[Symbol.asyncDispose]());

describe('an --output that cannot be a file', () => {
  it.each([
    ['exports', '--output exports is a folder, not a file.'],
    ['exports/', '--output exports/ is a folder, not a file.'],
    ['new/', '--output new/ is a folder, not a file.'],
    ['missing/clients.csv', 'No folder missing for --output missing/clients.csv.'],
    ['notes.txt/clients.csv', 'No folder notes.txt for --output notes.txt/clients.csv.'],
  ])('is refused before a request: %s', async (output, message) => {
    const lines = [`clients list -o ${output}`, `clients create --set first_name=Ana -o ${output}`];
    for (const line of lines) {
      const { exitCode, stderr } = await salon.salon(line);
      expect({ exitCode, stderr }).toEqual({
        exitCode: 2,
        stderr: expect.stringContaining(`error: ${message}\n`),
      });
    }
    expect(salon.server.received).toEqual([]);
  });

  it.each([
    ['clients.xls', 'has the unknown extension .xls'],
    ['clients', 'has no extension'],
    ['clients.csv.bak', 'has the unknown extension .bak'],
  ])('is refused before a request, because its format is unclear: %s', async (output, problem) => {
    for (const line of [`clients list -o ${output}`, `clients create --set first_name=Ana -o ${output}`]) {
      const ran = await salon.salon(line);
      expect(ran).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(problem) });
    }
    expect(salon.server.received).toEqual([]);
    expect((await salon.salon(`clients list -f csv -o ${output}`)).exitCode).toBe(0);
    expect(salon.read(output)).toMatch(/^id,/);
  });

  it('is refused for --excel unless it is CSV', async () => {
    const ran = await salon.salon('clients list --excel -o clients.json');
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--excel writes a sheet') });
    expect((await salon.salon('clients list --excel -o clients.csv')).exitCode).toBe(0);
  });

  it.each([
    ['clients.CSV', /^id,/],
    ['clients.tsv', /^id\t/],
    ['clients.JSON', /^\[/],
    ['clients.jsonl', /^\{/],
  ])('has the format of its extension: %s', async (output, start) => {
    expect((await salon.salon(`clients list -o ${output}`)).exitCode).toBe(0);
    expect(salon.read(output)).toMatch(start);
  });

  it.each(['exports/clients.csv', 'notes.txt', '/dev/null'])('is accepted: %s', async (output) => {
    expect((await salon.salon(`clients list -o ${output}`)).exitCode).toBe(0);
  });
});
