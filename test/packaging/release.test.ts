import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { targets } from '../../packaging/executables/targets.ts';
import { findNewestNotes, renderNodeVersions } from '../../packaging/release-notes.ts';
import { renderSbom } from '../../packaging/sbom.ts';
import { version } from '../../src/cli/io.ts';

describe('the release notes', () => {
  const changelog = '# Changelog\n\n## 1.1.0 (2027-01-02)\n\n- New.\n\n## 1.0.0\n\n- Old.\n';

  it('are the newest section of the change log', () => {
    expect(findNewestNotes(changelog, '1.1.0')).toBe('## 1.1.0 (2027-01-02)\n\n- New.\n');
  });

  it('are the only section of a first release', () => {
    expect(findNewestNotes('# Changelog\n\n## 1.0.0-rc.1\n\n- All.\n', '1.0.0-rc.1')).toBe(
      '## 1.0.0-rc.1\n\n- All.\n',
    );
  });

  it('name the Node of each executable, and its time zone database', () => {
    const notes = renderNodeVersions(targets);
    expect(notes).toContain('| linux-x64 | 26.12.1 | 2026e |');
    expect(notes.match(/^\| [a-z]+-(?:x64|arm64) \| \d+\.\d+\.\d+ \| 20\d\d[a-z] \|$/gm)).toHaveLength(
      Object.keys(targets).length,
    );
  });

  it.each([
    ['1.0.0', changelog, 'of 1.1.0, not of 1.0.0'],
    ['1.0.0', '# Changelog\n', 'of no version, not of 1.0.0'],
  ])('of %s are missing', (version, text, message) => {
    expect(() => findNewestNotes(text, version)).toThrow(message);
  });
});

describe('the guides', () => {
  it.each(['README.md', 'docs/hosting.md'])('%s names the files of this version', (guide) => {
    const named = readFileSync(guide, 'utf8').matchAll(/\bsalon[-_:](\d+\.\d+\.\d+(?:-rc\.\d+)?)/g);
    expect(new Set([...named].map(([, found]) => found))).toEqual(new Set([version]));
  });
});

describe('the list of parts', () => {
  const release = { name: 'salon', version: '1.0.0', license: 'MIT', date: new Date('2026-11-24T10:00:00Z') };
  const parts = [
    { name: '@fastify/error', version: '4.2.0', license: 'MIT' },
    { name: 'tslib', version: '2.8.1', license: '0BSD' },
  ];

  it('is CycloneDX with names, versions and licences', () => {
    const sbom = JSON.parse(renderSbom(release, parts));
    expect(sbom).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: { timestamp: '2026-11-24T10:00:00.000Z', component: { type: 'application', name: 'salon' } },
    });
    expect(sbom.components).toEqual([
      {
        type: 'library',
        'bom-ref': 'pkg:npm/%40fastify/error@4.2.0',
        group: '@fastify',
        name: 'error',
        version: '4.2.0',
        licenses: [{ expression: 'MIT' }],
        purl: 'pkg:npm/%40fastify/error@4.2.0',
      },
      {
        type: 'library',
        'bom-ref': 'pkg:npm/tslib@2.8.1',
        name: 'tslib',
        version: '2.8.1',
        licenses: [{ expression: '0BSD' }],
        purl: 'pkg:npm/tslib@2.8.1',
      },
    ]);
  });

  it('has a serial number of its contents', () => {
    const serialOf = (some: typeof parts) => JSON.parse(renderSbom(release, some)).serialNumber;
    expect(serialOf(parts)).toMatch(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(serialOf(parts)).toBe(serialOf(parts));
    expect(serialOf(parts.slice(1))).not.toBe(serialOf(parts));
  });
});
