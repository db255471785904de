/** Wildcard matching as in IAM: `*` stands for any characters, also none, `?` for exactly one. */

export function matchesPattern(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let resumeAt = 0;
  // Greedy, with one point to backtrack to: the last star takes one more character whenever the rest does not match.
  while (t < text.length) {
    if (pattern[p] === '*') {
      star = p++;
      resumeAt = t;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[t])) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++resumeAt;
    } else {
      return false;
    }
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

/** Compares ARNs part by part: a wildcard never reaches over a colon, except in the last part. */
export function matchesArn(pattern: string, arn: string): boolean {
  if (pattern === '*' || pattern === arn) return true;
  const patternParts = arnParts(pattern);
  const parts = arnParts(arn);
  return patternParts.length === parts.length && patternParts.every((part, i) => matchesPattern(part, parts[i] ?? ''));
}

function arnParts(arn: string): string[] {
  const parts = arn.split(':');
  return parts.length <= 6 ? parts : [...parts.slice(0, 5), parts.slice(5).join(':')];
}
