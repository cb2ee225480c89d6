import type { Context } from '../../src/service/domain/context.ts';

/** Reads every page of a list as the service's rules give it. */
export async function readAll<Row>(
  list: (context: Context, query: object) => Promise<{ dataJson: Buffer; total: number }>,
  context: Context,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page++) {
    const { dataJson, total } = await list(context, { page, per_page: 200 });
    rows.push(...JSON.parse(dataJson.toString()));
    if (rows.length >= total) {
      return rows;
    }
  }
}
