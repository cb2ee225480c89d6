import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openTempDatabase } from '../../src/client/temp-database.ts';

describe.runIf(existsSync('/proc/self/fd'))('a temporary database', () => {
  it('stores large data in a nameless file and closes it on dispose', () => {
    {
      using database = openTempDatabase('CREATE TABLE data (text TEXT)');
      const insert = database.prepare('INSERT INTO data VALUES (?)');
      for (let row = 0; row < 3_000; row += 1) insert.run('x'.repeat(10_000));
      expect(openFiles()).toEqual([expect.stringMatching(/etilqs_\w+ \(deleted\)$/)]);
    }
    expect(openFiles()).toEqual([]);
  });
});

/** SQLite's temporary files opened by this process. */
function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${descriptor}`);
      return target.includes('etilqs_') ? [target] : [];
    } catch {
      return [];
    }
  });
}
