import { type Fields, isFields } from '../fields.ts';

/**
 * Whether the body of a success status says that the request failed. Members of a record are not taken for that: a
 * body with an `id` has to say it twice, in a flag and in a reason.
 */
export function isFailureBody(body: unknown): boolean {
  if (!isFields(body)) return false;
  const hasReason = ['error', 'errors', 'error_message', 'errorMessage'].some((name) => isReason(body[name]));
  const isFlagged = isFlaggedAsFailure(body);
  if ('id' in body) return isFlagged && (hasReason || isReason(body['message']));
  return isFlagged || hasReason;
}

function isFlaggedAsFailure(body: Fields): boolean {
  if ([body['success'], body['ok']].some((flag) => flag === false || flag === 'false')) return true;
  const status = body['status'];
  // JSend. A payment may have the status “failed”.
  return status === false || status === 'error' || status === 'fail';
}

/** `null`, `false`, 0, their texts and what is empty mean that there was no error. */
function isReason(value: unknown): boolean {
  if (typeof value === 'string') return !/^(?:|0|false|no|none|null|ok)$/i.test(value.trim());
  if (Array.isArray(value)) return value.length > 0;
  if (isFields(value)) return Object.keys(value).length > 0;
  return value === true;
}
