import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMachine } from '../../support/io.ts';
import type { Row } from '../../support/servers/client-store.ts';
import { judgeRefusal } from '../outcome.ts';
import { compareList } from '../records.ts';
import type { RealKind, RunningSoftware } from './real-kind.ts';
import { makeRecords } from './records.ts';

/**
 * Signs in without a dialect and lists what there is. What is wrong: a list that differs from the records, or a refusal
 * without words. A sign-in that is refused leaves nothing to list.
 */
export async function recognise(running: RunningSoftware, kind: RealKind): Promise<readonly string[]> {
  await running.put(makeRecords(230));
  const before = await running.read();
  using machine = createMachine({ env: { SALON_DATA_DIR: 'data', SALON_CONFIG_DIR: 'config' } });
  const login = ['auth', 'login', '--base-url', running.origin + (kind.path ?? ''), '--set', 'retries=0'];
  const signedIn = await machine.salon(login, { stdin: 'sk_other_servers' });
  if (signedIn.exitCode !== 0)
    return judgeRefusal(signedIn, true).result === 'refused' ? [] : [signedIn.stderr];
  const wrong: string[] = [];
  for (const noun of ['clients', 'appointments', 'stylists']) {
    const ran = await machine.salon([noun, 'list', '-o', `${noun}.json`]);
    const path = join(machine.home, `${noun}.json`);
    const rows = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
    const outcome =
      ran.exitCode === 0
        ? compareList((rows ?? []).map(withOwnId), before[noun] ?? [])
        : judgeRefusal(ran, rows === undefined).result === 'refused'
          ? undefined
          : ran.stderr;
    if (outcome !== undefined) wrong.push(`${noun}: ${outcome}`);
  }
  return wrong;
}

/** Without a dialect, rows of Strapi show their number as ID, by which it finds no record. */
function withOwnId(row: Row): Row {
  return 'documentId' in row ? { ...row, id: row['documentId'] } : row;
}
