import { existsSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { toFileFailure } from '../../bulk/jobs/file-access.ts';
import type { Connection } from '../../client/http/http-connection.ts';
import { SalonError } from '../../contract/errors.ts';
import { createPrivateFolder } from '../../local-state/local-state.ts';
import { dataFolder } from '../folders.ts';
import type { Io } from '../io.ts';

const scheme = 'embedded:';
const salonName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Whether a base URL names an embedded salon, such as `embedded:demo`. */
export function isEmbedded(baseUrl: string): boolean {
  return baseUrl.startsWith(scheme);
}

/** The base URL of an embedded salon. */
export function toEmbeddedUrl(name: string): string {
  return scheme + name;
}

/** The database URL of an embedded salon. Creates the data folder when missing. */
export function prepareEmbeddedDatabase(baseUrl: string, io: Io): string {
  const name = baseUrl.slice(scheme.length);
  if (!salonName.test(name)) {
    throw new SalonError('usage', `"${baseUrl}" is not a valid embedded salon.`, {
      hint: 'Use only letters, digits, dashes and underscores in the name, such as embedded:demo.',
    });
  }
  const folder = dataFolder(io);
  try {
    createPrivateFolder(folder);
  } catch (error) {
    throw toFileFailure(folder, error);
  }
  return `sqlite:${join(folder, `${name}.db`)}`;
}

/** Opens the service, on a free loopback port where others are to reach it. */
export async function openEmbedded(baseUrl: string, io: Io, { isInside }: { readonly isInside: boolean }) {
  const { openService } = await import('../../service/service.ts');
  const { parseServiceConfig } = await import('../../service/config.ts');
  const database = prepareEmbeddedDatabase(baseUrl, io);
  if (!existsSync(database.slice('sqlite:'.length))) {
    throw new SalonError('usage', `No embedded salon named "${baseUrl.slice(scheme.length)}".`, {
      hint: 'Run "salon demo" to create the sample salon, or check the name.',
    });
  }
  const settings = { database, port: '0', logLevel: 'silent', allowLoopbackWebhooks: true };
  const config = parseServiceConfig(settings);
  const { now, random, tzVersion, stderr: log } = io;
  return openService(config, { now, random, tzVersion, log, isOfCommand: true, isInside });
}

type Handler = Parameters<Connection['dispatch']>[1];
type Controller = Parameters<NonNullable<Handler['onRequestStart']>>[0];

/**
 * Sends requests to a server in this process, each over a stream of its own. The server brings `node:http` anyway; undici
 * would bring a parser in WebAssembly, whose compilation takes 45 ms of CPU time, half as much again as starting Node.
 */
export function openInsideConnection(connect: () => Duplex): Connection {
  const closing = new AbortController();
  return {
    async dispatch({ method, path, headers, body }, handler) {
      const { request: openRequest } = await import('node:http');
      const { signal } = closing;
      const given = { method, path, headers: headers as Record<string, string>, signal };
      const sent = openRequest({ ...given, createConnection: connect });
      let response: IncomingMessage | undefined;
      let isOver = false;
      const end = (act: () => void) => {
        if (isOver) return;
        isOver = true;
        act();
      };
      const controller = {
        get paused() {
          return response?.isPaused() ?? false;
        },
        pause: () => void response?.pause(),
        resume: () => void response?.resume(),
        abort(error: Error) {
          sent.destroy(error);
          end(() => handler.onResponseError?.(controller, error));
        },
      } as Controller;
      const call = (act: () => void) => {
        try {
          act();
        } catch (thrown) {
          controller.abort(thrown as Error);
        }
      };
      sent.on('error', controller.abort);
      sent.once('response', (received) => {
        response = received.on('error', controller.abort);
        received.on('data', (chunk: Buffer) => call(() => handler.onResponseData?.(controller, chunk)));
        received.once('end', () => end(() => handler.onResponseEnd?.(controller, {})));
        const { statusCode = 0, headers } = received;
        call(() => handler.onResponseStart?.(controller, statusCode, headers));
      });
      handler.onRequestStart?.(controller, {});
      sent.end(body);
    },
    close: async () => closing.abort(),
  };
}
