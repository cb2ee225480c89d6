import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import type { ActionRunner } from '../../src/cli/action-runner.ts';
import { topics } from '../../src/cli/commands/help.ts';
import { defineCommand } from '../../src/cli/flags/command-definition.ts';
import { version } from '../../src/cli/io.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { type HelpSection, readHelpSections } from './help-sections.ts';
import { toRoff, toRoffLines, toTerm } from './roff.ts';

/** What differs between builds of the same source. */
interface Edition {
  /** At the foot of each page. */
  readonly date: Date;
  readonly releaseUrl: string | undefined;
}

interface ManPage {
  /** Such as `salon-clients-list.1`. */
  readonly file: string;
  readonly text: string;
}

/** Writes a manual page for every command and topic. Returns the names of the files. */
export async function writeManPages(folder: string, edition: Edition): Promise<string[]> {
  const pages = await renderManPages(edition);
  mkdirSync(folder, { recursive: true });
  for (const { file, text } of pages) writeFileSync(join(folder, file), text);
  return pages.map(({ file }) => file);
}

/** Renders what `salon help` prints about every command and topic. */
export async function renderManPages({ date, releaseUrl }: Edition): Promise<ManPage[]> {
  const program = await buildWideProgram(releaseUrl);
  const commands = listCommands(program).map((command) => ({
    name: pageName(command),
    section: 1,
    body: renderCommand(command),
  }));
  const explained = Object.entries(topics).map(([topic, { purpose, render }]) => ({
    name: `salon-${topic}`,
    section: 7,
    body: [
      renderName(`salon-${topic}`, purpose),
      ...readHelpSections(render(program, unwrapped)).map((section) => renderSection(section)),
      renderSeeAlso(['salon(1)']),
    ].join(''),
  }));
  return [...commands, ...explained].map(({ name, section, body }) => ({
    file: `${name}.${section}`,
    text: `${renderTitle(name, section, date)}${body}`,
  }));
}

/** A width at which help wraps nothing: man does. */
const unwrapped = 10_000;

function buildWideProgram(releaseUrl: string | undefined): Promise<Command> {
  const terminal = { input: false, output: false, messages: false, columns: unwrapped, rows: 24 };
  const runner: ActionRunner = { define: defineCommand };
  return buildProgram({ runner, io: { stdout: new Writable(), terminal, releaseUrl } });
}

function listCommands(command: Command): Command[] {
  return [command, ...childrenOf(command).flatMap(listCommands)];
}

function childrenOf(command: Command): Command[] {
  return command.createHelp().visibleCommands(command);
}

function pageName(command: Command): string {
  return command.parent === null ? command.name() : `${pageName(command.parent)}-${command.name()}`;
}

function renderTitle(name: string, section: number, date: Date): string {
  const day = date.toISOString().slice(0, 10);
  return `.TH ${toRoff(name.toUpperCase())} ${section} ${day} "salon ${toRoff(version)}" "Salon Manual"\n`;
}

function renderName(name: string, purpose: string): string {
  return `.SH NAME\n${toRoffLines(`${name} - ${purpose.replace(/\.$/, '')}`)}\n`;
}

function renderCommand(command: Command): string {
  const [, usage, ...others] = readHelpSections(helpOf(command));
  const pointer = others.pop();
  const examples = others.filter(({ heading }) => heading === 'Examples');
  const notes = others.filter(({ heading }) => heading === '');
  const [synopsis = ''] = usage?.content[0]?.lines ?? [];
  const helpTopics = pointer?.content.flatMap(
    ({ lines }) => lines.join(' ').match(/(?<=salon help )[\w-]+/g) ?? [],
  );
  return [
    renderName(pageName(command), command.description()),
    `.SH SYNOPSIS\n${toTerm(synopsis.replace('Usage: ', ''))}\n`,
    ...notes.map((section, index) =>
      renderSection({ ...section, heading: index === 0 ? 'Description' : '' }),
    ),
    ...others
      .filter((section) => !notes.includes(section) && !examples.includes(section))
      .map((section) => renderSection(section, command)),
    ...examples.map(renderExamples),
    renderSeeAlso([
      ...(command.parent === null ? [] : [`${pageName(command.parent)}(1)`]),
      ...(helpTopics ?? []).map((topic) => `salon-${topic}(7)`),
    ]),
  ].join('');
}

function helpOf(command: Command): string {
  const parts: string[] = [];
  command
    .configureOutput({ writeOut: (part) => parts.push(part), getOutHelpWidth: () => unwrapped })
    .outputHelp();
  return parts.join('');
}

/** Of a command whose help lists others, a term is one of their pages. */
function renderSection({ heading, content }: HelpSection, parent?: Command): string {
  const names = parent === undefined ? [] : childrenOf(parent).map((child) => child.name());
  const parts = content.map(({ term, lines }, index) => {
    const text = lines.map(toRoffLines).join('\n.br\n');
    if (term === undefined) return `${index === 0 && heading !== '' ? '' : '.PP\n'}${text}\n`;
    const isPage = parent !== undefined && names.includes(term);
    return `.TP\n${isPage ? toReference(`${pageName(parent)}-${term}(1)`) : toTerm(term)}\n${text}\n`;
  });
  return `${renderHeading(heading)}${parts.join('')}`;
}

function renderHeading(heading: string): string {
  return heading === '' ? '' : `.SH ${toRoff(heading.toUpperCase())}\n`;
}

/** Lines with `#` say what the next is for, and those with `$` are typed. */
function renderExamples({ heading, content }: HelpSection): string {
  const lines = content.flatMap((paragraph) => paragraph.lines);
  const parts = lines.map((line, index) => {
    const text = toRoff(line.slice(2));
    return line.startsWith('#')
      ? `${index === 0 ? '' : '.PP\n'}${text}:\n`
      : `.PP\n.RS 4\n.nf\n\\fB${text}\\fR\n.fi\n.RE\n`;
  });
  return `${renderHeading(heading)}${parts.join('')}`;
}

function renderSeeAlso(pages: readonly string[]): string {
  return `.SH SEE ALSO\n${pages.map(toReference).join(',\n')}\n`;
}

/** A page as `name(section)`, with its name in bold. */
function toReference(page: string): string {
  const [name = '', section = ''] = page.split('(');
  return `\\fB${toRoff(name)}\\fR(${section}`;
}
