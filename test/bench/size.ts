/** Returns the number in the environment variable, which must be whole and positive, or else the usual one. */
export function sizeOf(variable: string, usual: number): number {
  const size = Number(process.env[variable] ?? usual);
  if (!Number.isSafeInteger(size) || size < 1) throw new Error(`${variable} must be a whole number above 0.`);
  return size;
}
