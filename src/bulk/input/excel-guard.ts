const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/;
const harmlessStart = /^[A-Za-z0-9]/;
const number = /^[+-](?:\d[\d.,]*|[.,]\d+)(?:e[+-]?\d+)?%?$/i;
const phone = /^\+(?=(?:\D*\d){7,15}\D*$)[\d ().-]+$/;

/**
 * The cell as Excel may safely open it: one that would run as a formula gets `'` in front. Numbers and phone
 * numbers stay as they are. `removeExcelGuard` gives back exactly what went in, whatever it was.
 */
export function addExcelGuard(cell: string): string {
  return isRisky(cell) ? `'${cell}` : cell;
}

export function removeExcelGuard(cell: string): string {
  return cell.startsWith("'") && isRisky(cell) ? cell.slice(1) : cell;
}

/** Cells that look guarded already are risky too: they get one more `'`, which removal takes off again. */
function isRisky(cell: string): boolean {
  if (harmlessStart.test(cell)) return false;
  const bare = cell.replace(/^'+/, '');
  return formulaStart.test(bare) && !number.test(bare) && !phone.test(bare);
}
