/** Tokens of JSON. A string that was cut off ends with the text. */
const TOKEN = /\{\s*\}|\[\s*\]|"(?:[^"\\]|\\.)*(?:"|\\?$)|[{}[\],:]|\s+|[^\s"{}[\],:]+/g;

/**
 * Formats JSON with line breaks without changing digits of numbers. It stops after this many characters, because the
 * indentation of deeply nested JSON is far longer than the JSON.
 */
export function formatJson(json: string, charactersMax: number = Number.POSITIVE_INFINITY): string {
  let depth = 0;
  let text = '';
  const indented = () => `\n${'  '.repeat(depth)}`;
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      depth += 1;
      text += token + indented();
    } else if (token === '}' || token === ']') {
      depth -= 1;
      text += indented() + token;
    } else if (token === ',') text += token + indented();
    else if (token === ':') text += ': ';
    else if (token.trim() !== '') text += token.startsWith('"') ? token : token.replaceAll(/\s+/g, '');
    if (text.length > charactersMax) return text.slice(0, charactersMax);
  }
  return text;
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export interface JsonPart {
  readonly kind: 'key' | 'text' | 'number' | 'word' | 'other';
  readonly text: string;
}

/** Splits formatted JSON into the parts that are coloured, in order. Joined they are the same text again. */
export function jsonParts(formatted: string): JsonPart[] {
  const parts: JsonPart[] = [];
  let other = '';
  for (const match of formatted.matchAll(TOKEN)) {
    const [token] = match;
    const kind = kindOf(token, formatted.slice(match.index + token.length, match.index + token.length + 1));
    if (kind === 'other') {
      other += token;
      continue;
    }
    if (other !== '') parts.push({ kind: 'other', text: other });
    other = '';
    parts.push({ kind, text: token });
  }
  return other === '' ? parts : [...parts, { kind: 'other', text: other }];
}

function kindOf(token: string, next: string): JsonPart['kind'] {
  if (token.startsWith('"')) return next === ':' ? 'key' : 'text';
  if (/^-?\d/.test(token)) return 'number';
  return /^[a-z]/.test(token) ? 'word' : 'other';
}
