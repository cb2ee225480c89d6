import { SalonError } from '../../contract/errors.ts';

/** The export that a state file belongs to. */
export interface StateScope {
  readonly origin: string;
  /** The account's ID, or a fingerprint of the API key. */
  readonly account: string;
  readonly list: string;
  readonly query: Readonly<Record<string, string>>;
}

/** The state file between two incremental exports. */
export interface ExportState extends StateScope {
  readonly state_version: 1;
  /** Start of the next export: the server's time of this one, minus the overlap. */
  readonly watermark: string;
}

export function renderState(scope: StateScope, watermark: Date): string {
  const { origin, account, list, query } = scope;
  const state: ExportState = {
    state_version: 1,
    origin,
    account,
    list,
    query,
    watermark: watermark.toISOString(),
  };
  return `${JSON.stringify(state, null, 2)}\n`;
}

/** Parses a state file. Throws `usage` if it is damaged, or belongs to another export than `scope`. */
export function parseState(text: string, scope: StateScope, path: string): ExportState {
  const state = parse(text);
  if (state?.state_version !== 1 || Number.isNaN(Date.parse(String(state.watermark)))) {
    throw wrongState(`${path} is not an export state file.`);
  }
  const other = (['origin', 'account', 'list'] as const).find((part) => state[part] !== scope[part]);
  if (other !== undefined) {
    throw wrongState(`${path} is for another ${other}: ${String(state[other])}, not ${scope[other]}.`);
  }
  const [stored, current] = [toText(state.query), toText(scope.query)];
  if (stored !== current) throw wrongState(`${path} is for another query: ${stored}, not ${current}.`);
  return state as ExportState;
}

function parse(text: string): Partial<ExportState> | undefined {
  try {
    return { ...(JSON.parse(text) as Partial<ExportState> | null) };
  } catch {
    return undefined;
  }
}

function toText(query: Readonly<Record<string, string>> | undefined): string {
  return JSON.stringify(Object.entries(query ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function wrongState(message: string): SalonError {
  return new SalonError('usage', message, {
    hint: 'Use one state file per export. A new file starts with a full export.',
  });
}
