import { createHash } from 'node:crypto';
import type { BundledPackage } from './bundled-packages.ts';

/** What an entry of the list of parts needs of a package. */
export type Part = Pick<BundledPackage, 'name' | 'version' | 'license'>;

/**
 * The parts of a release, as CycloneDX 1.6 in JSON. The same parts and date give the same text: the serial number, which is
 * random elsewhere, is made from the contents.
 */
export function renderSbom(release: Part & { readonly date: Date }, parts: readonly Part[]): string {
  const contents = {
    version: 1,
    metadata: {
      timestamp: release.date.toISOString(),
      component: { type: 'application', ...toComponent(release) },
    },
    components: parts.map((part) => ({ type: 'library', ...toComponent(part) })),
  };
  const serialNumber = `urn:uuid:${toUuid(JSON.stringify(contents))}`;
  const sbom = { bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber, ...contents };
  return `${JSON.stringify(sbom, undefined, 2)}\n`;
}

function toComponent({ name, version, license }: Part) {
  const [, group, ownName = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? [];
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return {
    'bom-ref': purl,
    ...(group === undefined ? {} : { group }),
    name: ownName,
    version,
    licenses: [{ expression: license }],
    purl,
  };
}

/** A UUID of version 8, whose bits are the program's own. */
function toUuid(text: string): string {
  const digits = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}
