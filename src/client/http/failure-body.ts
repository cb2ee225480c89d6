import { isJsonNumber } from '../../contract/json.ts';
import { type Fields, isFields } from '../fields.ts';

/**
 * Whether the body of a success status says that the request failed. Members of a record are not taken for that: a
 * body with an `id` has to say it twice, in a flag and in a reason.
 */
export function isFailureBody(body: unknown): boolean {
  // Salesforce: [{"message": …, "errorCode": …}]
  if (Array.isArray(body)) return body.length > 0 && body.every(isErrorEntry);
  if (!isFields(body)) return false;
  const members = toLowerCaseNames(body);
  const hasReason = reasonNames.some((name) => isReason(members[name]));
  const isFlagged = isFlaggedAsFailure(members);
  if ('id' in members) return isFlagged && (hasReason || isReason(members['message']));
  return isFlagged || hasReason || hasErrorNumber(members);
}

const reasonNames = [
  'error',
  'errors',
  'error_message',
  'errormessage',
  'usererrors',
  'fault',
  'exceptionmessage',
];

function isFlaggedAsFailure(members: Fields): boolean {
  const flags = ['success', 'ok', 'issuccess', 'issuccessful', 'succeeded'].map((name) => members[name]);
  if (flags.some((flag) => flag === false || flag === 'false')) return true;
  if (members['haserrors'] === true || members['iserror'] === true) return true;
  const status = members['status'];
  // JSend. A payment may have the status “failed”.
  return status === false || status === 'error' || status === 'fail';
}

/** `{"errcode": 40013, "errmsg": …}`, and an HTTP status in the body with its reason. */
function hasErrorNumber(members: Fields): boolean {
  const isNumbered = ['errcode', 'errno', 'error_code', 'errorcode'].some(
    (name) => isJsonNumber(members[name]) && Number(members[name]) !== 0,
  );
  const status = [members['statuscode'], members['status'], members['code']].find(isJsonNumber);
  const isErrorStatus = status !== undefined && Number(status) >= 400 && Number(status) < 600;
  const hasText = ['message', 'msg', 'title', 'detail'].some((name) => typeof members[name] === 'string');
  return isNumbered || (isErrorStatus && hasText);
}

function isErrorEntry(entry: unknown): boolean {
  return isFields(entry) && 'errorCode' in entry && 'message' in entry && !('id' in entry);
}

function toLowerCaseNames(body: Fields): Fields {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value]));
}

/** `null`, `false`, 0, their texts and what is empty mean that there was no error. */
function isReason(value: unknown): boolean {
  if (typeof value === 'string') return !/^(?:|0|false|no|none|null|ok)$/i.test(value.trim());
  if (Array.isArray(value)) return value.length > 0;
  if (isFields(value)) return Object.keys(value).length > 0;
  return value === true;
}
