import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../src/service/db/database.ts';
import { createAuthority } from '../../../support/certificates.ts';
import { changeDatabase, openTestDatabase } from '../../../support/database.ts';
import { administer, createPostgresDatabase } from '../../../support/postgres.ts';
import {
  openAskingPostgres,
  openRefusingPostgres,
  openTlsPostgres,
} from '../../../support/refusing-postgres.ts';

describe('opening a PostgreSQL database', () => {
  it('creates the tables once, although several processes open it at the same time', async () => {
    await using empty = await createPostgresDatabase('template0');
    const databases = await Promise.all(Array.from({ length: 4 }, () => openDatabase(empty.location)));
    for (const { reader } of databases) expect(await reader.run('select id from accounts', [])).toEqual([]);
    await Promise.all(databases.map((database) => database.close()));
  });

  it('confirms changes once they are on the disk and compiles no statements, whatever the defaults', async () => {
    await using empty = await createPostgresDatabase('template0');
    await changeDatabase(
      empty.location,
      `do $$ begin execute format('alter database %I set synchronous_commit = off', current_database());
        execute format('alter database %I set jit = on', current_database()); end $$`,
    );
    const database = await openDatabase(empty.location);
    const text = "select current_setting('synchronous_commit') as commits, current_setting('jit') as jit";
    expect(await database.reader.run(text, [])).toEqual([{ commits: 'on', jit: 'off' }]);
    await database.close();
  });

  it('refuses a database of another program, and changes nothing in it', async () => {
    await using foreign = await createPostgresDatabase('template0');
    await changeDatabase(foreign.location, 'create table invoices (id integer)');
    await expect(openDatabase(foreign.location)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('belongs to another program'),
    });
    await changeDatabase(foreign.location, 'drop table invoices');
    await (await openDatabase(foreign.location)).close();
  });

  it.each([
    ['minimum_version', "update database_settings set value = '999' where name = 'minimum_version'"],
    [
      'nothing about older programs',
      "insert into salon_migrations (name) values ('999-later'); delete from database_settings",
    ],
  ])('refuses a database of a newer version with %s', async (_title, statements) => {
    await using store = await openTestDatabase();
    await changeDatabase(store.location, statements);
    await expect(store.openAgain()).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('newer version of salon'),
    });
  });

  it('accepts a database of a newer version that this one can work with', async () => {
    await using store = await openTestDatabase();
    await changeDatabase(store.location, "insert into salon_migrations (name) values ('999-later')");
    await (await store.openAgain()).reader.run('select id from accounts', []);
  });

  it('refuses an encoding other than UTF-8', async () => {
    await using store = await openTestDatabase();
    const name = `${new URL(store.location).pathname.slice(1)}_latin`;
    await administer(
      `create database ${name} template template0 encoding 'LATIN1' locale 'C' locale_provider libc`,
    );
    const location = Object.assign(new URL(store.location), { pathname: `/${name}` }).href;
    await expect(openDatabase(location)).rejects.toMatchObject({
      code: 'usage',
      hint: expect.stringContaining('UTF8'),
    });
    await administer(`drop database ${name} with (force)`);
  });

  it('refuses a database that does not exist', async () => {
    await using store = await openTestDatabase();
    await expect(openDatabase(`${store.location}_none`)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('does not exist'),
    });
  });

  it.each([
    [
      'a wrong password',
      '28P01',
      'password authentication failed for user "ana"',
      'usage',
      /refuses the user "ana"/,
    ],
    [
      'no TLS',
      '28000',
      'no pg_hba.conf entry for host "127.0.0.1", user "ana", no encryption',
      'usage',
      /requires TLS/,
    ],
    ['a restart', '57P03', 'the database system is starting up', 'service_unavailable', /restarting/],
    [
      'too many connections',
      '53300',
      'sorry, too many clients already',
      'service_unavailable',
      /no more connections/,
    ],
  ] as const)('says that it fails because of %s', async (_title, code, message, kind, text) => {
    await using server = await openRefusingPostgres(code, message);
    const error = await openDatabase(server.location).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: kind, message: expect.stringMatching(text) });
    expect(JSON.stringify([error, String(error), Object(error).hint])).not.toContain('hunter2');
  });

  it('refuses an address without the password that the server asks for, and leaves no connection open', async () => {
    await using server = await openAskingPostgres();
    const opening = openDatabase(server.location.replace(':hunter2', ''));
    await expect(opening).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('refuses the user "ana" or the password'),
    });
    await expect.poll(() => server.open.size).toBe(0);
  });

  it.each([
    ['of an unknown authority', '', 'unable to verify the first certificate'],
    ['for another host', '&sslrootcert=', 'it is for another host'],
  ])('refuses a certificate %s', async (_title, parameter, reason) => {
    using authority = createAuthority();
    await using server = await openTlsPostgres(authority.issue('db', { names: ['DNS:db.example'] }));
    const trusted = parameter === '' ? '' : `${parameter}${encodeURIComponent(authority.file)}`;
    await expect(openDatabase(`${server.location}?sslmode=verify-full${trusted}`)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(
        new RegExp(`^The certificate of postgres://.* is not trusted: ${reason}[.]$`),
      ),
    });
  });

  it('says that a server cannot be reached', async () => {
    const server = await openRefusingPostgres('57P03', 'unused');
    await server[Symbol.asyncDispose]();
    await expect(openDatabase(server.location)).rejects.toMatchObject({
      code: 'service_unavailable',
      message: expect.stringMatching(/^postgres:\/\/127[.]0[.]0[.]1:\d+\/salon cannot be reached[.]$/),
    });
  });

  it('needs TLS where the address asks for it', async () => {
    await using store = await openTestDatabase();
    await expect(openDatabase(`${store.location}?sslmode=require`)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('does not support TLS'),
    });
  });
});

describe('a database in use', () => {
  it('that is read-only serves reads and refuses writes', async () => {
    await using store = await openTestDatabase();
    const name = new URL(store.location).pathname.slice(1);
    await administer(`alter database ${name} set default_transaction_read_only = on`);
    const other = await store.openAgain();
    expect(await other.reader.run('select id from accounts', [])).toEqual([]);
    const write = () =>
      other.transaction('rows', (tx) =>
        tx.run("insert into used_tickets (hash, expires_ms) values ('a', 0)", []),
      );
    await expect(write()).rejects.toMatchObject({
      code: 'service_unavailable',
      message: 'The database is read-only.',
    });
    await administer(`alter database ${name} reset default_transaction_read_only`);
    await write();
  });

  it('ends a statement that takes too long', async () => {
    await using store = await openTestDatabase();
    const { database } = store;
    const slow = database.transaction('rows', async (tx) => {
      await tx.run('set local statement_timeout = 50', []);
      await tx.run('select pg_sleep(60)', []);
    });
    await expect(slow).rejects.toMatchObject({
      code: 'service_unavailable',
      message: 'The database takes too long.',
      retryable: true,
    });
  });
});
