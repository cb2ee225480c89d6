import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settingGroups, settingTable } from '../../src/cli/flags/settings.ts';
import { savedSettings, settableNames } from '../../src/cli/session/profile.ts';
import { serviceSettings } from '../../src/service/config.ts';
import type { SettingDefinition } from '../../src/settings.ts';
import { createMachine } from '../support/io.ts';

const root = join(import.meta.dirname, '../..');

interface DocumentedSetting extends SettingDefinition {
  readonly profileKey?: string;
}

const settings: readonly DocumentedSetting[] = Object.values(settingTable);
const ofService: readonly DocumentedSetting[] = Object.values(serviceSettings);

describe('the settings', () => {
  it('are those of docs/settings.md (write it with vitest run test/docs/settings.test.ts -u)', async () => {
    await expect(renderGuide()).toMatchFileSnapshot(join(root, 'docs/settings.md'));
  });

  it('are the only place that reads variables of salon', () => {
    const reads = globSync('src/**/*.ts', { cwd: root }).flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      return [...text.matchAll(/env\s*(?:\?\.)?\[['"]SALON_\w+|env\.SALON_\w+/g)].map(
        ([read]) => `${file}: ${read}`,
      );
    });
    // The completion scripts pass the command line in it.
    expect(reads).toEqual([`${join('src', 'cli', 'completion', 'complete.ts')}: env['SALON_COMPLETE`]);
  });

  it('are all used', () => {
    const files = globSync('src/**/*.ts', { cwd: root }).filter(
      (file) => !file.endsWith(join('flags', 'settings.ts')),
    );
    const source = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
    const isRead = (reads: string) => new RegExp(reads).test(source);
    // One setting of a dialect is read with the others.
    const unused = Object.entries<DocumentedSetting>(settingTable).filter(([name, { variable }]) => {
      const flagOrSetting = `(?:[sS]ettings|flags|settingTable)\\??\\.${name}\\b`;
      const taken = `[{,]\\s*${name}\\b[^{}]*\\}(?:: GlobalFlags| = settings\\b)`;
      return name !== 'dialectPart' && !isRead(`${flagOrSetting}|${taken}|'${variable}'`);
    });
    expect(unused.map(([name]) => `${name} of src/cli/flags/settings.ts`)).toEqual([]);
    const unread = Object.entries<DocumentedSetting>(serviceSettings).filter(([name, { variable }]) => {
      const taken = `serviceSettings\\.${name}\\b|[{,] ${name}\\b.*\\} = serviceSettings`;
      return !isRead(`read\\('${name}'\\)|${taken}|= '${variable}'`);
    });
    expect(unread.map(([name]) => `${name} of src/service/config.ts`)).toEqual([]);
  });

  it.each(['src/**/*.ts', 'docs/*.md', 'README.md'])(
    'include every variable that is named in %s',
    (pattern) => {
      const known = new Set([...settings, ...ofService].map(({ variable }) => variable));
      const named = globSync(pattern, { cwd: root }).flatMap((file) => {
        return readFileSync(join(root, file), 'utf8').match(/\bSALON_[A-Z_]*[A-Z]\b/g) ?? [];
      });
      const others = named.filter((name) => !known.has(name) && !name.startsWith('SALON_DIALECT_'));
      const notSettings = ['SALON_COMPLETE', 'SALON_RELEASE_URL'];
      expect(others.filter((name) => !notSettings.includes(name))).toEqual([]);
    },
  );

  it('with a flag are in help', async () => {
    using machine = createMachine();
    const helpOf = async (argv: readonly string[]) => (await machine.salon(argv)).stdout;
    const globalHelp = await helpOf(['help', 'flags']);
    const serviceHelp = await helpOf(['server', 'start', '--help']);
    for (const { flag, commands } of settings) {
      if (flag === undefined) continue;
      expect(commands ? await helpOf([...commands.split(' '), '--help']) : globalHelp).toContain(flag);
    }
    for (const { flag = '' } of ofService) expect(serviceHelp).toContain(flag);
  });
});

describe('the settings of a profile', () => {
  it.each(savedSettings.filter(({ isSavedByLogin }) => !isSavedByLogin))(
    'set, show and check $profileKey',
    async (setting) => {
      using machine = createMachine();
      const login = ['auth', 'login', '--base-url', 'http://127.0.0.1:9', '--no-verify'];
      await machine.salon(login, { stdin: 'slk_test' });
      const example = toExample(setting);
      const set = await machine.salon(['profiles', 'set', 'default', setting.profileKey, example]);
      expect(set).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`${setting.profileKey} is`) });
      const shown = await machine.salon(['profiles', 'show']);
      expect(shown.stdout).toMatch(new RegExp(`\\b${setting.profileKey}\\b.*\\bprofile$`, 'm'));
      const checks = await machine.salon(['doctor']);
      expect(checks.stdout).toContain(`${setting.profileKey} (profile)`);
      const offered = await machine.salon(['__complete', 'profiles', 'set', 'default', '']);
      expect(offered.stdout.split('\n')).toContain(setting.profileKey);
    },
  );

  it('are named by profiles set --help and by its error', async () => {
    using machine = createMachine();
    const { stdout } = await machine.salon(['profiles', 'set', '--help']);
    const words = stdout.replaceAll(/\s+/g, ' ');
    for (const name of settableNames) expect(words).toContain(name);
  });
});

