import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderManPages, writeManPages } from '../../packaging/man/man-pages.ts';
import { isInstalled } from '../support/gateway-process.ts';
import { createMachine } from '../support/io.ts';

const edition = { date: new Date('2026-11-24T10:00:00Z'), releaseUrl: undefined };
const pages = await renderManPages(edition);
const folder = mkdtempSync(join(tmpdir(), 'salon-man-'));
beforeAll(() => writeManPages(folder, edition));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the manual pages', () => {
  it('are one for every command and topic', () => {
    const files = pages.map(({ file }) => file);
    expect(files).toEqual(expect.arrayContaining(['salon.1', 'salon-clients-list.1', 'salon-exit-codes.7']));
    expect(new Set(files).size).toBe(files.length);
    expect(files.length).toBeGreaterThan(100);
  });

  it('carry the date of the source and nothing of the machine', async () => {
    expect(pages[0]?.text).toMatch(/^\.TH SALON 1 2026-11-24 "salon \S+" "Salon Manual"\n/);
    expect(await renderManPages(edition)).toEqual(pages);
  });

  it('refer only to pages that exist', () => {
    const text = pages.map((page) => page.text.replaceAll('\\-', '-')).join('\n');
    const named = [...text.matchAll(/\\fB([\w-]+)\\fR\(([17])\)/g)].map(
      ([, name, section]) => `${name}.${section}`,
    );
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((file) => !pages.some((page) => page.file === file))).toEqual([]);
  });
});

describe.skipIf(!isInstalled('mandoc'))('mandoc', () => {
  it('finds no fault in any page', () => {
    const paths = pages.map(({ file }) => join(folder, file));
    expect(execFileSync('mandoc', ['-Tlint', ...paths], { encoding: 'utf8' })).toBe('');
  });

  it('prints every word of the help', async () => {
    using machine = createMachine({ columns: 10_000 });
    const lost: string[] = [];
    const printedPages = readPages(pages.map(({ file }) => file));
    expect(printedPages).toHaveLength(pages.length);
    for (const [index, { file, text }] of pages.entries()) {
      const { stdout: help } = await machine.salon(['help', ...findWords(file, text)]);
      const printed = printedPages[index] ?? '';
      // Of the purpose, a page leaves out the full stop.
      const words = help.replace('.\n', '\n').replaceAll(layout, '').split(/\s+/);
      lost.push(...words.filter((word) => !printed.includes(word)).map((word) => `${file}: ${word}`));
    }
    expect(lost).toEqual([]);
  });

  it('shows flags and notes under headings, with a line for each line of the help', () => {
    expect(readPage('salon-jobs-list.1').replaceAll(/ +/g, ' ')).toContain(
      '\nSTATES\n running\n A process is working on it\n\n interrupted\n Stopped, or',
    );
    const page = readPage('salon-clients-duplicates.1');
    expect(page).toMatch(/\nDESCRIPTION\n +Compared are .*email addresses and names \(accents/);
    expect(page).toMatch(/\n +likely Similar name, .* birthday\n +Same name, /);
    expect(page).toMatch(/\nSEE ALSO\n +salon-clients\(1\), salon-flags\(7\), salon-exit-codes\(7\)\n/);
  });
});

/** What help has for its own layout: the word for usage, the prompt, headings, the pointer at the end. */
const layout = /^Usage: |^ {2}[#$] |^[A-Z][^:\n]*:$|^Global flags: .*$/gm;

/** What a page is about, as words behind `salon help`. */
function findWords(file: string, text: string): string[] {
  const [, command] = /^\.SH SYNOPSIS\n\\fBsalon(.*?) ?\\fR/m.exec(text.replaceAll('\\-', '-')) ?? [];
  return command?.split(' ').filter((word) => word !== '') ?? [file.replace(/^salon-|\.7$/g, '')];
}

function readPage(file: string): string {
  return readPages([file])[0] ?? '';
}

/** Pages as mandoc prints them, without the bold and the underlines. Each begins with its name at both ends of a line. */
function readPages(files: readonly string[]): readonly string[] {
  const paths = files.map((file) => join(folder, file));
  const text = execFileSync('mandoc', ['-Tutf8', '-Owidth=900', ...paths], { encoding: 'utf8' });
  return text
    .replaceAll(/.[\b]/gu, '')
    .split(/^(?=([A-Z-]+\([17]\)) .* \1$)/m)
    .filter((_, index) => index % 2 === 0);
}
