import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Salon, settingsVersionHeader, withoutClock } from '../../src/contract/salon.ts';

type Clock = NonNullable<Salon['clock']>;

/** A service on a machine with other clock rules. */
export interface OtherClock extends AsyncDisposable {
  readonly origin: string;
  /** What `/salon` says instead of the clock of the service. It need not be one. */
  change: (clock: Clock) => unknown;
  /** The name of the zone that it says instead. */
  zone: string | undefined;
  /** Whether a process with the rules of the service takes turns with one that has the other rules. */
  takesTurns: boolean;
}

/** Stands in front of a service, and changes only what `/salon` says of its clock. */
export async function openOtherClock(service: string): Promise<OtherClock> {
  let isOthersTurn = false;
  const server = createServer(async (incoming, response) => {
    const { url = '', method = 'GET', headers } = incoming;
    if (other.takesTurns) isOthersTurn = !isOthersTurn;
    const isOther = other.takesTurns && isOthersTurn;
    const named = headers[settingsVersionHeader];
    if (isOther && named?.includes('.'))
      headers[settingsVersionHeader] = String(named).endsWith('.other') ? withoutClock(String(named)) : 'own';
    const { host: _host, connection: _connection, 'content-length': _length, ...sent } = headers;
    const body = await buffer(incoming);
    const answer = await fetch(service + url, {
      method,
      headers: { ...(sent as Record<string, string>), 'accept-encoding': 'identity' },
      ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
    });
    const text = await answer.text();
    const shown = method === 'GET' && url.endsWith('/salon') ? withClock(text) : text;
    const { 'transfer-encoding': _chunked, ...received } = Object.fromEntries(answer.headers);
    const version = answer.headers.get(settingsVersionHeader);
    if (isOther && version) received[settingsVersionHeader] = `${withoutClock(version)}.other`;
    response.writeHead(answer.status, { ...received, 'content-length': Buffer.byteLength(shown) });
    response.end(shown);
  });
  function withClock(text: string): string {
    const record = JSON.parse(text) as Salon;
    if (record.clock === null) return text;
    const zone = other.zone ?? record.time_zone;
    return JSON.stringify({ ...record, time_zone: zone, clock: other.change(record.clock) });
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const other: OtherClock = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    change: (clock) => clock,
    zone: undefined,
    takesTurns: false,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return other;
}

/** Rules by which local time is that much later from an instant on. */
export function shiftedFrom(from: string, minutes: number): (clock: Clock) => Clock {
  return ({ offsets, ...clock }) => {
    const at = offsets.findLast((one) => one.from <= from)?.offset_minutes ?? 0;
    const kept = offsets.filter((one) => one.from < from);
    const later = offsets.filter((one) => one.from > from);
    const shift = (minutesThen: number) => minutesThen + minutes;
    return {
      ...clock,
      tz_version: '2026e',
      offsets: [
        ...kept,
        { from, offset_minutes: shift(at) },
        ...later.map((one) => ({ ...one, offset_minutes: shift(one.offset_minutes) })),
      ],
    };
  };
}