/** A value that fits: its help names one where there are no choices and no default. */
function toExample({ type, choices, default: usual, help }: SettingDefinition): string {
  if (type === 'boolean') return 'true';
  if (type === 'path') return 'file.pem';
  const [, example] = /e\.g\. ([^(,]*)/.exec(help) ?? [];
  return choices?.[0] ?? usual ?? example?.trim() ?? 'text';
}

const heading = ['flag', 'variable', 'in a profile', 'default', 'meaning'];

function renderGuide(): string {
  const groups = Object.entries(settingGroups).map(([group, definitions]) => {
    return `## ${group}\n\n${renderTable(Object.values(definitions))}`;
  });
  return `# Settings

A flag wins over an environment variable, a variable over the profile, and the profile over the default. Time zone, currency,
hours and country are those that the salon has now (\`salon settings\`), unless one is given on purpose, which is said on
standard error. The zone of the machine (\`TZ\`) counts only where the server names none, and is named in a warning; a \`TZ\`
that names no time zone, such as \`CET-1CEST,M3.5.0,M10.5.0/3\`, is refused there. Errors name the setting that is invalid. \`salon profiles show\`
prints each setting and where it comes from; \`salon profiles set\` changes one of a profile, and \`default\` as the value
removes it. An empty flag, argument or \`SALON_\` variable of the command line is refused with exit code 2, because it usually
comes from something that is not set; a switch such as \`SALON_PLAIN\` is then off. The flag \`--profile\` wins over the variables of base URL, key and dialect.

This page is written from the tables in the code. [Connecting](connecting.md) covers profiles, [Networks](networks.md)
proxies, certificates and headers, and [Other servers](other-servers.md) the dialect.

${groups.join('\n\n')}

## The service

Flags of \`salon server start\`, and variables that all commands of \`salon server\` read. See [Hosting](hosting.md).

${renderTable(ofService)}
`;
}

function renderTable(definitions: readonly DocumentedSetting[]): string {
  const rows = definitions.map(({ flag, variable, profileKey, default: usual, help, choices, commands }) => {
    const where = commands === undefined ? '' : ` (${commands})`;
    const meaning = choices === undefined ? help : `${help}: ${choices.join(', ')}`;
    return [`${toCode(flag)}${where}`, toCode(variable), toCode(profileKey), toCode(usual), meaning];
  });
  const columns = heading.filter((_, index) => rows.some((row) => row[index] !== ''));
  const shown = [heading, ...rows].map((row) => columns.map((name) => row[heading.indexOf(name)] ?? ''));
  const widths = columns.map((_, index) => Math.max(...shown.map((row) => row[index]?.length ?? 0)));
  const lines = shown.map((row) => row.map((cell, index) => cell.padEnd(widths[index] ?? 0)));
  lines.splice(
    1,
    0,
    widths.map((width) => '-'.repeat(width)),
  );
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function toCode(text: string | undefined): string {
  return text === undefined ? '' : `\`${text}\``;
}
