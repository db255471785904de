/** The ways in which this cloud can be as unkind as AWS. By default it spares the laptop. */
const UNKINDNESSES = ['conflicts', 'throttles', 'purge'] as const;
export type Unkindness = (typeof UNKINDNESSES)[number];

/** `LOCAL_AWS_LIKE=conflicts,purge` */
export function unkindnessesIn({ LOCAL_AWS_LIKE: text = '' }: NodeJS.ProcessEnv): ReadonlySet<Unkindness> {
  const names = text.split(',').filter((name) => name !== '');
  const unknown = names.filter((name) => !UNKINDNESSES.some((one) => one === name));
  if (unknown.length > 0) {
    throw new Error(`LOCAL_AWS_LIKE has ${UNKINDNESSES.join(', ')}, and no ${unknown.join(', ')}.`);
  }
  return new Set(UNKINDNESSES.filter((one) => names.includes(one)));
}
