import type { Pattern } from '../../../../functions/conversions/validate/schemas/pattern-syntax.ts';

/**
 * Matches as a backtracking engine does, and counts what it tries. Steps beyond `most` end the run, so that a pattern
 * which was accepted wrongly fails a test instead of hanging it.
 */
export function backtrack(pattern: Pattern, text: string, most = Infinity): { matches: boolean; steps: number } {
  const chars = Array.from(text);
  let steps = 0;

  const isWord = (index: number) => /^\w$/.test(chars[index] ?? '');
  const holds = (of: '^' | '$' | 'b' | 'B', at: number): boolean => {
    if (of === '^') return at === 0;
    if (of === '$') return at === chars.length;
    return (isWord(at - 1) !== isWord(at)) === (of === 'b');
  };
  const has = (set: readonly (readonly [number, number])[], at: number) => {
    const code = chars[at]?.codePointAt(0);
    return code !== undefined && set.some(([first, last]) => first <= code && code <= last);
  };

  function run(node: Pattern, at: number, then: (at: number) => boolean): boolean {
    steps += 1;
    if (steps > most) return true;
    switch (node.kind) {
      case 'chars':
        return has(node.set, at) && then(at + 1);
      case 'assertion':
        return holds(node.of, at) && then(at);
      case 'sequence':
        return runAll(node.items, at, then);
      case 'choice':
        return node.options.some((option) => run(option, at, then));
      default:
        return again(node, { at, count: 0, next: then });
    }
  }

  const runAll = (items: readonly Pattern[], at: number, then: (at: number) => boolean): boolean =>
    items.length === 0 ? then(at) : run(items[0]!, at, (next) => runAll(items.slice(1), next, then));

  function again(
    node: Extract<Pattern, { kind: 'repeat' }>,
    { at, count, next }: { at: number; count: number; next: (at: number) => boolean },
  ): boolean {
    const once = () =>
      count < node.max &&
      run(node.item, at, (end) => (end > at || count < node.min) && again(node, { at: end, count: count + 1, next }));
    if (count < node.min) return once();
    return node.lazy ? next(at) || once() : once() || next(at);
  }

  for (let start = 0; start <= chars.length; start++) {
    if (run(pattern, start, () => true)) return { matches: steps <= most, steps };
  }
  return { matches: false, steps };
}
