import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { apiVersion } from '../../contract/endpoints.ts';
import type { ProblemCode } from '../../contract/errors.ts';
import type { Environment } from '../domain/context.ts';
import { problemMediaType } from './problems.ts';
import { newRequestId } from './request-log.ts';

interface Plain {
  readonly status: number;
  /** The nearest code of the contract, which has none of its own for what never became a request. */
  readonly code: ProblemCode;
  readonly detail: string;
}

const bySocketCode: Readonly<Record<string, Plain>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'payload_too_large',
    detail: 'The headers of the request are larger than 16 KiB.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: 'payload_too_large',
    detail: 'The chunks of the request carry too many extensions.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'invalid_parameter',
    detail: 'The request did not arrive in time.',
  },
};
const unreadable: Plain = {
  status: 400,
  code: 'invalid_parameter',
  detail: 'This is not an HTTP/1.1 request.',
};

/** Answers what broke before it became a request with a plain problem (RFC 9457, about:blank), and hangs up. */
export function createSocketErrorHandler(environment: Environment) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    // Where something was answered before, another answer may be on its way, and bytes in between would break it.
    if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
      socket.destroy();
      return;
    }
    const requestId = newRequestId(environment);
    const { status, code, detail } = bySocketCode[error.code ?? ''] ?? unreadable;
    const title = STATUS_CODES[status] ?? 'Bad Request';
    const body = JSON.stringify({ type: 'about:blank', title, status, detail, code, request_id: requestId });
    const head = [
      `HTTP/1.1 ${status} ${title}`,
      'Connection: close',
      `Content-Type: ${problemMediaType}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      `API-Version: ${apiVersion}`,
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  };
}
