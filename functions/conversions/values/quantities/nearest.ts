import { editDistance } from '#shared/formats/edit-distance';

/** The choice with the smallest edit distance from the text, the first of equals; undefined if all exceed the limit. */
export function nearest<T>(query: string, choices: Iterable<readonly [string, T]>, limit: number): T | undefined {
  let best: T | undefined;
  let allowed = limit;
  for (const [text, choice] of choices) {
    if (allowed < 0) break;
    const distance = editDistance(query, text, allowed);
    if (distance > allowed) continue;
    best = choice;
    allowed = distance - 1;
  }
  return best;
}
