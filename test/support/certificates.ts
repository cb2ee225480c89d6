import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

export interface IssueOptions {
  /** Such as `DNS:salon.test` or `IP:127.0.0.1`. */
  readonly names?: readonly string[];
  /** Days from now; 0 and 30 by default. */
  readonly fromDays?: number;
  readonly toDays?: number;
  readonly isAuthority?: boolean;
}

/** A certificate authority in a temporary folder, made with openssl. */
export interface Authority extends Disposable {
  readonly folder: string;
  /** The PEM file of the authority's own certificate. */
  readonly file: string;
  readonly pem: string;
  issue(name: string, options?: IssueOptions): CertificateFiles;
}

const day = 86_400_000;

export function createAuthority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'salon-ca-'));
  const file = join(folder, 'ca.pem');
  const keyFile = join(folder, 'ca.key');
  const openssl = (args: readonly string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl([
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    keyFile,
    '-out',
    file,
    '-subj',
    '/CN=Salon Test CA',
    '-days',
    '365',
  ]);
  let issued = 0;
  return {
    folder,
    file,
    pem: readFileSync(file, 'utf8'),
    issue(name, { names = [], fromDays = -1, toDays = 30, isAuthority = false } = {}) {
      const [cert, key, request, config] = ['pem', 'key', 'csr', 'cnf'].map((end) =>
        join(folder, `${name}.${end}`),
      ) as [string, string, string, string];
      mkdirSync(join(folder, `db-${++issued}`));
      writeFileSync(join(folder, `db-${issued}`, 'index'), '');
      writeFileSync(config, renderConfig({ database: join(folder, `db-${issued}`), names, isAuthority }));
      openssl(['req', '-new', ...newKey, '-keyout', key, '-out', request, '-subj', `/CN=${name}`]);
      openssl([
        ...['ca', '-batch', '-notext', '-config', config, '-cert', file, '-keyfile', keyFile],
        ...['-in', request, '-out', cert, '-startdate', toTime(fromDays), '-enddate', toTime(toDays)],
      ]);
      return { cert, key };
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function toTime(days: number): string {
  return new Date(Date.now() + days * day).toISOString().replace(/[-:T]|\.\d+/g, '');
}

function renderConfig({
  database,
  names,
  isAuthority,
}: {
  database: string;
  names: readonly string[];
  isAuthority: boolean;
}): string {
  return [
    '[ca]',
    'default_ca = test',
    '[test]',
    `database = ${join(database, 'index')}`,
    `new_certs_dir = ${database}`,
    'rand_serial = yes',
    'default_md = sha256',
    'policy = any',
    'x509_extensions = extensions',
    'unique_subject = no',
    '[any]',
    'commonName = supplied',
    '[extensions]',
    `basicConstraints = CA:${isAuthority ? 'TRUE' : 'FALSE'}`,
    ...(names.length === 0 ? [] : [`subjectAltName = ${names.join(',')}`]),
  ].join('\n');
}
