import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { apiVersion } from '../../contract/endpoints.ts';
import type { ProblemCode } from '../../contract/errors.ts';
import type { Environment } from '../domain/context.ts';
import { answerHeaders, problemMediaType } from './problems.ts';
import { createRequestId } from './request-log.ts';

interface SocketProblem {
  readonly status: number;
  /** The closest code of the contract, which has none for requests that cannot be parsed. */
  readonly code: ProblemCode;
  readonly detail: string;
}

const bySocketCode: Readonly<Record<string, SocketProblem>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'payload_too_large',
    detail: 'The request headers are larger than 16 KiB.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: 'payload_too_large',
    detail: 'The request has too many chunk extensions.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'invalid_parameter',
    detail: 'The request did not arrive in time.',
  },
};
const notHttp: SocketProblem = {
  status: 400,
  code: 'invalid_parameter',
  detail: 'This is not an HTTP/1.1 request.',
};

/** Creates the handler for connections without a valid request: sends a problem (RFC 9457, about:blank) and closes. */
export function createSocketErrorHandler(environment: Environment) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    // After an earlier response another one may be on its way, and extra bytes would corrupt it.
    if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
      socket.destroy();
      return;
    }
    const requestId = createRequestId(environment);
    const { status, code, detail } = bySocketCode[error.code ?? ''] ?? notHttp;
    const title = STATUS_CODES[status] ?? 'Bad Request';
    const body = JSON.stringify({ type: 'about:blank', title, status, detail, code, request_id: requestId });
    const head = [
      `HTTP/1.1 ${status} ${title}`,
      'Connection: close',
      `Content-Type: ${problemMediaType}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      `API-Version: ${apiVersion}`,
      ...Object.entries(answerHeaders).map(([name, value]) => `${name}: ${value}`),
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  };
}
