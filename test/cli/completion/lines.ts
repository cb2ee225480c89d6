import { eventPatterns } from '../../../src/contract/events.ts';

/** A line up to the cursor, and what its last word can become. */
export interface Line {
  readonly line: string;
  readonly becomes: readonly string[];
  /** Shells that cannot do this, or leave it to themselves. */
  readonly except?: readonly string[];
}

const formats = ['table', 'json', 'ndjson', 'csv'];
const clientVerbs = ['list', 'get', 'create', 'update', 'delete'];

export const lines: readonly Line[] = [
  { line: 'salon clie', becomes: ['clients'] },
  { line: 'salon clients ', becomes: clientVerbs },
  { line: 'salon client ', becomes: clientVerbs },
  { line: 'salon profiles ', becomes: ['list', 'show', 'use', 'set', 'remove'] },
  { line: 'salon service key ', becomes: ['create', 'revoke'] },
  { line: 'salon service key cr', becomes: ['create'] },
  { line: 'salon completion ', becomes: ['bash', 'zsh', 'fish', 'powershell'] },
  { line: 'salon help cli', becomes: ['clients'] },
  { line: 'salon help exi', becomes: ['exit-codes'] },
  { line: 'salon api PA', becomes: ['PATCH'] },
  { line: 'salon api GET /cl', becomes: ['/clients'] },
  { line: 'salon api -p shop DELETE /cl', becomes: ['/clients'] },
  { line: 'salon api HEAD /m', becomes: ['/me'] },
  { line: 'salon api DELETE /m', becomes: [] },
  { line: 'salon api PATCH --data @plan.json /', becomes: ['/appointments', '/clients'] },
  { line: 'salon api GET /clients /cl', becomes: [] },
  { line: 'salon api /cl', becomes: [] },
  { line: 'salon profiles set shop time', becomes: ['time_zone', 'timeout'] },
  { line: 'salon nonsense ', becomes: [], except: ['bash'] },

  { line: 'salon clients list --se', becomes: ['--search'] },
  { line: 'salon clients list --fo', becomes: ['--format'] },
  { line: 'salon --fo', becomes: ['--format'] },
  { line: 'salon clients get --sea', becomes: [] },
  { line: 'salon service key create --sc', becomes: ['--scopes'] },
  { line: 'salon clients get cli_1 --ou', becomes: ['--output'] },

  { line: 'salon -f json clients li', becomes: ['list'] },
  { line: 'salon -fjson clients li', becomes: ['list'] },
  { line: 'salon --format=json clients li', becomes: ['list'] },
  { line: 'salon -p list clients li', becomes: ['list'] },
  { line: 'salon clients list --search get --se', becomes: [], except: ['bash', 'fish'] },
  { line: 'salon clients --profile shop li', becomes: ['list'] },
  { line: 'salon -q clients li', becomes: ['list'] },

  { line: 'salon --format ', becomes: formats },
  { line: 'salon clients list -f ', becomes: formats },
  { line: 'salon clients list -qf ', becomes: formats },
  { line: 'salon clients list -fj', becomes: ['-fjson'] },
  { line: 'salon clients list --format=', becomes: formats.map((format) => `--format=${format}`) },
  { line: 'salon clients list --format=nd', becomes: ['--format=ndjson'] },
  { line: 'salon clients list --format "nd', becomes: ['ndjson'] },
  { line: 'salon clients "list" --format nd', becomes: ['ndjson'] },
  { line: 'salon service key create --role ow', becomes: ['owner'] },
  { line: 'salon service account create --plan ', becomes: ['pro', 'enterprise'] },
  { line: 'salon service start --log-level de', becomes: ['debug'] },
  { line: 'salon webhooks listen --events ', becomes: eventPatterns },
  { line: 'salon webhooks update whk_1 --events client.d', becomes: ['client.deleted'] },
  { line: 'salon appointments create --status arr', becomes: ['arrived'] },
  { line: 'salon clients list --sort last', becomes: ['last_name'] },
  { line: 'salon clients list --sort -last', becomes: ['-last_name'], except: ['fish'] },
  { line: 'salon clients list --search ', becomes: [] },

  { line: 'salon appointments list --status no', becomes: ['no_show'] },
  { line: 'salon appointments list --status pending,con', becomes: ['pending,confirmed'] },
  { line: 'salon appointments list --status=pending,con', becomes: ['--status=pending,confirmed'] },
  { line: 'salon appointments list --status pending,pen', becomes: [] },
  { line: 'salon clients list -c id,bir', becomes: ['id,birthday'] },
  { line: 'salon service key create --scopes cli', becomes: ['clients:read', 'clients:write'] },
  { line: 'salon service key create --scopes clients:r', becomes: ['clients:read'] },
  { line: 'salon service key create --scopes "clients:r', becomes: ['clients:read'] },
  {
    line: 'salon service key create --scopes clients:read,clients:',
    becomes: ['clients:read,clients:write'],
  },

  { line: 'salon clients update cli_1 --set birth', becomes: ['birthday='] },
  { line: 'salon clients create --data ', becomes: ['@'] },
  { line: 'salon clients create --data @pl', becomes: ['@plan.json', '@plans'] },
  { line: 'salon clients create --data=@plan.', becomes: ['--data=@plan.json'] },
  { line: 'salon service seed --database sq', becomes: ['sqlite:'] },
  { line: 'salon service seed --database sqlite:plan.', becomes: ['sqlite:plan.json'], except: ['bash'] },
  { line: 'salon clients list -o plan.', becomes: ['plan.json'], except: ['bash'] },
  { line: 'salon appointments list --to pl', becomes: [] },
  { line: 'salon service backup --to plan.', becomes: ['plan.json'], except: ['bash'] },

  { line: 'salon --profile ', becomes: ['shop', 'second'] },
  { line: 'salon clients list -p sh', becomes: ['shop'] },
  { line: 'salon clients list --profile=sh', becomes: ['--profile=shop'] },
  { line: 'salon profiles use ', becomes: ['shop', 'second'] },
  { line: 'salon profiles show se', becomes: ['second'] },
  { line: 'salon profiles remove ', becomes: ['shop', 'second'] },
  { line: 'salon profiles use shop s', becomes: [] },
];
