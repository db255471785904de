const NUMBERS = new Intl.NumberFormat('en-GB');

/** `12,345` */
export const countText = (count: number): string => NUMBERS.format(count);

/** `1 run`, `12,345 runs` */
export const countOf = (count: number, one: string, many: string = `${one}s`): string =>
  `${countText(count)} ${count === 1 ? one : many}`;

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** `812 bytes`, `4.2 KB`: powers of a thousand. */
export function bytesText(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const amount = bytes / 1_000 ** power;
  return `${power === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${UNITS[power]}`;
}
