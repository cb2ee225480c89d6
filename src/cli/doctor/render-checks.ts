import { Chalk } from 'chalk';
import { cleanText } from '../messages/clean-text.ts';
import { wrapText } from '../output/fit-text.ts';
import type { Check } from './check.ts';

export interface CheckStyle {
  readonly width: number;
  readonly color: boolean;
  /** For screen readers: words instead of marks, and no columns. */
  readonly plain: boolean;
}

const marks = { ok: '✓', warning: '!', problem: '✗', skipped: '–' } as const;
const indent = 14;

/** A check for people: one line, and below it what to do. */
export function renderCheck(check: Check, { width, color, plain }: CheckStyle): string {
  const { status, message, hint } = check;
  const sentences = [message, ...(hint === undefined ? [] : [hint])].map(cleanText);
  if (plain) return `${status}: ${check.check}: ${sentences.join('. ').replaceAll('..', '.')}\n`;
  const chalk = new Chalk({ level: color ? 1 : 0 });
  const paint = { ok: chalk.green, warning: chalk.yellow, problem: chalk.red, skipped: chalk.dim }[status];
  const lines = sentences.flatMap((sentence) => wrapText(sentence, Math.max(20, width - indent)));
  const head = `${paint(marks[status])} ${check.check.padEnd(indent - 3)} `;
  return lines.map((line, index) => `${index === 0 ? head : ' '.repeat(indent)}${line}\n`).join('');
}

/** What the checks come to. */
export function renderSummary(checks: readonly Check[]): string {
  const count = (status: Check['status']) => checks.filter((check) => check.status === status).length;
  const counts = [countOf(count('problem'), 'problem'), countOf(count('warning'), 'warning')].filter(
    (text) => text !== '',
  );
  const all = count('skipped') === 0 ? 'Everything works.' : 'Everything that was checked works.';
  return counts.length === 0 ? all : `${counts.join(', ')}.`;
}

function countOf(count: number, noun: string): string {
  return count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`;
}
