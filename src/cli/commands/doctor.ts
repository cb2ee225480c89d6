import type { Command } from 'commander';
import type { ActionRunner, Handler } from '../action-runner.ts';
import type { Check } from '../doctor/check-result.ts';
import type { FlagTable, FlagValues } from '../flags/flag.ts';
import { printFlags } from '../flags/options.ts';
import { formats } from '../flags/values.ts';
import { columnSet } from '../output/columns.ts';
import { type CommandResult, onePage } from '../output/command-result.ts';
import { isOnScreen, readLayout, wantsColor } from '../output/format.ts';
import { createListWriter } from '../output/list-writer.ts';
import type { CommandContext } from '../session/command-context.ts';

const doctorFlags = {
  bundle: { flag: '--bundle <file.zip>', help: 'Also write a file for support: no keys, no personal data' },
  ...printFlags,
} as const satisfies FlagTable;

type Flags = FlagValues<typeof doctorFlags>;

const columns = columnSet({ check: 'text', status: 'text', message: 'text', hint: 'text' });

export function registerDoctor(command: Command, runner: ActionRunner): void {
  runner.define(command, {
    flags: doctorFlags,
    notes,
    examples: {
      'salon doctor': 'Find out why a command fails',
      'salon doctor -p shop --json': 'Check another profile, in a script',
      'salon doctor --bundle salon-support.zip': 'Collect what support needs',
    },
    handler: async () => runDoctor,
  });
}

const notes = `Checks versions, folders, profile and settings, proxy, DNS, TCP, TLS and the
certificate, the API, clocks, the key, its role and the rate limit; for an
embedded salon also its database. Nothing is changed. The exit code is that of
the first problem; warnings alone are 0.`;

const runDoctor: Handler<Flags> = async (context) => {
  const { flags, io, messages, status } = context;
  const { diagnose } = await import('../doctor/diagnose.ts');
  const { findBundleTarget, writeBundle } = await import('../doctor/bundle.ts');
  const target = flags.bundle === undefined ? undefined : await findBundleTarget(flags.bundle, io.cwd);
  const checks: Check[] = [];
  for await (const check of diagnose(context)) {
    checks.push(check);
    status.show('work', () => `checked: ${checks.map(({ check: name }) => name).join(', ')}`);
  }
  status.hide('work');
  if (target !== undefined) {
    await writeBundle(target, { checks, context, isMasked: flags.mask !== false });
    messages.info(`Wrote ${target.path}.`);
  }
  const exitCode = checks.find(({ exitCode: code }) => code !== undefined)?.exitCode ?? 0;
  return { ...(await toResult(checks, context)), exitCode };
};

async function toResult(checks: readonly Check[], context: CommandContext<Flags>): Promise<CommandResult> {
  const { flags, io } = context;
  const { columns: width } = io.terminal;
  const layout = await readLayout(context).catch(() => undefined);
  // Without a session there are only flags.
  const given = flags.json ? 'json' : formats.find((name) => name === flags.format && name !== 'xlsx');
  const wanted = layout ?? given ?? (io.terminal.output ? 'table' : 'tsv');
  if (wanted !== 'table') {
    const rows = checks.map(wanted === 'json' || wanted === 'ndjson' ? toRecord : toRow);
    if (layout !== undefined) return { show: 'records', noun: 'checks', columns, pages: onePage(rows) };
    const style = { excel: false, width, color: false, plain: false, timeZone: 'UTC' };
    const writer = createListWriter({ ...style, layout: wanted, columns, isOnScreen: isOnScreen(context) });
    const parts = [await writer.begin([]), await writer.rows(rows), await writer.end()];
    return { show: 'text', text: parts.join('') };
  }
  const { renderChecks, renderCheckSummary } = await import('../doctor/check-result.ts');
  const plain = await context.isPlain();
  const style = {
    width: plain ? Number.POSITIVE_INFINITY : width,
    color: wantsColor(io, flags.color) && flags.output === undefined,
    plain,
  };
  return { show: 'text', text: `${renderChecks(checks, style)}\n${renderCheckSummary(checks)}\n` };
}

function toRow({ check, status, message, hint }: Check) {
  return { check, status, message, hint: hint ?? null };
}

function toRecord(check: Check) {
  const { exitCode, details = {} } = check;
  return { ...toRow(check), details, ...(exitCode === undefined ? {} : { exit_code: exitCode }) };
}
