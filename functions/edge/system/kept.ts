/**
 * What a call loads, kept for a while. Calls at the same time share one; one that failed is not kept.
 * @param millis how long it is kept, from when it was asked for
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
