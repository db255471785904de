/** Languages whose month names are read in every locale; no name among them means two months. */
const COMMON = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'];

const months = new Map<string, ReadonlyMap<string, number>>();

/** The month (1 to 12) of a name or abbreviation in the caller's language or a common one. */
export function monthOf(name: string, language?: string): number | undefined {
  const key = plainName(name);
  const own = language === undefined ? undefined : monthsOf(language).get(key);
  if (own !== undefined) return own;
  const numbers = new Set(COMMON.flatMap((common) => monthsOf(common).get(key) ?? []));
  const [month] = numbers;
  return numbers.size === 1 ? month : undefined;
}

function monthsOf(language: string): ReadonlyMap<string, number> {
  let cached = months.get(language);
  if (cached === undefined) {
    cached = namesIn(language);
    months.set(language, cached);
  }
  return cached;
}

/**
 * A name may have another form beside a day (`3 avril`, `3 апреля`) than alone. Names shared by two months are left
 * out.
 */
function namesIn(language: string): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  const shared = new Set<string>();
  for (const month of ['long', 'short'] as const) {
    for (const day of ['numeric', undefined] as const) {
      const format = new Intl.DateTimeFormat(language, { timeZone: 'UTC', calendar: 'gregory', month, day });
      for (let index = 0; index < 12; index++) {
        const parts = format.formatToParts(Date.UTC(2024, index, 1));
        const name = plainName(parts.find(({ type }) => type === 'month')?.value ?? '');
        if (/\d/.test(name) || name === '') continue;
        if ((names.get(name) ?? index + 1) !== index + 1) shared.add(name);
        names.set(name, index + 1);
      }
    }
  }
  if (language === 'en') names.set('sept', 9);
  for (const name of shared) names.delete(name);
  return names;
}

const plainName = (name: string): string => name.normalize('NFC').toLowerCase().replace(/\.$/, '');
