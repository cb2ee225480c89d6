import {
  isProblemCode,
  type ProblemCode,
  problems,
  type SalonError,
  type SalonErrorCode,
} from '../../contract/errors.ts';

/** The one table of exit codes, printed by `salon help exit-codes`. */
export const exitCodes = {
  done: { code: 0, meaning: 'done' },
  refused: { code: 1, meaning: 'the service refused the request, or its response is invalid' },
  usage: { code: 2, meaning: 'usage or validation error; nothing was sent' },
  partly: { code: 3, meaning: 'some rows of a bulk edit or export failed or are missing; see the report' },
  notSignedIn: { code: 4, meaning: 'not signed in, or the API key was refused (401)' },
  temporary: {
    code: 5,
    meaning: 'temporary failure: network, truncated or missing response, 5xx, rate limit',
  },
  notFound: { code: 6, meaning: 'not found (404)' },
  conflict: { code: 7, meaning: 'conflict with the current state (409, 412)' },
  confirmation: {
    code: 8,
    meaning: 'not confirmed, a read-only profile, or a budget such as --max-changes',
  },
  pending: { code: 9, meaning: 'changes are pending (only with --exit-code)' },
  forbidden: { code: 10, meaning: 'the API key lacks permission (403)' },
  bug: { code: 70, meaning: 'a bug in salon' },
  interrupted: { code: 130, meaning: 'interrupted (Ctrl-C)' },
  terminated: { code: 143, meaning: 'terminated' },
} as const;

type Exit = keyof typeof exitCodes;

const localExits: Record<Exclude<SalonErrorCode, ProblemCode>, Exit> = {
  usage: 'usage',
  not_signed_in: 'notSignedIn',
  connection_failed: 'temporary',
  certificate_rejected: 'refused',
  proxy_refused: 'refused',
  response_truncated: 'temporary',
  timeout: 'temporary',
  result_unknown: 'temporary',
  unexpected_response: 'refused',
  response_too_large: 'refused',
  redirect_refused: 'refused',
  page_repeated: 'refused',
  not_supported: 'refused',
  webhook_refused: 'refused',
  conflict: 'conflict',
  refused: 'refused',
  confirmation_required: 'confirmation',
  read_only: 'confirmation',
  budget_exceeded: 'confirmation',
  output_failed: 'temporary',
  interrupted: 'interrupted',
  bug: 'bug',
};

/** The exits of the service's problems by their status; 5xx is temporary, any other is refused. */
const exitOfStatus: Readonly<Record<number, Exit>> = {
  401: 'notSignedIn',
  403: 'forbidden',
  404: 'notFound',
  409: 'conflict',
  412: 'conflict',
  429: 'temporary',
};

/**
 * Depends on the error code alone, except that SIGTERM and Ctrl-C differ, and that it is a part where some appointments can
 * be read.
 */
export function toExitCode({ code, members }: SalonError): number {
  if (code === 'interrupted' && members['signal'] === 'SIGTERM') return exitCodes.terminated.code;
  if (Number(members['unreadable']) > 0 && Number(members['read']) > 0) return exitCodes.partly.code;
  // A saved job of another version may have other codes.
  if (!isProblemCode(code)) return exitCodes[localExits[code] ?? 'bug'].code;
  const { status } = problems[code];
  // Its conflict is over as soon as the first request is.
  if (status >= 500 || code === 'idempotency_key_in_use') return exitCodes.temporary.code;
  return exitCodes[exitOfStatus[status] ?? 'refused'].code;
}

export function renderExitCodes(): string {
  const rows = Object.values(exitCodes).map(
    ({ code, meaning }) => `  ${String(code).padStart(3)}  ${meaning}`,
  );
  return `Exit codes of every salon command:\n\n${rows.join('\n')}\n\nA closed pipe, as in "salon clients list | head", is success.\n`;
}

/** Ends a command with --curl before the request that would change something. Not an error. */
export class NotSent extends Error {
  constructor() {
    super('Nothing was changed: --curl only shows changes.');
    this.name = 'NotSent';
  }
}
