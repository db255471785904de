/**
 * Caches what `load` returns. Concurrent calls share one load. A failed load is not cached.
 * @param millis the lifetime of the cached value, from the start of its load
 */
export function cached<T>(millis: number, load: (now: number) => Promise<T>): (now: number) => Promise<T> {
  let last: { readonly value: Promise<T>; readonly until: number } | undefined;
  return async (now) => {
    if (last && last.until > now) return last.value;
    const loading = { value: load(now), until: now + millis };
    last = loading;
    try {
      return await loading.value;
    } catch (error) {
      if (last === loading) last = undefined;
      throw error;
    }
  };
}
