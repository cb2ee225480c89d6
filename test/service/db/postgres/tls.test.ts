import { chmodSync, chownSync, copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../src/service/db/database.ts';
import { type Authority, type CertificateFiles, createAuthority } from '../../../support/certificates.ts';
import { findFreePort } from '../../../support/free-port.ts';
import { createMachine } from '../../../support/io.ts';
import { connect, createCluster, findPostgresPrograms, findUser } from '../../../support/postgres-cluster.ts';

const password = 'Hunter2/Zoë';

/** A server that serves Ana only with TLS and her password. */
async function openTlsServer({ cert, key }: CertificateFiles) {
  const cluster = createCluster();
  const [certFile, keyFile] = [join(cluster.folder, 'server.pem'), join(cluster.folder, 'server.key')];
  copyFileSync(cert, certFile);
  copyFileSync(key, keyFile);
  const user = findUser();
  if (user !== undefined) chownSync(keyFile, user.uid, user.gid);
  chmodSync(keyFile, 0o600);
  writeFileSync(
    join(cluster.data, 'pg_hba.conf'),
    ['hostnossl all salon 127.0.0.1/32 trust', 'hostssl all ana 127.0.0.1/32 scram-sha-256'].join('\n'),
  );
  const tls = { ssl: 'on', ssl_cert_file: certFile, ssl_key_file: keyFile };
  const passwords = { password_encryption: 'scram-sha-256' };
  for (let attempts = 1; ; attempts += 1) {
    const port = await findFreePort();
    const server = cluster.start(port, { ...tls, ...passwords });
    const connecting = connect(`postgres://salon@127.0.0.1:${port}/postgres`);
    const started = await Promise.race([server.ended, connecting]);
    if (typeof started !== 'string') {
      await started.query(`create role ana login password '${password}'`);
      await started.query('create database salon owner ana');
      await started.end();
      const stop = async () => {
        await server.stop();
        cluster[Symbol.dispose]();
      };
      return { port, stop };
    }
    // Another program may have taken the port.
    connecting.catch(() => {});
    if (attempts === 5) throw new Error(started);
  }
}

const isMissing = findPostgresPrograms() === undefined && process.env['CI'] === undefined;

describe.skipIf(isMissing)('a PostgreSQL server with TLS and SCRAM', () => {
  let authority: Authority;
  let server: Awaited<ReturnType<typeof openTlsServer>>;
  beforeAll(async () => {
    authority = createAuthority();
    server = await openTlsServer(authority.issue('db', { names: ['DNS:localhost'] }));
    return async () => {
      await server.stop();
      authority[Symbol.dispose]();
    };
  });

  function toLocation(search: string, { host = 'localhost', secret = password } = {}): string {
    const authorityFile = encodeURIComponent(authority.file);
    const query = search.replace('CA', `sslrootcert=${authorityFile}`);
    return `postgres://ana:${encodeURIComponent(secret)}@${host}:${server.port}/salon?${query}`;
  }

  it.each(['sslmode=require', 'sslmode=verify-ca&CA', 'sslmode=verify-full&CA'])(
    'is used with %s',
    async (search) => {
      const database = await openDatabase(toLocation(search));
      const text = `select ssl, (select count(*) from accounts) as accounts from pg_stat_ssl where pid = pg_backend_pid()`;
      expect(await database.reader.run(text, [])).toEqual([{ ssl: true, accounts: 0 }]);
      await database.close();
    },
  );

  it.each([
    [
      'a wrong password',
      'sslmode=require',
      { secret: 'Geheim77' },
      /refuses the user "ana" or the password[.]$/,
    ],
    ['an empty password', 'sslmode=require', { secret: '' }, /refuses the user "ana" or the password[.]$/],
    ['an unknown authority', 'sslmode=verify-full', {}, /^The certificate of .* is not trusted: [^.]+[.]$/],
    [
      'another host in the certificate',
      'sslmode=verify-full&CA',
      { host: '127.0.0.1' },
      /is not trusted: it is for another host[.]$/,
    ],
    ['no TLS', 'sslmode=disable', {}, /requires TLS[.]$/],
  ] as const)('is refused because of %s', async (_title, search, parts, message) => {
    const location = toLocation(search, parts);
    const error = await openDatabase(location).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'usage', message: expect.stringMatching(message) });
    using machine = createMachine();
    const { exitCode, stdout, stderr } = await machine.salon(['server', 'check', '--database', location]);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: .*[.]\n {2}.*[.]\n$/);
    for (const secret of [password, encodeURIComponent(password), 'Geheim77'])
      expect(stderr).not.toContain(secret);
  });
});
