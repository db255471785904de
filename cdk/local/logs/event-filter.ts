/** The filter patterns of FilterLogEvents: words that a line has, or the pattern of a metric filter. */
import { parsePattern } from '../cloudwatch/filter-pattern.ts';
import { objectIn } from '../lambda/function-log.ts';

const WORD = /"((?:[^"\\]|\\.)*)"|([\w.:/-]+)/;

/** @throws an error that says what the local cloud cannot evaluate */
export function eventFilter(pattern: string): (message: string) => boolean {
  const text = pattern.trim();
  if (text.startsWith('{')) {
    const matches = parsePattern(text);
    return (message) => matches(objectIn(message) ?? {});
  }
  // A word with a leading hyphen must be missing, which is not supported.
  if (text.replaceAll(new RegExp(WORD, 'g'), ' ').trim() !== '' || /(?:^|\s)-/.test(text)) {
    throw new Error(
      `The local cloud cannot evaluate the filter pattern "${pattern}". It has words, in quotes or without.`,
    );
  }
  const words = [...text.matchAll(new RegExp(WORD, 'g'))].map(([, quoted, word]) =>
    quoted === undefined ? (word ?? '') : quoted.replaceAll(/\\(.)/g, '$1'),
  );
  return (message) => words.every((word) => message.includes(word));
}
