import type { FastifyReply } from 'fastify';
import type { Page } from './page-frame.ts';

export function sendPage(reply: FastifyReply, { html, policy }: Page): FastifyReply {
  return addSafeguards(reply)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .send(html);
}

/** Keeps a browser from guessing what this is, from telling others where it was, and others from embedding it. */
export function addSafeguards(reply: FastifyReply): FastifyReply {
  return reply
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('cross-origin-resource-policy', 'same-origin');
}
