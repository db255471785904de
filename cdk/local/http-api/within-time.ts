/** The outcome of the work, or that it took longer. The work itself continues. */
export async function withinTime<T>(work: Promise<T>, millis: number): Promise<T | { kind: 'too-late' }> {
  const { promise: tooLate, resolve } = Promise.withResolvers<{ kind: 'too-late' }>();
  const timer = setTimeout(() => resolve({ kind: 'too-late' }), millis);
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
