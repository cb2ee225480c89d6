import type { Command } from 'commander';
import type { QueryValues } from '../../client/http/request-path.ts';
import { SalonError } from '../../contract/errors.ts';
import { cleanText } from '../../text/clean-text.ts';
import { renderJson } from '../../text/json.ts';
import type { ActionRunner } from '../action-runner.ts';
import { readJson } from '../flags/fields.ts';
import type { FlagTable, FlagValues } from '../flags/flag.ts';
import { confirmFlag, plainListFlags, printFlags, writeFlags } from '../flags/options.ts';
import { parseKeyValue } from '../flags/values.ts';
import type { CommandResult } from '../output/command-result.ts';
import { isOnScreen } from '../output/format.ts';
import type { CommandContext } from '../session/command-context.ts';

const apiFlags = {
  data: { ...writeFlags.data, help: 'Body: JSON, @file, or - for stdin' },
  param: {
    type: 'list',
    flag: '--param <name=value>',
    help: 'Query parameter; repeatable',
    parse: parseKeyValue,
  },
  include: { flag: '-i, --include', help: 'Print status and headers to stderr' },
  paginate: { flag: '--paginate', help: 'Read all pages of a list; print a record per line' },
  limit: { ...plainListFlags.limit, help: 'With --paginate: stop after n records' },
  ...printFlags,
  ...confirmFlag,
} as const satisfies FlagTable;

type Flags = FlagValues<typeof apiFlags>;

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

export function registerApi(command: Command, runner: ActionRunner): void {
  runner.define(command, {
    args: {
      '[method]': { help: `${methods.join(', ')}; without one, GET`, complete: methods },
      '[path]': { help: 'path, e.g. /clients, or with the prefix /api/v1/clients', complete: 'paths' },
    },
    flags: apiFlags,
    examples: {
      'salon api GET /clients --param per_page=1': 'Print the first client as sent by the service',
      'salon api GET /clients --paginate': 'Print all records of any list',
      [`salon api PUT /clients/cli_01jd… --data '{"notes":null}'`]: 'Send exactly this body',
    },
    handler: async () => sendRequest,
  });
}

async function sendRequest(
  context: CommandContext<Flags>,
  method = '',
  path = method,
): Promise<CommandResult> {
  const { flags, io, messages } = context;
  const verb = path === method ? 'GET' : method.toUpperCase();
  if (!methods.includes(verb) || ['', ...methods].includes(path.toUpperCase())) {
    const problem = methods.includes(verb) ? 'Missing path' : `Unknown method "${method}"`;
    throw new SalonError('usage', `${problem}.`, { hint: `Methods: ${methods.join(', ')}` });
  }
  if (path === method && flags.data !== undefined) throw new SalonError('usage', '--data needs a method.');
  const query = Object.fromEntries(flags.param ?? []);
  if (flags.paginate) return paginate(context, { verb, path, query });
  assertPlain(flags);
  const body = flags.data === undefined ? undefined : await readJson(flags.data, io);
  const client = await context.client();
  const response = await client.request(verb, path, {
    query,
    ...(body === undefined ? {} : { body }),
  });
  if (flags.include) {
    messages.info(`HTTP ${response.status}`);
    for (const [name, value] of Object.entries(response.headers)) messages.info(`${name}: ${value}`);
  }
  return { show: 'text', text: renderBody(response.body, isOnScreen(context)) };
}

/** Throws `usage` for a flag that only lists have. */
function assertPlain({ limit, columns, excel }: Flags): void {
  const given = Object.entries({ limit, columns, excel }).find(([, value]) => value !== undefined);
  if (given !== undefined) throw new SalonError('usage', `--${given[0]} needs --paginate.`);
}

async function paginate(
  { flags, client }: CommandContext<Flags>,
  { verb, path, query }: { readonly verb: string; readonly path: string; readonly query: QueryValues },
): Promise<CommandResult> {
  if (verb !== 'GET' || flags.data !== undefined || flags.include) {
    throw new SalonError('usage', '--paginate is for GET, without --data and --include.');
  }
  const { limit } = flags;
  const connected = await client();
  const list = connected.list(path, { query, limit });
  return {
    show: 'records',
    pages: list,
    columns: undefined,
    defaultFormat: 'ndjson',
    noun: 'records',
    rateLimit: connected.limits,
    report: list.consistency,
  };
}

function renderBody(body: unknown, isShown: boolean): string {
  if (body === undefined || body === '') return '';
  if (typeof body !== 'string') return `${renderJson(body, 2)}\n`;
  return `${isShown ? body.split(/\r?\n/).map(cleanText).join('\n') : body}\n`;
}
