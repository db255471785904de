/** Returns the last two months in UTC days. */
export function twoMonthsTo(now: number): { readonly from: string; readonly to: string } {
  const dateOf = (millis: number) => new Date(millis).toISOString().slice(0, 10);
  return { from: dateOf(now - 60 * 86_400_000), to: dateOf(now) };
}
