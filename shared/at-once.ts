/** Works on this many items at a time. The first failure ends all. */
export async function atOnce<T>(
  items: readonly T[],
  workers: number,
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) {
      if (stop.signal.aborted) return;
      await work(item, stop.signal);
    }
  };
  await Promise.all(Array.from({ length: workers }, worker)).finally(() => stop.abort());
}
