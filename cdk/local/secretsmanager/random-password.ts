/** Passwords as `GenerateSecretString` asks for them. */
import { randomInt } from 'node:crypto';

export interface PasswordRules {
  readonly length: number;
  /** Characters that never occur. */
  readonly exclude: string;
  readonly lowercase: boolean;
  readonly uppercase: boolean;
  readonly numbers: boolean;
  readonly punctuation: boolean;
  readonly space: boolean;
  /** True if the password has at least one character of each included kind; a space is no kind of its own. */
  readonly requireEachKind: boolean;
}

const LOWERCASE = 'abcdefghijklmnopqrstuvwxyz';
const NUMBERS = '0123456789';
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

/** Throws when no password obeys the rules. */
export function randomPassword(rules: PasswordRules): string {
  const kinds = kindsOf(rules);
  const required = rules.requireEachKind ? kinds : [];
  if (required.length > rules.length) {
    throw new Error(`A password of ${rules.length} cannot hold one character of each of ${required.length} kinds.`);
  }
  const space = rules.space && !rules.exclude.includes(' ') ? ' ' : '';
  const every = kinds.join('') + space;
  if (every === '') throw new Error('Every character is excluded.');
  const drawn = [...required, ...Array<string>(rules.length - required.length).fill(every)].map(oneOf);
  return shuffled(drawn).join('');
}

/** The characters of each kind that are left. A kind without any is not included, so it is not required either. */
function kindsOf({ lowercase, uppercase, numbers, punctuation, exclude }: PasswordRules): string[] {
  const included = [
    lowercase ? LOWERCASE : '',
    uppercase ? LOWERCASE.toUpperCase() : '',
    numbers ? NUMBERS : '',
    punctuation ? PUNCTUATION : '',
  ];
  const without = (kind: string) =>
    Array.from(kind)
      .filter((character) => !exclude.includes(character))
      .join('');
  return included.map(without).filter((kind) => kind !== '');
}

const oneOf = (characters: string) => characters.charAt(randomInt(characters.length));

/** Returns the characters in a random order: otherwise the first ones would tell their kinds. */
function shuffled(characters: readonly string[]): string[] {
  const mixed = [...characters];
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = randomInt(last + 1);
    [mixed[last], mixed[other]] = [mixed[other] ?? '', mixed[last] ?? ''];
  }
  return mixed;
}
