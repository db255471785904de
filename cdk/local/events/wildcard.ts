/** Wildcards of event patterns: `*` stands for any characters, `\*` for itself, `\\` for a backslash. */

/** The texts between the stars. */
export type Wildcard = readonly string[];

export function parseWildcard(source: string): Wildcard {
  const parts = [''];
  const add = (text: string) => void parts.push((parts.pop() ?? '') + text);
  for (let i = 0; i < source.length; i++) {
    const char = source[i] ?? '';
    if (char === '\\') {
      const next = source[++i];
      if (next !== '*' && next !== '\\')
        throw new Error(`The wildcard ${source} has a backslash before something else.`);
      add(next);
    } else if (char === '*') {
      if (source[i + 1] === '*') throw new Error(`The wildcard ${source} has two stars in a row.`);
      parts.push('');
    } else {
      add(char);
    }
  }
  return parts;
}

/** In linear time: each text is taken at its first place after the one before. */
export function matchesWildcard(wildcard: Wildcard, value: string): boolean {
  const [first = '', ...rest] = wildcard;
  const last = rest.pop();
  if (last === undefined) return value === first;
  if (!value.startsWith(first) || !value.endsWith(last) || value.length < first.length + last.length) return false;
  const end = value.length - last.length;
  let at = first.length;
  for (const part of rest) {
    const found = value.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
