import { mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCopyFile } from '../../../src/cli/copy/copy-file.ts';
import { createRandomNumbers } from '../../support/random-numbers.ts';

const source = {
  ...{ origin: 'http://salon', account: null, salon: null, position: null },
  ...{ time_zone: 'UTC', tz_version: '2026c', currency: 'EUR' },
};

async function replaceClients(
  path: string,
  live: ReadonlyMap<string, string>,
  removes: boolean,
): Promise<void> {
  using copy = openCopyFile(path);
  copy.choose(['clients']);
  await copy.replaceAll('clients', pagesOf([...live].map(([id, notes]) => ({ id, notes }))));
  copy.commit(source, '2026-11-29T12:00:00Z');
  if (!removes) return;
  copy.removeRemains();
  expect(copy.settle()).toBe(true);
}

describe('a copy', () => {
  // The seed is one of those where SQLite leaves rows in the unused part of a page.
  it('has no byte of former values after any changes', async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'salon-copy-'));
    const path = join(folder.path, 'salon.db');
    const random = createRandomNumbers(2);
    const live = new Map<string, string>();
    const former: string[] = [];
    for (let made = 0; made < 1500; made += 1) {
      const ids = [...live.keys()];
      const id = ids[Math.floor(random() * ids.length)];
      const value = `V${made}-${'v'.repeat(Math.floor(random() * random() * 600))}.`;
      const chance = random();
      if (id === undefined || chance < 0.5) live.set(`cli_${made}`, value);
      else {
        former.push(String(live.get(id)).replace(/-.*/, '-'));
        if (chance < 0.8) live.set(id, value);
        else live.delete(id);
      }
      if (made % 100 === 99) await replaceClients(path, live, true);
    }
    const bytes = readFileSync(path);
    expect(former.filter((value) => bytes.includes(value))).toEqual([]);
    expect([...live.values()].filter((value) => !bytes.includes(value))).toEqual([]);
  });

  it('overwrites a deleted row even if the process ends before it removes what may be left', async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'salon-copy-'));
    const path = join(folder.path, 'salon.db');
    await replaceClients(
      path,
      new Map([
        ['cli_1', 'Quenby'],
        ['cli_2', 'Ana'],
      ]),
      false,
    );
    await replaceClients(path, new Map([['cli_2', 'Ana']]), false);
    expect(readFileSync(path).includes('Quenby')).toBe(false);
  });
});

async function* pagesOf<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[], void> {
  yield rows;
}
