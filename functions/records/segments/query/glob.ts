import type { GlobPart } from '../../query/query.ts';

/** A UTF-16 code unit, any one code point, or any run of them. */
type Step = number | 'one' | 'run';

/**
 * A test of whole terms against a pattern of literal text, `?` and `*`. Walks both with two pointers and goes back to
 * the last `*` only, so that no pattern takes more than its length times the term's.
 */
export function globTest(pattern: readonly GlobPart[]): (term: string) => boolean {
  const steps = pattern.flatMap((part): Step[] => ('any' in part ? [part.any] : codeUnits(part.literal)));
  return (term) => matches(steps, term);
}

/** The text that every match begins with. */
export function literalStart(pattern: readonly GlobPart[]): string {
  let start = '';
  for (const part of pattern) {
    if ('any' in part) break;
    start += part.literal;
  }
  return start;
}

function matches(steps: readonly Step[], term: string): boolean {
  let step = 0;
  let at = 0;
  let lastRun = -1;
  let runEnd = 0;
  while (at < term.length) {
    const expected = steps[step];
    if (expected === 'run') {
      lastRun = step++;
      runEnd = at;
    } else if (expected === 'one') {
      step++;
      at += width(term, at);
    } else if (expected === term.charCodeAt(at)) {
      step++;
      at++;
    } else if (lastRun !== -1) {
      step = lastRun + 1;
      runEnd += width(term, runEnd);
      at = runEnd;
    } else {
      return false;
    }
  }
  while (steps[step] === 'run') step++;
  return step === steps.length;
}

/** Code units of the code point at this place. */
const width = (term: string, at: number): number => (term.codePointAt(at)! > 0xffff ? 2 : 1);

const codeUnits = (text: string): number[] => Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
