import { execFileSync } from 'node:child_process';
import { posix } from 'node:path';
import { readImports } from './imports.ts';
import type { Rule, SourceFile } from './source-file.ts';
import { splitText } from './split-text.ts';

const maxLines = 300;

/** Finds files that are too long. */
export const findLongFiles: Rule = (files) =>
  files.flatMap(({ path, text }) => {
    const lines = text.replace(/\n$/, '').split('\n').length;
    return lines > maxLines ? [`${path} has ${lines} lines; the limit is ${maxLines}`] : [];
  });

const vagueNames = 'utils|helpers|common|shared|misc|core|base|manager|types|constants';

/** Finds files and folders with a vague name, or a name that is not kebab-case. */
export const findVagueNames: Rule = (files) =>
  files.flatMap(({ path }) => {
    const names = path.split('/').map((name) => name.split('.')[0] ?? '');
    const vague = names.find((name) => new RegExp(`^(?:${vagueNames})$`).test(name));
    if (vague !== undefined) return [`${path} has the vague name ${vague}`];
    return names.every((name) => /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name))
      ? []
      : [`${path} is not named in kebab-case`];
  });

/** Finds `process` and `console`, which are passed in as an Io instead. */
export const findGlobals: Rule = (files) =>
  findInCode(files, /(?<![\w$.])(?:globalThis\.)?(?:process|console)(?![\w$])/g, 'uses').concat(
    findBuiltIns(files, ['node:process', 'node:console']),
  );

/** Finds imports of the database driver. */
export const findDriver: Rule = (files) => findBuiltIns(files, ['node:sqlite']);

/** Finds re-exports: a name has one home. */
export const findReExports: Rule = (files) =>
  findInCode(files, /^[ \t]*export\s+(?:type\s+)?(?:\*|\{)/gm, 're-exports:');

/** What the two database engines call alike, because one stands for the other. */
const isOfEngine = (path: string) => /\/db\/(?:sqlite|postgres)\//.test(path);

/** Finds names that two files export. */
export const findDoubleNames: Rule = (files) => {
  const exported =
    /^export (?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) ([\w$]+)/gm;
  const homes = new Map<string, Set<string>>();
  for (const { path, text } of files) {
    for (const [, name = ''] of text.matchAll(exported)) {
      homes.set(name, (homes.get(name) ?? new Set()).add(path));
    }
  }
  return [...homes]
    .filter(([, paths]) => paths.size > 1 && ![...paths].every(isOfEngine))
    .map(([name, paths]) => `${name} is exported by ${[...paths].join(' and ')}`);
};

/** Finds notes of unfinished work. */
export const findNotes: Rule = (files) => findInComments(files, /\b(?:TODO|FIXME|XXX|HACK)\b/g, 'contains');

/** Finds comments that disable a tool. */
export const findSuppressions: Rule = (files) =>
  findInComments(
    files,
    /@ts-[a-z-]+|\b(?:biome|eslint|prettier|v8|istanbul|c8)[- ](?:ignore|disable)[\w-]*/g,
    'disables a tool:',
  );

/** Flags of salon that V8 has, too. */
const ownFlags = ['help', 'trace'];
/** The names of V8's flags in this Node. */
const engineFlags: ReadonlySet<string> = new Set(
  [...execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' }).matchAll(/^ +--([\w-]+) \(/gm)]
    .map(([, name = '']) => name)
    .filter((name) => !ownFlags.includes(name)),
);

/** Finds V8 flags, in quotes or not, which another version of Node may not know. */
export const findEngineFlags: Rule = (files) =>
  files.flatMap(({ path, text }) => {
    const used = [...text.matchAll(/(?<=['"` ])--[a-z][\w-]+/g)].map(([flag]) => flag);
    const flags = used.filter((flag) =>
      engineFlags.has(flag.replaceAll('_', '-').replace(/^--(?:no-?)?/, '')),
    );
    const calls = [...text.matchAll(/setFlagsFromString|node:v8|NODE_OPTIONS\b(?=.*=)/g)].map(
      ([call]) => call,
    );
    return [...flags, ...calls].map((found) => `${path} sets a flag of V8: ${found}`);
  });

const loggerNames = 'log|logger|logging|output|stdout|stderr|print';

/** Finds importable loggers and outputs, which would bypass the Io. */
export const findLoggers: Rule = (files) => [
  ...files
    .filter(({ path }) => /^(?:log|logger|logging)$/.test(posix.basename(path).split('.')[0] ?? ''))
    .map(({ path }) => `${path} is an importable logger`),
  ...findInCode(
    files,
    new RegExp(`^export\\s+const\\s+(?:${loggerNames})\\b`, 'gm'),
    'has an importable output:',
  ),
];

function findBuiltIns(files: readonly SourceFile[], names: readonly string[]): string[] {
  return files.flatMap((file) =>
    readImports(file)
      .filter((taken) => taken.kind !== 'type' && names.includes(taken.package ?? ''))
      .map((taken) => `${file.path} imports ${taken.package}`),
  );
}

function findInCode(files: readonly SourceFile[], pattern: RegExp, verb: string): string[] {
  return files.flatMap(({ path, text }) => findIn(path, splitText(text).code, { pattern, verb }));
}

function findInComments(files: readonly SourceFile[], pattern: RegExp, verb: string): string[] {
  return files.flatMap(({ path, text }) => findIn(path, splitText(text).comments, { pattern, verb }));
}

function findIn(path: string, text: string, { pattern, verb }: { pattern: RegExp; verb: string }): string[] {
  return [...text.matchAll(pattern)].map((match) => {
    const line = text.slice(0, match.index).split('\n').length;
    return `${path}:${line} ${verb} ${match[0].trim()}`;
  });
}
