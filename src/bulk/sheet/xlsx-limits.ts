/** Limits of every program that opens .xlsx. */
export const xlsxLimits = { rows: 1_048_576, columns: 16_384, characters: 32_767 };
