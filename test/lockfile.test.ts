import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
}

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const lockfile = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
const locked = Object.entries<LockedPackage>(lockfile.packages).filter(([path]) => path !== '');

describe('the lockfile', () => {
  it('has a hash for every package, also those of other systems', () => {
    expect(locked.length).toBeGreaterThan(100);
    const unproven = locked.filter(
      ([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''),
    );
    expect(unproven.map(([path]) => path)).toEqual([]);
  });

  it('has the versions that package.json asks for', () => {
    const asked = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
    const others = Object.entries<string>(asked).filter(
      ([name, version]) => lockfile.packages[`node_modules/${name}`]?.version !== version,
    );
    expect(others).toEqual([]);
  });

  it('names no registry', () => {
    expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });
});
