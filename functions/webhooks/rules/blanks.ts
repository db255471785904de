/**
 * The text without these characters at both ends. No regular expression: one that looks for blanks before the end takes
 * minutes for a text of many blanks, and these come from tenants.
 */
export function withoutBlanks(text: string, blanks: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && blanks.includes(text.charAt(start))) start += 1;
  while (end > start && blanks.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
