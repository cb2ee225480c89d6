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

describe('an --output that can be no file', () => {
  it.each([
    ['exports', '--output exports is a folder, not a file.'],
    ['exports/', '--output exports/ is a folder, not a file.'],
    ['new/', '--output new/ is a folder, not a file.'],
    ['missing/clients.csv', 'There is no folder missing for --output missing/clients.csv.'],
    ['notes.txt/clients.csv', 'There is no folder notes.txt for --output notes.txt/clients.csv.'],
  ])('is refused before anything is sent: %s', async (output, message) => {
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

  it.each(['exports/clients.csv', 'notes.txt', '/dev/null'])('is none of these: %s', async (output) => {
    expect((await salon.salon(`clients list -o ${output}`)).exitCode).toBe(0);
  });
});
