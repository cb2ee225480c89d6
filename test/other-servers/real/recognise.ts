import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMachine } from '../../support/io.ts';
import type { Row } from '../../support/servers/client-store.ts';
import { judgeRefusal } from '../outcome.ts';
import { compareList } from '../records.ts';
import type { RealKind, RunningSoftware } from './real-kind.ts';
import { makeRecords, type Records } from './records.ts';

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
  for (const [noun, flags, isWanted] of listsOf(before)) {
    const file = `${noun}${flags.join('').replaceAll(/\W+/g, '')}.json`;
    const ran = await machine.salon([noun, 'list', '-o', file, ...flags]);
    const path = join(machine.home, file);
    const rows = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
    const outcome =
      ran.exitCode === 0
        ? compareList((rows ?? []).map(withOwnId), (before[noun] ?? []).filter(isWanted))
        : judgeRefusal(ran, rows === undefined).result === 'refused'
          ? undefined
          : ran.stderr;
    if (outcome !== undefined) wrong.push(`${noun} ${flags.join(' ')}: ${outcome}`);
  }
  const { stdout } = await machine.salon(['profiles', 'show', '--dialect']);
  const { filterNames } = JSON.parse(stdout);
  for (const [filter, parameter] of Object.entries(kind.filters ?? {}))
    if (filterNames?.[filter] !== parameter)
      wrong.push(`${filter} is ${filterNames?.[filter]}, not ${parameter}`);
  return wrong;
}

/** The lists whole, and by the filters that the sign-in finds out. */
function listsOf(truth: Records): readonly (readonly [string, readonly string[], (row: Row) => boolean])[] {
  const { email } = truth['clients']?.[40] ?? {};
  const { client_id: client, stylist_id: stylist } = truth['appointments']?.[2] ?? {};
  const day = (row: Row) => String(row['start_time']).slice(0, 10);
  return [
    ...['clients', 'appointments', 'stylists'].map((noun) => [noun, [], () => true] as const),
    ['clients', ['--email', String(email)], (row) => row['email'] === email],
    ['appointments', ['--client', String(client)], (row) => String(row['client_id']) === String(client)],
    ['appointments', ['--stylist', String(stylist)], (row) => String(row['stylist_id']) === String(stylist)],
    ['appointments', ['--status', 'completed'], (row) => row['status'] === 'completed'],
    [
      'appointments',
      ['--from', '2026-10-05', '--to', '2026-10-07'],
      (row) => day(row) >= '2026-10-05' && day(row) <= '2026-10-07',
    ],
  ];
}

/** Without a dialect, rows of Strapi show their number as ID, by which it finds no record. */
function withOwnId(row: Row): Row {
  return 'documentId' in row ? { ...row, id: row['documentId'] } : row;
}
