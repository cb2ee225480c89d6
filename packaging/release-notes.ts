import type { Target } from './executables/targets.ts';

/** The newest section of a change log, which has to be that of the version. Throws if it is of another. */
export function findNewestNotes(changelog: string, version: string): string {
  const [section = ''] = /^## [\s\S]*?(?=^## |(?![\s\S]))/m.exec(changelog) ?? [];
  const title = section.slice(3).split(/[ \n]/)[0];
  if (title !== version) {
    throw new Error(
      `The newest section of the change log is of ${title || 'no version'}, not of ${version}.`,
    );
  }
  return `${section.trim()}\n`;
}

/** Which Node is in each executable, and by which rules of the clock it goes. */
export function renderNodeVersions(targets: Readonly<Record<string, Target>>): string {
  const lines = Object.entries(targets).map(
    ([name, { node }]) => `| ${name} | ${node.version} | ${node.tz} |\n`,
  );
  return `\n### Node in the executables\n\n| system | Node | time zones (tz) |\n| --- | --- | --- |\n${lines.join('')}`;
}
