const MICROS = 1_000_000;

/** `70.00` of 70,000,000 micro-units; further digits only where there are any, at most six. */
export function amountText(micros: number): string {
  const [units, rest] = [Math.trunc(Math.abs(micros) / MICROS), Math.abs(micros) % MICROS];
  const digits = String(rest)
    .padStart(6, '0')
    .replace(/0{1,4}$/, '');
  return `${micros < 0 ? '-' : ''}${units}.${digits}`;
}

const AMOUNT = /^(\d{1,9})(?:\.(\d{1,6}))?$/;

/**
 * Micro-units of an amount in decimal text; undefined if it is invalid: no sign, at most nine digits and six decimals.
 */
export function microsIn(text: string): number | undefined {
  const [, units, decimals = ''] = AMOUNT.exec(text) ?? [];
  return units === undefined ? undefined : Number(units) * MICROS + Number(decimals.padEnd(6, '0'));
}
