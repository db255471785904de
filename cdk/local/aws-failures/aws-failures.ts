/** The failures of AWS that this cloud can imitate; none by default. */
const AWS_FAILURES = ['conflicts', 'throttles', 'gsi-lag', 'one-gsi', 'purge'] as const;
export type AwsFailure = (typeof AWS_FAILURES)[number];

/** `LOCAL_AWS_LIKE=conflicts,purge` */
export function awsFailuresIn({ LOCAL_AWS_LIKE: text = '' }: NodeJS.ProcessEnv): ReadonlySet<AwsFailure> {
  const names = text.split(',').filter((name) => name !== '');
  const unknown = names.filter((name) => !AWS_FAILURES.some((one) => one === name));
  if (unknown.length > 0) {
    throw new Error(`LOCAL_AWS_LIKE takes ${AWS_FAILURES.join(', ')}, not ${unknown.join(', ')}.`);
  }
  return new Set(AWS_FAILURES.filter((one) => names.includes(one)));
}
