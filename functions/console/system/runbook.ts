/** A part of a section: text, code, or a table with its head. */
export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] };

export interface Section {
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** Returns the anchor of a heading: `Worker errors` is `worker-errors`. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

/** Returns a section of a Markdown file, up to the next heading of any level; undefined if there is none. */
export function sectionOf(markdown: string, slug: string): Section | undefined {
  const [, ...parts] = `\n${markdown}`.split(/\n#{2,3} (?=\S)/);
  const section = parts.map(titled).find(({ title }) => slugOf(title) === slug);
  return section && { title: section.title, blocks: blocksOf(section.text) };
}

function titled(part: string) {
  const end = part.indexOf('\n');
  return end < 0 ? { title: part, text: '' } : { title: part.slice(0, end), text: part.slice(end) };
}

/** Splits a text into blocks. Every second part between fences is code. */
const blocksOf = (text: string): readonly Block[] =>
  text.split(/^```\w*\n?/m).flatMap((part, at): Block[] => {
    if (at % 2 === 1) return [{ kind: 'code', text: part.trimEnd() }];
    const paragraphs = part.split(/\n\s*\n/).map((one) => one.trim());
    return paragraphs.filter((one) => one !== '').map((one) => (one.startsWith('|') ? tableOf(one) : textOf(one)));
  });

const textOf = (paragraph: string): Block => ({ kind: 'text', text: paragraph.replaceAll(/\s*\n\s*/g, ' ') });

function tableOf(paragraph: string): Block {
  const rows = paragraph.split('\n').filter((line) => !/^\|[\s|:-]+$/.test(line));
  return {
    kind: 'table',
    rows: rows.map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    ),
  };
}

/** Plain text, code, or a link; `to` is its anchor within the file. */
export interface Piece {
  readonly kind: 'plain' | 'code' | 'link';
  readonly text: string;
  readonly to?: string;
}

const MARKED = /`(?<code>[^`]+)`|\[(?<label>[^\]]+)\]\((?<target>[^)]+)\)/g;

const withoutEmphasis = (text: string) => text.replaceAll('**', '').replaceAll(/\*(?=\S)([^*]+)\*/g, '$1');

/** Splits a text into pieces. Emphasis is dropped, and links to other files become plain text. */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  const plain = (to: number) => {
    if (to > end) pieces.push({ kind: 'plain', text: withoutEmphasis(text.slice(end, to)) });
  };
  for (const { 0: all, index, groups: { code, label = '', target = '' } = {} } of text.matchAll(MARKED)) {
    plain(index);
    if (code !== undefined) pieces.push({ kind: 'code', text: code });
    else if (target.startsWith('#')) pieces.push({ kind: 'link', text: label, to: target.slice(1) });
    else pieces.push({ kind: 'plain', text: label });
    end = index + all.length;
  }
  plain(text.length);
  return pieces;
}
