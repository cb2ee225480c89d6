/** A line up to the cursor, and what its last word can become. */
export interface Line {
  readonly line: string;
  readonly becomes: readonly string[];
  /** Shells that cannot do this, or do it themselves. */
  readonly except?: readonly string[];
}

const formats = ['table', 'json', 'ndjson', 'csv', 'xlsx'];

/** What a shell has a part in: words, quotes, breaks within a word, and files. The rest is tested without one. */
export const lines: readonly Line[] = [
  { line: 'salon clie', becomes: ['clients'] },
  { line: 'salon server keys ', becomes: ['create', 'list', 'revoke'] },
  { line: 'salon clients nonsense ', becomes: [], except: ['bash'] },
  { line: 'salon clients list --fo', becomes: ['--format'] },
  { line: 'salon -p shop clients li', becomes: ['list'] },
  { line: 'salon --format ', becomes: formats },
  { line: 'salon clients list -fj', becomes: ['-fjson'] },
  { line: 'salon clients list --format=', becomes: formats.map((format) => `--format=${format}`) },
  { line: 'salon clients list --format=nd', becomes: ['--format=ndjson'] },
  { line: 'salon clients list --format "nd', becomes: ['ndjson'] },
  { line: 'salon clients "list" --format nd', becomes: ['ndjson'] },
  { line: 'salon clients list --sort -last', becomes: ['-last_name'] },
  { line: 'salon appointments list --status pending,con', becomes: ['pending,confirmed'] },
  { line: 'salon appointments list --status=pending,con', becomes: ['--status=pending,confirmed'] },
  { line: 'salon server keys create --scopes clients:r', becomes: ['clients:read'] },
  { line: 'salon server keys create --scopes "clients:r', becomes: ['clients:read'] },
  {
    line: 'salon server keys create --scopes clients:read,clients:',
    becomes: ['clients:read,clients:write'],
  },
  { line: 'salon clients update cli_1 --set birth', becomes: ['birthday='] },
  { line: 'salon clients create --data ', becomes: ['@'] },
  { line: 'salon clients create --data @pl', becomes: ['@plan.json', '@plans'] },
  { line: 'salon clients create --data=@plan.', becomes: ['--data=@plan.json'] },
  { line: 'salon clients create --data @two', becomes: ['@two words.json'] },
  { line: 'salon server seed --database sq', becomes: ['sqlite:'] },
  { line: 'salon server seed --database sqlite:plan.', becomes: ['sqlite:plan.json'], except: ['bash'] },
  { line: 'salon clients list -o plan.', becomes: ['plan.json'], except: ['bash'] },
  { line: 'salon clients list --output=plan.', becomes: ['--output=plan.json'], except: ['bash'] },
  { line: 'salon appointments list --to pl', becomes: [] },
  { line: 'salon api GET /m', becomes: ['/me'] },
  { line: 'salon profiles use ', becomes: ['shop', 'second'] },
  { line: 'salon -p shop appointments calendar --stylist An', becomes: ['Ana Costa'] },
  { line: 'salon -p shop appointments calendar --stylist "Ana C', becomes: ['Ana Costa'] },
  { line: 'salon -p shop appointments calendar --stylist Ana\\ C', becomes: ['Ana Costa'] },
];
