/** The words of a query of Logs Insights. */

export interface Token {
  readonly kind: 'name' | 'number' | 'text' | 'pattern' | 'symbol' | 'end';
  /** The text of the token in the query, with its quotes or slashes. */
  readonly raw: string;
  /** The position at which it begins. */
  readonly at: number;
}

/** The query is not valid, or has what the local cloud cannot run. */
export class MalformedQuery extends Error {
  constructor(reason: string, at: number) {
    super(`${reason} (at character ${at + 1})`);
  }
}

const TOKEN =
  /\s*(?:(?<name>[@A-Za-z_][\w.@]*)|(?<number>-?\d+(?:\.\d+)?)|(?<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<pattern>\/(?:[^/\\]|\\.)+\/)|(?<symbol><=|>=|!=|[|,()[\]=<>*])|(?<end>$))/suy;

/** Returns the tokens of a query, and last its end. */
export function tokensOf(query: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; tokens.at(-1)?.kind !== 'end'; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const [kind, raw] = Object.entries(TOKEN.exec(query)?.groups ?? {}).find(([, text]) => text !== undefined) ?? [];
    if (kind === undefined || raw === undefined) throw new MalformedQuery('unexpected character', at);
    tokens.push({ kind: kind as Token['kind'], raw, at: TOKEN.lastIndex - raw.length });
  }
  return tokens;
}

/** The content of a text in quotes. */
export const unquoted = (raw: string): string => raw.slice(1, -1).replaceAll(/\\(.)/gsu, '$1');
