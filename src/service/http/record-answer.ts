import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../../contract/endpoint.ts';
import { prefixes } from '../../contract/endpoints.ts';
import { toEntityTag } from '../domain/records.ts';
import { isMatch } from './entity-tag.ts';

export const jsonMediaType = 'application/json; charset=utf-8';

/** Sends one record, with its tag and its address where it has them; 304 to whoever has it as it is. */
export function sendRecord(
  { request, reply, endpoint }: { request: FastifyRequest; reply: FastifyReply; endpoint: Endpoint },
  record: object,
): FastifyReply {
  const { method, path, success, isTagged } = endpoint;
  if (success.status === 201 && 'id' in record) {
    reply.header('location', `${prefixes[0]}${path}/${record.id}`);
  }
  if (isTagged && 'updated_at' in record) {
    const tag = toEntityTag({ updated_at: String(record.updated_at) });
    reply.header('etag', tag);
    if (method === 'GET' && isMatch(request.headers['if-none-match'], tag)) {
      return reply.code(304).send();
    }
  }
  return reply.header('content-type', jsonMediaType).send(JSON.stringify(record));
}
