import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseServiceConfig } from '../../src/service/config.ts';
import { openDatabase } from '../../src/service/db/database.ts';
import { readPendingErasures } from '../../src/service/db/records/removed-clients.ts';
import { openService } from '../../src/service/service.ts';
import { createTestFolder } from '../support/database.ts';
import { addPerson, findPersonalTexts, personalTexts } from '../support/erased-person.ts';
import { sendRequest } from '../support/send-request.ts';
import { openTestService } from '../support/service.ts';

/** A service on which a person with records of every kind can be deleted. */
async function openSalonWithPerson() {
  let nowMs = Date.parse('2026-12-20T12:00:00Z');
  const service = await openTestService({ clients: 30, appointments: 30, now: () => new Date(nowMs) });
  const id = await addPerson(service);
  return {
    service,
    file: service.database.slice('sqlite:'.length),
    advance: (ms: number) => {
      nowMs += ms;
    },
    async erase() {
      const request = { method: 'DELETE', key: service.keys.owner };
      expect((await sendRequest(`${service.origin}/v1/clients/${id}?force=true`, request)).status).toBe(204);
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

describe('a deleted client', () => {
  it('leaves no text in any row', async () => {
    await using salon = await openSalonWithPerson();
    await using database = await openDatabase(salon.service.database);
    const readRows = async () => {
      const tables = await database.reader.run<{ name: string }>(
        "select name from sqlite_schema where type = 'table' and name not like 'client_search%'",
        [],
      );
      const rows = await Promise.all(
        tables.map(async ({ name }) => [name, await database.reader.run(`select * from "${name}"`, [])]),
      );
      return JSON.stringify(rows).toLowerCase();
    };
    const before = await readRows();
    // The search is for nothing: no row may have it.
    expect(personalTexts.filter((text) => !before.includes(text.toLowerCase()))).toEqual(['qz-searched']);
    await salon.erase();
    const after = await readRows();
    expect(personalTexts.filter((text) => after.includes(text.toLowerCase()))).toEqual([]);
  });

  it('leaves no text in any file once the service closes', async () => {
    await using salon = await openSalonWithPerson();
    expect(findPersonalTexts(salon.file)).toHaveLength(personalTexts.length - 1);
    await salon.erase();
    await salon.service.close();
    expect(findPersonalTexts(salon.file)).toEqual([]);
  });

  it('leaves no text in any file a minute later', async () => {
    await using salon = await openSalonWithPerson();
    await salon.erase();
    await using database = await openDatabase(salon.service.database);
    expect(await readPendingErasures(database.reader)).toHaveLength(1);
    salon.advance(61_000);
    while ((await readPendingErasures(database.reader)).length > 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(findPersonalTexts(salon.file)).toEqual([]);
  });

  it('leaves no text in any file after a crash, once another service has run', async () => {
    await using salon = await openSalonWithPerson();
    await salon.erase();
    using folder = createTestFolder();
    const copy = join(folder.path, 'salon.db');
    for (const suffix of ['', '-wal', '.key']) {
      if (existsSync(salon.file + suffix)) copyFileSync(salon.file + suffix, copy + suffix);
    }
    const environment = { now: () => new Date(), random: (size: number) => new Uint8Array(size) };
    const config = parseServiceConfig({ port: '0', database: copy, logLevel: 'silent' });
    await (await openService(config, { ...environment, log: { write: () => true } })).close();
    expect(findPersonalTexts(copy)).toEqual([]);
  });
});
