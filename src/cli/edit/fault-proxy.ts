import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { newAppointment } from '../../contract/appointment.ts';
import { clientChange } from '../../contract/client.ts';
import { type ProblemCode, problems } from '../../contract/errors.ts';
import { type DrawFault, type Fault, type FaultName, faultNames } from './simulated-failures.ts';

/** A server on loopback that passes requests on, and lets some of them go wrong. */
export interface FaultProxy extends AsyncDisposable {
  readonly origin: string;
  counts(): FaultCounts;
}

export interface FaultCounts {
  readonly requests: number;
  readonly faults: Readonly<Record<FaultName, number>>;
}

/** A request or an answer that has come whole. */
interface Incoming {
  readonly message: IncomingMessage;
  readonly body: Buffer;
}

export async function openFaultProxy(target: string, drawFault: DrawFault): Promise<FaultProxy> {
  const agent = new Agent({ keepAlive: true });
  const faults = Object.fromEntries(faultNames.map((name) => [name, 0])) as Record<FaultName, number>;
  let requests = 0;

  const server = createServer(async (message, response) => {
    try {
      requests += 1;
      const asked = { message, body: await buffer(message) };
      await answer(asked, response, chooseFault(asked));
    } catch {
      response.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts: () => ({ requests, faults: { ...faults } }),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      agent.destroy();
    },
  };

  function chooseFault({ message: { method = 'GET', url = '/' }, body }: Incoming): Fault | undefined {
    const fault = drawFault({ method, path: url, body });
    if (fault !== undefined) faults[fault.name] += 1;
    return fault;
  }

  async function answer(asked: Incoming, response: ServerResponse, fault: Fault | undefined): Promise<void> {
    switch (fault?.name) {
      case '429':
        return sendProblem(response, 'rate_limited', { isPromising: true });
      case '503':
        return sendProblem(response, 'service_unavailable', { isPromising: fault.draw < 0.5 });
      case '500':
        return sendProblem(response, 'internal_error', { isPromising: false });
      case 'timeout':
        return;
      case 'lost':
        await passOn(asked);
        response.destroy();
        return;
      case 'cut':
        return sendHalf(response, await passOn(asked));
      case undefined: {
        const { message, body } = await passOn(asked);
        response.writeHead(message.statusCode ?? 502, withoutHops(message.headers)).end(body);
      }
    }
  }

  async function passOn({ message: { method, url = '/', headers }, body }: Incoming): Promise<Incoming> {
    const kept = keepKnownMembers(url, body);
    const { 'content-length': _length, ...others } = withoutHops(headers);
    const length = kept.length === 0 ? {} : { 'content-length': kept.length };
    const outgoing = request(new URL(url, target), { method, agent, headers: { ...others, ...length } });
    outgoing.end(kept);
    const [message] = (await once(outgoing, 'response')) as [IncomingMessage];
    return { message, body: await buffer(message) };
  }
}

/** What a header says of one connection says nothing of the next. */
function withoutHops(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  const { connection, 'keep-alive': keepAlive, 'transfer-encoding': transferEncoding, ...kept } = headers;
  return kept;
}

/** With a promise of when to come back a refusal is only that; without one nobody knows what was done. */
function sendProblem(
  response: ServerResponse,
  code: ProblemCode,
  { isPromising }: { readonly isPromising: boolean },
): void {
  const { status, title } = problems[code];
  const detail = `${title}: a fault of the rehearsal.`;
  response
    .writeHead(status, {
      'content-type': 'application/problem+json',
      ...(isPromising ? { 'retry-after': '1' } : {}),
    })
    .end(JSON.stringify({ type: 'about:blank', title, status, detail, code, request_id: 'rehearsal' }));
}

/** Announces the whole answer and breaks off in the middle; of one without a body, before its start. */
function sendHalf(response: ServerResponse, { message, body }: Incoming): void {
  if (body.length === 0) {
    response.destroy();
    return;
  }
  response.writeHead(message.statusCode ?? 502, withoutHops(message.headers));
  response.write(body.subarray(0, body.length >> 1), () => response.destroy());
}

const knownOf: Readonly<Record<string, object>> = {
  clients: clientChange.properties,
  appointments: newAppointment.properties,
};

/**
 * The body of a request without the members that the contract does not know. A server that has more of them takes
 * them; the service in this program would refuse the whole request.
 */
export function keepKnownMembers(path: string, body: Buffer): Buffer {
  const noun = /\/(clients|appointments)(?:[/?]|$)/.exec(path)?.[1];
  const known = noun === undefined ? undefined : knownOf[noun];
  if (known === undefined || body.length === 0) return body;
  const members: unknown = JSON.parse(body.toString('utf8'));
  if (typeof members !== 'object' || members === null) return body;
  const kept = Object.entries(members).filter(([name]) => Object.hasOwn(known, name));
  return Buffer.from(JSON.stringify(Object.fromEntries(kept)));
}
