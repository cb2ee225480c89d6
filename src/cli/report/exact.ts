/** An integer without rounding: a number while it is safe, else a BigInt, which costs far more. */
export type Exact = number | bigint;

export function add(a: Exact, b: Exact): Exact {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return BigInt(a) + BigInt(b);
}

export function subtract(a: Exact, b: Exact): Exact {
  return add(a, -b);
}
