/** Shard iterators name their stream in front of the engine's own iterator, so that reading one can be checked. */

export function withStream(streamArn: string, engineIterator: string): string {
  return `${streamArn}|${engineIterator}`;
}

export function streamOf(iterator: string): string {
  return iterator.slice(0, Math.max(0, iterator.indexOf('|')));
}

export function engineIterator(iterator: string): string {
  return iterator.slice(iterator.indexOf('|') + 1);
}
