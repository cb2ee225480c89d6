import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import packageFile from '../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('..', import.meta.url));
const guide = readFileSync(`${root}CONTRIBUTING.md`, 'utf8');

function named(pattern: RegExp): string[] {
  return [...new Set([...guide.matchAll(pattern)].map(([, name = '']) => name))];
}

describe('CONTRIBUTING.md', () => {
  it.each(named(/`((?:src|test|bench|bin|\.ci)(?:\/[\w.-]+)*)`/g))('names %s, which exists', (path) => {
    expect(existsSync(root + path)).toBe(true);
  });

  it.each(named(/`npm run ([\w:]+)`/g))('names the script %s, which exists', (script) => {
    expect(Object.keys(packageFile.scripts)).toContain(script);
  });

  it('was read', () => {
    expect(named(/`(src\/[\w./-]+)`/g).length).toBeGreaterThan(10);
  });
});
