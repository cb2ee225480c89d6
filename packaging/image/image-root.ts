import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  globSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { noticesFile } from '../notices.ts';

const owner = '65532:65532';

/** Without the full stop of a sentence. */
const commonLicense = /\/usr\/share\/common-licenses\/[\w-]+(?:\.\d+)?/g;

/** Text files of the image. */
const written: Readonly<Record<string, string>> = {
  'etc/passwd': `root:x:0:0:root:/:/sbin/nologin\nsalon:x:${owner}:Salon:/tmp:/sbin/nologin\n`,
  'etc/group': 'root:x:0:\nsalon:x:65532:\n',
  // Names of the container itself first.
  'etc/nsswitch.conf': 'hosts: files dns\n',
};

/**
 * Writes the files of the image into a folder: an executable with the loader and the libraries of this machine that it
 * needs, with their licences. It brings the certificate authorities itself, as Node does.
 */
export function writeImageRoot(folder: string, executable: string): void {
  const add = (from: string, to: string) => {
    mkdirSync(dirname(join(folder, to)), { recursive: true });
    copyFileSync(from, join(folder, to));
  };
  add(executable, 'usr/bin/salon');
  add(join(dirname(executable), noticesFile), `usr/share/doc/salon/${noticesFile}`);
  add(join(import.meta.dirname, '../../LICENSE'), 'usr/share/doc/salon/copyright');
  for (const library of findLibraries(executable)) {
    add(library, library);
    const copyright = `usr/share/doc/${findDebianPackage(library)}/copyright`;
    add(`/${copyright}`, copyright);
    // It refers to the texts that Debian keeps once.
    const named = readFileSync(`/${copyright}`, 'utf8').matchAll(commonLicense);
    for (const [path] of named) add(path, path);
  }
  for (const [path, content] of Object.entries(written)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  mkdirSync(join(folder, 'tmp'));
  for (const path of globSync('**', { cwd: folder })) {
    const isFolder = statSync(join(folder, path)).isDirectory();
    const isRun = path.startsWith('usr/bin/') || path.includes('ld-linux');
    chmodSync(join(folder, path), isFolder || isRun ? 0o755 : 0o644);
  }
  chmodSync(join(folder, 'tmp'), 0o1777);
}

/** The loader and libraries, as paths that the loader looks for. */
function findLibraries(executable: string): string[] {
  const listed = execFileSync('ldd', [executable], { encoding: 'utf8' });
  return [...listed.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path);
}

/** The Debian package that a library of this machine belongs to. It may be listed below /lib, which is in /usr. */
function findDebianPackage(path: string): string {
  const [folder, name] = realpathSync(path).split('/').slice(-2);
  const listed = execFileSync('dpkg', ['--search', `*/${folder}/${name}`], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return listed.slice(0, listed.indexOf(':'));
}
