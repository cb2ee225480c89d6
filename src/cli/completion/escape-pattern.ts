/** A word for a shell's list: one such as booking.* would else become the files that it fits. */
export function escapePattern(word: string): string {
  return word.replace(/[*?[]/g, '\\$&');
}
