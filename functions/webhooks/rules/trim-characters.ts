/**
 * Removes these characters from both ends of the text. A regular expression for trailing spaces would take minutes for
 * a text of many spaces, which a tenant may send.
 */
export function trimCharacters(text: string, characters: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && characters.includes(text.charAt(start))) start += 1;
  while (end > start && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
