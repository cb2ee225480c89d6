/** What the status of a response says about its request. */
export interface StatusMeaning {
  /** The same request may get another response later. */
  readonly isTemporary: boolean;
  /** The request was certainly not executed. */
  readonly isRejection: boolean;
}

const temporary = { isTemporary: true, isRejection: false };
const temporaryRejection = { isTemporary: true, isRejection: true };
const rejection = { isTemporary: false, isRejection: true };
const unclear = { isTemporary: false, isRejection: false };

/**
 * The statuses that do not follow the rule of their class: a 3xx or 4xx is a rejection, a 5xx says nothing about
 * whether the request was executed before something went wrong.
 */
const exceptions: Readonly<Record<number, StatusMeaning>> = {
  // See Other: the result of a POST is elsewhere.
  303: unclear,
  // Gateways also send it when a server behind them is slow.
  408: temporary,
  425: temporaryRejection,
  429: temporaryRejection,
  // nginx: the client, which may be another gateway, closed the connection first.
  499: unclear,
  500: temporary,
  501: rejection,
  502: temporary,
  503: temporary,
  504: temporary,
  505: rejection,
  // The sign-in page of a network, which is in front of the server.
  511: rejection,
  // Cloudflare: the origin server is unreachable, too slow, or sent an invalid response.
  520: temporary,
  521: temporary,
  522: temporary,
  523: temporary,
  524: temporary,
};

/** Our own codes are more precise than their status: the service sends these before it changes anything. */
const codes: Readonly<Record<string, StatusMeaning>> = {
  service_unavailable: temporaryRejection,
  // An earlier attempt with the same key is still running.
  idempotency_key_in_use: temporary,
};

/** `code` is that of a problem of our contract, undefined in the responses of other servers. */
export function toStatusMeaning(status: number, code: string | undefined): StatusMeaning {
  const byClass = status >= 300 && status < 500 ? rejection : unclear;
  return codes[code ?? ''] ?? exceptions[status] ?? byClass;
}
