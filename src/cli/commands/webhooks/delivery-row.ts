import type { PagedList } from '../../../client/pagination/paginate.ts';
import type { Delivery } from '../../../contract/delivery.ts';
import type { RecordPage } from '../../output/command-result.ts';
import type { Row } from '../../output/printer.ts';

/** A delivery with what tells most of it put beside; everything the server answered stays as it is. */
export function toDeliveryRow(delivery: Delivery): Row {
  const { attempts } = delivery;
  const last = attempts?.at(-1);
  return {
    ...delivery,
    tries: attempts?.length ?? null,
    last_answer: last === undefined ? null : String(last.status_code ?? last.error),
  };
}

export async function* toDeliveryPages(pages: PagedList<Delivery>): AsyncGenerator<RecordPage> {
  for await (const page of pages) yield { ...page, rows: page.rows.map(toDeliveryRow) };
}
