/** A recognised character of a line. */
export interface Character {
  readonly text: string;
  /** The first step of the line that shows it. */
  readonly step: number;
  /** A number from 0 to 1. */
  readonly probability: number;
}

/** Consecutive characters of a line without a space between them. */
export interface Span {
  readonly text: string;
  /** The share of the line's width at which it starts and ends. */
  readonly from: number;
  readonly to: number;
  /** The confidence in the least certain character, from 0 to 100. */
  readonly confidence: number;
}

/**
 * The characters of the network's classes, in order: none, then printable ASCII from the digits on, the signs before
 * the digits, and the space twice.
 */
export const CLASSES: readonly string[] = ['', ...ascii('0', '~'), ...ascii('!', '/'), ' ', ' '];

function ascii(from: string, to: string): string[] {
  const first = from.charCodeAt(0);
  return Array.from({ length: to.charCodeAt(0) - first + 1 }, (_, at) => String.fromCharCode(first + at));
}

/**
 * Decodes the probabilities of all classes at each step of a line: the likeliest class of each step, of which repetitions
 * without a gap are one character.
 */
export function charactersOf(values: Float32Array, classes: readonly string[] = CLASSES): Character[] {
  const steps = values.length / classes.length;
  const characters: Character[] = [];
  let previous = 0;
  for (let step = 0; step < steps; step += 1) {
    let likeliest = 0;
    for (let one = 1; one < classes.length; one += 1) {
      if (values[step * classes.length + one]! > values[step * classes.length + likeliest]!) likeliest = one;
    }
    const probability = values[step * classes.length + likeliest]!;
    const last = characters.at(-1);
    if (likeliest !== 0 && likeliest === previous && last) {
      if (probability > last.probability) characters[characters.length - 1] = { ...last, probability };
    } else if (likeliest !== 0) {
      characters.push({ text: classes[likeliest]!, step, probability });
    }
    previous = likeliest;
  }
  return characters;
}

/** Gaps separate words if they are larger than the usual distance by this factor, and by this many steps. */
const GAP = { pitches: 1.75, steps: 1.5 };
/** Beside a decimal point the gap must be larger: wide print has gaps within amounts, as in `0.0 0`. */
const DECIMAL_GAP = { pitches: 2.3, steps: 2 };
const POINTS = ['.', ','];
/**
 * The places where narrow print leaves no gap at all: between a year and a time, before the sign of a currency, and
 * between a label with a colon and a number.
 */
const GLUED =
  /(?<=(?:[/.-](?:20)?|^20|[A-Za-z]20)\d{2})(?=\d{1,2}:\d{2})|(?<=\d[.,]\d{2})(?=(?:\$|RM)\d)|(?<=[A-Za-z]:?)(?=\$\d)|(?<=[A-Za-z]{3}:)(?=S?\d)/;

/** Splits the characters of a line, which has this many steps, into words. */
export function spansOf(characters: readonly Character[], steps: number): Span[] {
  const pitch = pitchOf(characters);
  const words: Character[][] = [];
  for (const [index, character] of characters.entries()) {
    if (character.text === ' ') continue;
    const before = characters[index - 1];
    const decimals = characters.slice(Math.max(0, index - 2), index + 1).some(({ text }) => POINTS.includes(text));
    const least = decimals ? DECIMAL_GAP : GAP;
    const continues =
      before &&
      before.text !== ' ' &&
      character.step - before.step <= Math.max(least.pitches * pitch, least.steps + pitch);
    if (continues) words.at(-1)!.push(character);
    else words.push([character]);
  }
  return words.flatMap(unglued).map((word) => ({
    text: textOf(word),
    from: Math.max(0, (word[0]!.step + 0.5 - pitch / 2) / steps),
    to: Math.min(1, (word.at(-1)!.step + 0.5 + pitch / 2) / steps),
    confidence: 100 * Math.min(...word.map(({ probability }) => probability)),
  }));
}

const textOf = (word: readonly Character[]) => word.map(({ text }) => text).join('');

function unglued(word: Character[]): Character[][] {
  const end = textOf(word).split(GLUED)[0]!.length;
  return end === word.length ? [word] : [word.slice(0, end), ...unglued(word.slice(end))];
}

/** The usual distance between neighbouring characters, in steps: the mean without wide gaps. */
function pitchOf(characters: readonly Character[]): number {
  const distances = characters
    .slice(1)
    .map(({ step }, before) => step - characters[before]!.step)
    .sort((a, b) => a - b);
  const median = distances[Math.floor(distances.length / 2)] ?? 2;
  const usual = distances.filter((distance) => distance <= 1.5 * median + 1);
  return usual.length === 0 ? median : usual.reduce((sum, distance) => sum + distance, 0) / usual.length;
}
