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
    .optionsGroup('Salon:')
    .option('-p, --profile <name>', 'Use this profile (SALON_PROFILE)')
    .option('--base-url <url>', 'Base URL of the salon (SALON_BASE_URL)')
    .optionsGroup('Output:')
    .addOption(new Option('-f, --format <format>', 'Output format').choices(formats))
    .option('--json', 'Short for --format json')
    .option('--plain', 'For screen readers: no drawn tables, no spinner (SALON_PLAIN)')
    .option('--no-color', 'Print without colour (NO_COLOR)')
    .option('--no-pager', 'Do not use a pager for long tables')
    .option('--strict', 'Exit with 3 if nothing proves that a list is complete and filtered')
    .option('-q, --quiet', 'Print only the data')
    .option('-v, --verbose', 'Print more messages')
    .optionsGroup('Troubleshooting:')
    .option('--debug', 'Show every request and response, personal data masked')
    .option('--trace <file>', 'Save them as an HTTP archive (HAR), personal data masked')
    .option('--no-mask', 'Keep personal data in --debug, --trace, --bundle (never keys)')
    .option('--curl', 'Show requests as curl commands; changes are not sent')
    .optionsGroup('Requests:')
    .option('--timeout <time>', 'Time limit per request, e.g. 30s')
    .option('--retries <n>', 'Maximum retries per request, except of 429 (default: 5)')
    .option('--max-wait <time>', 'Maximum total waiting time, e.g. 10m')
    .option('--rate <rate>', 'Maximum request rate, e.g. 5000/h (bursts allowed)')
    .option('--concurrency <n>', 'Maximum parallel requests')
    .optionsGroup('Network:')
    .option('--ca-file <file>', 'Also trust these certificate authorities (PEM)')
    .option('--client-cert <file>', 'Client certificate (PEM)')
    .option('--client-key <file>', 'Its private key, if not in the same file')
    .option('--header <name: value>', 'Send a header with every request; repeatable', collect)
    .optionsGroup('Other:')
    .option('--no-input', 'Never prompt; fail instead (SALON_NO_INPUT)');
}

export function addPrintOptions(command: Command): Command {
  return command
    .option('-c, --columns <a,b,c>', 'Columns to show; +all for every column', joinLists)
    .option('-o, --output <file>', 'Write to a file, in the format of its extension')
    .option('--excel', 'CSV for spreadsheets: local times, decimals');
}

export function addListOptions(command: Command): Command {
  return addPlainListOptions(command).option('--sort <field>', 'Sort by a field; -field for descending');
}

/** For lists with a fixed order. */
export function addPlainListOptions(command: Command): Command {
  return addPrintOptions(command)
    .option('--limit <n>', 'Stop after n records')
    .option('--param <name=value>', 'Extra query parameter, sent unchanged; repeatable', collect);
}

/** For lists that can be exported, whole or only what changed. */
export function addExportOptions(command: Command): Command {
  return addWholeListOptions(command)
    .option('--since-last', 'Export only changes since the last run; needs --state')
    .option('--state <file>', 'File where --since-last saves its position')
    .option('--overlap <time>', 'Overlap of --since-last with the last run (default: 2m)');
}

/** For lists that can be exported whole. */
export function addWholeListOptions(command: Command): Command {
  return addListOptions(command)
    .option('--consistent', 'Read until two passes agree (at most 5 passes)')
    .option('--manifest', 'Write counts and a checksum to <file>.manifest.json')
    .option('--shard <i/n>', 'Write only part i of n, e.g. 2/4');
}

export function addWriteOptions(command: Command): Command {
  return command
    .option('--set <field=value>', 'Set a field; field:=json for JSON; repeatable', collect)
    .option('--data <json>', 'Fields as JSON, @file, or - for stdin')
    .option('-n, --dry-run', 'Check and show what would be sent; change nothing');
}

/** For commands that change one record. */
export function addChangeOptions(command: Command): Command {
  return addWriteOptions(command)
    .option('--partial', 'Send only changed fields, if the server merges them')
    .option('--exit-code', 'With --dry-run: exit with 9 if anything would change');
}

/** For commands that ask before they change something on this machine. */
export function addYesOption(command: Command): Command {
  return command.option('-y, --yes', 'Do not ask for confirmation');
}

/** For commands that change a salon without asking, unless the profile is protected. */
export function addConfirmOption(command: Command): Command {
  return command.option('--confirm <account>', 'Account name or ID, for protected profiles');
}

/** For commands that ask before they change a salon. */
export function addConfirmationOptions(command: Command): Command {
  return addConfirmOption(addYesOption(command));
}

/** Parser of an option with a comma-separated list, which may be given several times. */
export function joinLists(value: string, before?: string): string {
  return before === undefined ? value : `${before},${value}`;
}

/** Parser of a repeatable option. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

const extensions = new WeakMap<Command, readonly string[]>();

/** Lets `--output` of a command name files that no other command writes, such as `.html`. */
export function addExtensions(command: Command, others: readonly string[]): Command {
  extensions.set(command, others);
  return command;
}

export function extensionsOf(command: Command): readonly string[] {
  return extensions.get(command) ?? [];
}
