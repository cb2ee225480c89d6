import type { SalonError } from '../../contract/errors.ts';
import { namesSettings, settingsVersionHeader } from '../../contract/salon.ts';
import { readHeader } from '../response-headers.ts';
import { isWrite } from './retry.ts';
import type { RetryingSender, SentResponse } from './retrying-sender.ts';
import type { ApiRequest } from './send.ts';

/** The settings of the salon that the caller goes by. */
export interface KnownSettings {
  /** As a response named them; undefined for those that are read with this client. */
  readonly version: string | undefined;
  /** Called once it turns out that the salon has others. Returns the error that ends the work. */
  readonly onChanged: (version: string) => SalonError;
}

/**
 * Refuses to work by settings that the salon no longer has: reads name their version until one is answered, writes until
 * one is accepted. What has begun so is finished. Throws before anything is done, and sends nothing more.
 */
export function withKnownSettings(send: RetryingSender, known: KnownSettings | undefined): RetryingSender {
  if (known === undefined) return send;
  let { version } = known;
  let changed: SalonError | undefined;
  let firstWrite: Promise<unknown> | undefined;
  const isDone = { read: version === undefined, write: false };

  async function sendNamed(kind: keyof typeof isDone, ...[request, options]: Parameters<RetryingSender>) {
    if (changed !== undefined) throw changed;
    const named = isDone[kind] ? undefined : version;
    const sent = await send(named === undefined ? request : withVersion(request, named), options);
    const found = readHeader(sent.response.headers, settingsVersionHeader);
    version ??= found;
    if (sent.response.status < 300) isDone[kind] = true;
    // A refusal of the second attempt says nothing about the first.
    else if (named !== undefined && found !== undefined && !sent.isUnconfirmed) {
      if (namesSettings(named, found)) return sent;
      changed = known?.onChanged(found);
      throw changed;
    }
    return sent;
  }

  return async (request, options): Promise<SentResponse> => {
    // The settings themselves have an entity tag.
    if (request.path.endsWith('/salon')) {
      const sent = await send(request, options);
      version ??= readHeader(sent.response.headers, settingsVersionHeader);
      return sent;
    }
    if (!isWrite(request.method) || request.path.endsWith('/dry-run'))
      return sendNamed('read', request, options);
    while (firstWrite !== undefined) await firstWrite.catch(() => {});
    if (isDone.write) return send(request, options);
    const sending = sendNamed('write', request, options).finally(() => {
      firstWrite = undefined;
    });
    firstWrite = sending;
    return sending;
  };
}

function withVersion(request: ApiRequest, version: string): ApiRequest {
  return { ...request, headers: { ...request.headers, [settingsVersionHeader]: version } };
}
