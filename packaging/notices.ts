import type { BundledPackage } from './bundled-packages.ts';

/** Its name in a release, beside the executables. */
export const noticesFile = 'THIRD_PARTY_NOTICES';

/** The licences of what is bundled. Packages under the same text are named above it, once. */
export function renderNotices(packages: readonly BundledPackage[]): string {
  const byText = Map.groupBy(
    packages,
    ({ license, notices }) => notices.join('\n\n') || `License: ${license}`,
  );
  const parts = [...byText].map(([text, same]) => {
    const names = same.map(({ name, version, license }) => `${name} ${version} (${license})`);
    return `${names.join('\n')}\n\n${text}\n`;
  });
  return ['salon contains these packages, under these licences.\n', ...parts].join(`\n${'-'.repeat(78)}\n\n`);
}
