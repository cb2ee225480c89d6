import { dryRunEndpoints, maxDryRunWrites, type PlannedWrite } from '../../contract/dry-run.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import { isFields } from '../json-object.ts';
import { readHeader } from '../response-headers.ts';
import type { ApiRequester, EndpointOptions } from './api-requester.ts';
import type { ApiResponse } from './decode.ts';
import { withQuery } from './request-path.ts';

/** What a write would return: the response, or the error it would throw. */
type CheckedWrite = ApiResponse | SalonError;

export function createDryRun(api: ApiRequester, decodeProblem: (problem: object) => SalonError) {
  let support: Promise<boolean> | undefined;
  const isSupported = () => (support ??= readSupport(api, 'salon-dry-run'));
  return {
    /** Whether the server says that it can; asked once. Nothing else than that says so. */
    isSupported,
    /** In order; up to 200 cost one request. Throws only what concerns all of them. */
    check,
    /** An API whose writes are checked instead of executed. */
    api: {
      async endpoint(endpoint: Endpoint, options: EndpointOptions = {}) {
        if (endpoint.method === 'GET') return api.endpoint(endpoint, options);
        const [checked] = await check([toPlannedWrite(endpoint, options)]);
        if (checked === undefined || checked instanceof SalonError) throw checked ?? missingResults(1, 0);
        return checked;
      },
      path: () => Promise.reject(new TypeError('A dry run sends no request to other paths.')),
    },
  };

  async function check(writes: readonly PlannedWrite[]): Promise<readonly CheckedWrite[]> {
    if (!(await isSupported())) {
      throw new SalonError('not_supported', 'This server cannot check a write without executing it.');
    }
    const checked: CheckedWrite[] = [];
    for (let start = 0; start < writes.length; start += maxDryRunWrites) {
      checked.push(...(await checkSome(writes.slice(start, start + maxDryRunWrites))));
    }
    return checked;
  }

  async function checkSome(writes: readonly PlannedWrite[]): Promise<readonly CheckedWrite[]> {
    const request = { body: { writes } };
    const { body } = await api.endpoint(dryRunEndpoints.checkWrites, request).catch((thrown: unknown) => {
      // Without a response, no write may have happened either.
      const isUnknown = thrown instanceof SalonError && thrown.code === 'result_unknown';
      throw isUnknown && thrown.cause instanceof SalonError ? thrown.cause : thrown;
    });
    const results: unknown = isFields(body) ? body['results'] : undefined;
    if (!Array.isArray(results) || results.length !== writes.length) {
      throw missingResults(writes.length, Array.isArray(results) ? results.length : 0);
    }
    return results.map(toChecked);
  }

  function toChecked(result: unknown): CheckedWrite {
    const { status, record, problem } = isFields(result) ? result : {};
    if (typeof status !== 'number') throw missingResults(1, 0);
    if (problem === null) return { status, headers: {}, body: record ?? undefined };
    return decodeProblem({ ...Object(problem), status });
  }
}

/** Has the server check writes without executing them. */
export type DryRun = ReturnType<typeof createDryRun>;

/** Whether the server says that it can do something. */
export async function readSupport(api: ApiRequester, header: `salon-${string}`): Promise<boolean> {
  try {
    const { headers } = await api.endpoint(endpoints.getMe);
    return Number(readHeader(headers, header)) > 0;
  } catch (thrown) {
    if (thrown instanceof SalonError && thrown.code === 'not_supported') return false;
    throw thrown;
  }
}

/** A write of the contract as a dry run sends it. */
export function toPlannedWrite(
  { method, path }: Endpoint,
  { id = '', query = {}, body, headers = {} }: EndpointOptions,
): PlannedWrite {
  if (method === 'GET') throw new TypeError('A dry run checks writes only.');
  const ifMatch = headers['if-match'];
  return {
    method,
    path: withQuery(
      path.replace(':id', () => id),
      query,
    ),
    ...(isFields(body) ? { body } : {}),
    ...(ifMatch === undefined ? {} : { if_match: ifMatch }),
  };
}

function missingResults(sent: number, received: number): SalonError {
  const message = `The server was asked to check ${sent} writes and answered for ${received}.`;
  return new SalonError('unexpected_response', message, { hint: 'Nothing was changed.' });
}
