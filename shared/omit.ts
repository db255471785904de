/** Returns a copy of the object without these members. */
export function omit<Whole extends object, Name extends PropertyKey>(
  whole: Whole,
  ...names: readonly Name[]
): Omit<Whole, Name> {
  const members = Object.entries(whole).filter(([name]) => !names.some((omitted) => omitted === name));
  return Object.fromEntries(members) as Omit<Whole, Name>;
}
