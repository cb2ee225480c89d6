import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../src/service/db/database.ts';
import { parsePostgresLocation } from '../../../../src/service/db/postgres/location.ts';
import { numberPlaceholders } from '../../../../src/service/db/postgres/statements.ts';

describe('the address of a PostgreSQL database', () => {
  it('names host, port, database, user and password', () => {
    expect(parsePostgresLocation('postgresql://ana:p%40ss@db.example:6432/salon?pool_size=3')).toMatchObject({
      ...{ host: 'db.example', port: 6432, database: 'salon', user: 'ana', password: 'p@ss', poolSize: 3 },
      name: 'postgres://db.example:6432/salon',
    });
  });

  it('defaults to the database of the user, on port 5432', () => {
    expect(parsePostgresLocation('postgres://ana@localhost')).toMatchObject({ database: 'ana', port: 5432 });
  });

  it('accepts the folder of a socket, and an IPv6 address', () => {
    expect(parsePostgresLocation('postgres://ana@/salon?host=/run/postgresql').host).toBe('/run/postgresql');
    expect(parsePostgresLocation('postgres://ana@[::1]:5433/salon')).toMatchObject({
      host: '::1',
      port: 5433,
    });
  });

  it.each([
    ['this machine', 'postgres://a@127.0.0.1/s', false],
    ['another machine', 'postgres://a@db.example/s', {}],
    ['sslmode=disable', 'postgres://a@db.example/s?sslmode=disable', false],
    ['sslmode=require', 'postgres://a@127.0.0.1/s?sslmode=require', { rejectUnauthorized: false }],
  ])('for %s sets TLS', (_title, location, ssl) => {
    expect(parsePostgresLocation(location).ssl).toEqual(
      location.includes('require') ? { ...Object(ssl), checkServerIdentity: expect.any(Function) } : ssl,
    );
  });

  it.each([
    ['without a user', 'postgres://localhost/salon', /no user/],
    ['with an unknown parameter', 'postgres://a:hunter2@localhost/s?sslmod=require', /"sslmod"/],
    ['with an unknown sslmode', 'postgres://a:hunter2@localhost/s?sslmode=prefer', /"prefer"/],
    ['with several hosts', 'postgres://a:hunter2@one:1,two:2/s', /not valid/],
    ['with a port that is none', 'postgres://a:hunter2@localhost:99999/s', /not valid/],
    ['with a broken escape', 'postgres://a:%zz@localhost/s', /%25/],
    ['without slashes', 'postgres:hunter2', /not valid/],
    ['with a pool of no connections', 'postgres://a:hunter2@localhost/s?pool_size=0', /pool_size/],
    ['with a certificate that does not exist', 'postgres://a@h/s?sslrootcert=/none', /sslrootcert: \/none/],
  ])('is refused %s', async (_title, location, message) => {
    const error = await openDatabase(location).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'usage', message: expect.stringMatching(message) });
    expect(JSON.stringify([error, String(error), Object(error).hint])).not.toContain('hunter2');
  });
});

it('numbers the placeholders of a statement outside of quotes', () => {
  expect(numberPlaceholders(`select '?', "a?", 'it''s ?' where a = ? and b in (?, ?)`)).toBe(
    `select '?', "a?", 'it''s ?' where a = $1 and b in ($2, $3)`,
  );
});
