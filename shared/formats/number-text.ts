/** A decimal number with an optional sign, fraction and exponent; undefined for anything else, and for text with spaces. */
export function numberOf(text: string): number | undefined {
  if (text === '') return undefined;
  for (let at = 0; at < text.length; at++) {
    if (!isNumeric(text.charCodeAt(at))) return undefined;
  }
  const value = Number(text);
  // Adding 0 turns -0 into 0: no query distinguishes them.
  return Number.isFinite(value) ? value + 0 : undefined;
}

/** Digits and `+ - . e E`. `Number` alone would also accept spaces, hexadecimal and `Infinity`. */
function isNumeric(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 43 || code === 45 || code === 46 || code === 69 || code === 101;
}
