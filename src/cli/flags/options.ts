import { type Command, Option } from 'commander';
import { formats } from './values.ts';

/** Flags of a command that prints many records. */
export interface ListFlags extends PrintFlags {
  readonly limit?: string;
  readonly sort?: string;
  readonly param?: readonly string[];
}

/** Flags of a list that can be exported. */
export interface ExportFlags extends ListFlags {
  readonly consistent?: boolean;
  readonly manifest?: boolean;
  readonly sinceLast?: boolean;
  readonly state?: string;
  readonly overlap?: string;
  readonly shard?: string;
}

/** Flags of a command that prints records. */
export interface PrintFlags {
  readonly columns?: string;
  readonly output?: string;
  readonly excel?: boolean;
}

/** Flags of a command that writes one record. */
export interface WriteFlags {
  readonly set?: readonly string[];
  readonly data?: string;
  readonly dryRun?: boolean;
}

/** Flags of a command that changes one record. */
export interface ChangeFlags extends WriteFlags {
  readonly partial?: boolean;
  readonly exitCode?: boolean;
}

/** Flags that mean the same on every command, before or after it. */
export function addGlobalOptions(program: Command): Command {
  return program
    .option('-p, --profile <name>', 'which profile to work with (SALON_PROFILE)')
    .option('--base-url <url>', 'address of the salon for this call (SALON_BASE_URL)')
    .addOption(new Option('-f, --format <format>', 'how data is printed').choices(formats))
    .option('--json', 'the same as --format json')
    .option('-q, --quiet', 'say nothing beside the data')
    .option('-v, --verbose', 'say more')
    .option('--debug', 'show every request and answer, secrets masked')
    .option('--timeout <time>', 'patience for one request, such as 30s')
    .option('--retries <n>', 'how often a request is tried again')
    .option('--max-wait <time>', 'patience for all waiting of a command, such as 10m')
    .option('--rate <requests>', 'requests it may send an hour, in bursts if it likes: 5000/h')
    .option('--concurrency <n>', 'requests side by side')
    .option('--no-color', 'no colour (also NO_COLOR)')
    .option('--plain', 'for screen readers: whole lines, no drawn tables, no spinner (SALON_PLAIN)')
    .option('--no-pager', 'print long tables straight, not through PAGER')
    .option('--no-input', 'never ask; fail instead (SALON_NO_INPUT)');
}

export function addPrintOptions(command: Command): Command {
  return command
    .option('-c, --columns <a,b,c>', 'which fields, in which order; +all for every field')
    .option('-o, --output <file>', 'write the data there, whole or not at all')
    .option('--excel', 'CSV as Excel wants it: BOM, CRLF, formula cells guarded');
}

export function addListOptions(command: Command): Command {
  return addPlainListOptions(command).option(
    '--sort <field>',
    'order by a field; -field for the other way round',
  );
}

/** For a list that has one order. */
export function addPlainListOptions(command: Command): Command {
  return addPrintOptions(command)
    .option('--limit <n>', 'stop after n records')
    .option('--param <name=value>', 'a further query parameter, as it is; repeatable', collect);
}

/** Those of a list that is exported whole, and by what was changed since the last time. */
export function addExportOptions(command: Command): Command {
  return addWholeListOptions(command)
    .option('--since-last', 'only what was changed since the export that wrote --state')
    .option('--state <file>', 'where --since-last keeps up to when everything was exported')
    .option('--overlap <time>', 'how far --since-last reaches back behind that; 2m when left out');
}

/** Those of a list, and what whole exports need beside them. */
export function addWholeListOptions(command: Command): Command {
  return addListOptions(command)
    .option('--consistent', 'read again until two passes agree on the records, five times at most')
    .option('--manifest', 'with --output: also write <file>.manifest.json with counts and a checksum')
    .option('--shard <i/n>', 'write only the i-th of n parts, by identifier; each reads the whole list');
}

export function addWriteOptions(command: Command): Command {
  return command
    .option('--set <field=value>', 'a field; field:=json for anything but text; repeatable', collect)
    .option('--data <json>', 'fields as a JSON object, @file, or - for standard input')
    .option('-n, --dry-run', 'show what would be sent, send nothing');
}

/** For a command that changes one record. */
export function addChangeOptions(command: Command): Command {
  return addWriteOptions(command)
    .option('--partial', 'send only the changes, for a server known to merge')
    .option('--exit-code', 'with --dry-run: exit 9 when something would change');
}

/** For a command that asks before it changes something on this machine. */
export function addYesOption(command: Command): Command {
  return command.option('-y, --yes', 'do not ask');
}

/** For a command that changes a salon without asking, unless the profile is protected. */
export function addConfirmOption(command: Command): Command {
  return command.option('--confirm <account>', 'the account it is meant for; a protected profile wants it');
}

/** For a command that asks before it changes a salon. */
export function addConsentOption(command: Command): Command {
  return addConfirmOption(addYesOption(command));
}

/** Examples under a command's help: a line each, with what it is for. */
export function addExamples(
  command: Command,
  examples: readonly (readonly [line: string, what: string])[],
): Command {
  const body = examples.map(([line, what]) => `  # ${what}\n  $ ${line}`).join('\n\n');
  return command.addHelpText('after', `\nExamples:\n${body}`);
}

/** For options that may be given several times. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
