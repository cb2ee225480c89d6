import type { DryRunClient } from '../../client/client.ts';
import { toPlannedWrite } from '../../client/http/dry-run-client.ts';
import { toFullRecord } from '../../client/resources/update-record.ts';
import { freesSlot } from '../../contract/appointment.ts';
import { maxDryRunWrites, type PlannedWrite } from '../../contract/dry-run.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import type { EditOperation } from '../input/edit-fields.ts';
import { type Plan, writePlan } from './plan-file.ts';
import type { PlannedRow, Refusal } from './plan-format.ts';

/**
 * Has the server check every row of a plan without executing it. Writes the plan again and marks rows as refused
 * that the server would refuse, or that book a stylist at the time of an earlier row.
 */
export function checkPlan(plan: Plan, server: Pick<DryRunClient, 'check'>, path: string): Promise<Plan> {
  const { edit } = plan.head;
  return writePlan(path, plan.head, checkRows(plan.rows(), { edit, server, findClash: createClashCheck() }));
}

interface RowChecks {
  readonly edit: EditOperation;
  readonly server: Pick<DryRunClient, 'check'>;
  readonly findClash: (row: PlannedRow) => Refusal | undefined;
}

/** Below the limit of a request body, with room for what surrounds the writes. */
const maxBatchBytes = 900_000;

/** Rows that send nothing, such as unchanged ones, are held in the batch too: this bounds memory. */
const maxBatchRows = 10 * maxDryRunWrites;

async function* checkRows(
  rows: AsyncIterable<PlannedRow>,
  { edit, server, findClash }: RowChecks,
): AsyncGenerator<PlannedRow> {
  let batch: { readonly row: PlannedRow; readonly write: PlannedWrite | undefined }[] = [];
  let [writes, length] = [0, 0];
  for await (const row of rows) {
    const write = toWrite(row, edit);
    const size = write === undefined ? 0 : Buffer.byteLength(JSON.stringify(write));
    if (writes === maxDryRunWrites || length + size > maxBatchBytes || batch.length > maxBatchRows) {
      yield* flush();
      [writes, length] = [0, 0];
    }
    batch.push({ row, write });
    if (write !== undefined) writes += 1;
    length += size;
  }
  yield* flush();

  async function* flush(): AsyncGenerator<PlannedRow> {
    const sent = batch.flatMap(({ write }) => write ?? []);
    const checked = sent.length === 0 ? [] : await server.check(sent);
    let next = 0;
    for (const { row, write } of batch) {
      const result = write === undefined ? undefined : checked[next++];
      yield result instanceof SalonError ? refuse(row, toRefusal(result)) : refuse(row, findClash(row));
    }
    batch = [];
  }
}

/** A broken rule names its field without the `/` of a JSON pointer. */
function toRefusal({ code, message, violations }: SalonError): Refusal {
  const rules = violations.map(({ detail }) => detail);
  const isSummary = rules.some((rule) => message.startsWith(rule));
  const sentences = isSummary ? rules : [message, ...rules];
  return { code, reason: sentences.map((text) => text.replace(/^\/(?=\w)/, '')).join(' ') };
}

function refuse(row: PlannedRow, refusal: Refusal | undefined): PlannedRow {
  if (refusal === undefined) return row;
  const { row: number, line, id, cells, before } = row;
  return {
    ...{ row: number, line, act: 'refused', id, refusal },
    ...(cells === undefined ? {} : { cells }),
    ...(before === undefined ? {} : { before }),
  };
}

function toWrite(
  { act, id, change = {}, before = {} }: PlannedRow,
  { noun, force, reason }: EditOperation,
): PlannedWrite | undefined {
  const isClient = noun === 'clients';
  switch (act) {
    case 'create':
      return toPlannedWrite(isClient ? endpoints.createClient : endpoints.createAppointment, {
        body: change,
      });
    case 'update': {
      const endpoint = isClient ? endpoints.updateClient : endpoints.updateAppointment;
      return toPlannedWrite(endpoint, { id: id ?? '', body: toFullRecord(before, change) });
    }
    case 'delete':
      if (!isClient) {
        const body = reason === undefined ? undefined : { cancellation_reason: reason };
        return toPlannedWrite(endpoints.cancelAppointment, { id: id ?? '', body });
      }
      return toPlannedWrite(endpoints.deleteClient, { id: id ?? '', query: force ? { force } : {} });
    default:
      return undefined;
  }
}

interface Booking {
  readonly line: number;
  readonly startMs: number;
  readonly endMs: number;
}

/** Finds new appointments that clash with an earlier row: the server checks each row alone. Call it in row order. */
function createClashCheck(): (row: PlannedRow) => Refusal | undefined {
  const bookings = new Map<string, Booking[]>();
  return ({ act, line, change = {} }) => {
    const { stylist_id: stylist, start_time: start, duration, status, allow_overlap } = change;
    const startMs = Date.parse(String(start));
    const endMs = startMs + Number(duration) * 60_000;
    if (act !== 'create' || typeof stylist !== 'string' || !(endMs > startMs)) return undefined;
    if (freesSlot(status)) return undefined;
    const taken = bookings.get(stylist) ?? [];
    const other = taken.find((one) => one.startMs < endMs && one.endMs > startMs);
    if (other !== undefined && allow_overlap !== true) {
      return {
        code: 'appointment_conflict',
        reason: `Line ${other.line} books the same stylist at that time.`,
      };
    }
    bookings.set(stylist, taken);
    taken.push({ line, startMs, endMs });
    return undefined;
  };
}
