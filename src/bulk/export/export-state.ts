import { SalonError } from '../../contract/errors.ts';

/** Whose rows a state file is about: it is good for nothing else. */
export interface StateBinding {
  readonly origin: string;
  /** The account's id, else a fingerprint of the key. */
  readonly account: string;
  readonly list: string;
  readonly query: Readonly<Record<string, string>>;
}

/** Up to when an incremental export has brought every change, by the server's clock less the overlap. */
export interface ExportState extends StateBinding {
  readonly state_version: 1;
  /** An instant: the next export asks for what was changed at or after it. */
  readonly watermark: string;
}

export function renderState(binding: StateBinding, watermark: Date): string {
  const { origin, account, list, query } = binding;
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

/** A state out of its file. Throws `usage` where it cannot be read, or is of something else than `binding`. */
export function parseState(text: string, binding: StateBinding, path: string): ExportState {
  const state = parse(text);
  if (state?.state_version !== 1 || Number.isNaN(Date.parse(String(state.watermark)))) {
    throw refused(`${path} is not the state of an export.`);
  }
  const differing = (['origin', 'account', 'list'] as const).find((part) => state[part] !== binding[part]);
  if (differing !== undefined) {
    throw refused(
      `${path} is the state of another ${differing}: ${String(state[differing])}, not ${binding[differing]}.`,
    );
  }
  const [before, now] = [toText(state.query), toText(binding.query)];
  if (before !== now) throw refused(`${path} is the state of another query: ${before}, not ${now}.`);
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

function refused(message: string): SalonError {
  return new SalonError('usage', message, {
    hint: 'Give each export a state file of its own; without one it begins with everything.',
  });
}
