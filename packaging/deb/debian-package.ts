import { hash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { copyTree, runProgram } from '../fail.ts';
import { writeManPages } from '../man/man-pages.ts';
import { noticesFile } from '../notices.ts';

interface PackageOptions {
  /** The licences of what is in it are in the folder. */
  readonly executable: string;
  readonly version: string;
  /** As Debian names it. */
  readonly arch: string;
  readonly date: Date;
  readonly releaseUrl: string | undefined;
}

const checkout = join(import.meta.dirname, '../..');

/** Where files of the checkout go. */
const copied: Readonly<Record<string, string>> = {
  'completions/salon.bash': 'usr/share/bash-completion/completions/salon',
  'completions/_salon': 'usr/share/zsh/vendor-completions/_salon',
  'completions/salon.fish': 'usr/share/fish/vendor_completions.d/salon.fish',
  docs: 'usr/share/doc/salon/docs',
  LICENSE: 'usr/share/doc/salon/copyright',
  'packaging/deb/environment': 'etc/salon/environment',
  'packaging/deb/lintian-overrides': 'usr/share/lintian/overrides/salon',
  'packaging/deb/postinst': 'DEBIAN/postinst',
  'packaging/deb/postrm': 'DEBIAN/postrm',
  'packaging/deb/prerm': 'DEBIAN/prerm',
  'packaging/deb/salon.service': 'usr/lib/systemd/system/salon.service',
};

/** Other files are for everybody to read. */
const modes: Readonly<Record<string, number>> = {
  'DEBIAN/postinst': 0o755,
  'DEBIAN/postrm': 0o755,
  'DEBIAN/prerm': 0o755,
  'etc/salon/environment': 0o600,
  'usr/bin/salon': 0o755,
};

/** Builds a Debian package as a file, which is complete or not there. Equal options give equal files. */
export async function buildDebianPackage(file: string, options: PackageOptions): Promise<void> {
  const tree = mkdtempSync(join(tmpdir(), 'salon-deb-'));
  const partial = `${file}.partial`;
  const clean = () => {
    for (const path of [tree, partial]) rmSync(path, { recursive: true, force: true });
  };
  process.once('exit', clean);
  try {
    await writeTree(tree, options);
    setModes(tree);
    mkdirSync(dirname(file), { recursive: true });
    await runProgram('dpkg-deb', ['--root-owner-group', '-Zxz', '--build', tree, partial], {
      env: { ...process.env, SOURCE_DATE_EPOCH: String(options.date.getTime() / 1000) },
    });
    renameSync(partial, file);
  } finally {
    process.removeListener('exit', clean);
    clean();
  }
}

async function writeTree(tree: string, options: PackageOptions): Promise<void> {
  const { executable, date, releaseUrl } = options;
  for (const [from, to] of Object.entries(copied)) copyTree(join(checkout, from), join(tree, to));
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), content);
  };
  mkdirSync(join(tree, 'usr/bin'), { recursive: true });
  copyFileSync(executable, join(tree, 'usr/bin/salon'));
  await writeManPages(join(tree, 'man'), { date, releaseUrl });
  for (const page of globSync('*', { cwd: join(tree, 'man') })) {
    const text = readFileSync(join(tree, 'man', page));
    write(`usr/share/man/man${page.at(-1)}/${page}.gz`, gzipSync(text, { level: 9 }));
  }
  rmSync(join(tree, 'man'), { recursive: true });
  const notices = readFileSync(join(dirname(executable), noticesFile));
  write(`usr/share/doc/salon/${noticesFile}.gz`, gzipSync(notices, { level: 9 }));
  const changes = readFileSync(join(checkout, 'CHANGELOG.md'));
  write('usr/share/doc/salon/changelog.gz', gzipSync(changes, { level: 9 }));
  write('usr/share/doc/salon/changelog.Debian.gz', gzipSync(renderChangelog(options), { level: 9 }));
  const files = listFiles(tree).filter((path) => !path.startsWith('DEBIAN/'));
  const sums = files.map((path) => `${hash('md5', readFileSync(join(tree, path)))}  ${path}\n`);
  const sizesInKib = files.map((path) => Math.ceil(statSync(join(tree, path)).size / 1024));
  write('DEBIAN/md5sums', sums.join(''));
  write('DEBIAN/conffiles', '/etc/salon/environment\n');
  write(
    'DEBIAN/control',
    renderControl(
      options,
      sizesInKib.reduce((sum, size) => sum + size, 0),
    ),
  );
}

function setModes(tree: string): void {
  for (const path of ['', ...globSync('**', { cwd: tree })]) {
    const isFolder = statSync(join(tree, path)).isDirectory();
    chmodSync(join(tree, path), modes[path] ?? (isFolder ? 0o755 : 0o644));
  }
}

function listFiles(tree: string): string[] {
  return globSync('**', { cwd: tree })
    .filter((path) => statSync(join(tree, path)).isFile())
    .sort();
}

const maintainer = 'The salon authors <maintainers@salon.example>';

/** The libraries are what Node needs: symbols of glibc 2.28 and of GCC 7. The unit sends a signal by /bin/kill. */
function renderControl({ version, arch }: PackageOptions, sizeInKib: number): string {
  return `Package: salon
Version: ${toDebianVersion(version)}
Architecture: ${arch}
Maintainer: ${maintainer}
Installed-Size: ${sizeInKib}
Depends: adduser, libatomic1, libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 7), procps
Section: misc
Priority: optional
Description: command line for managing a salon, and its service
 Lists, books and changes appointments, clients, stylists and payments of a
 salon, exports them completely, edits them in bulk with undo, and reports on
 them; with any server that has a salon API.
 .
 The service itself is included, with pages for owners and their teams. It keeps
 its data in SQLite or PostgreSQL, and runs once it is configured in /etc/salon.
`;
}

function renderChangelog({ version, date }: PackageOptions): string {
  const time = date.toUTCString().replace('GMT', '+0000');
  return `salon (${toDebianVersion(version)}) stable; urgency=medium\n\n  * Release ${version}; its changes are in changelog.gz.\n\n -- ${maintainer}  ${time}\n`;
}

/** A release candidate comes before its release. */
function toDebianVersion(version: string): string {
  return `${version.replace('-', '~')}-1`;
}
