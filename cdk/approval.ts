interface Circumstances {
  /** True if the command runs in a terminal, so that it can ask. */
  readonly isTerminal: boolean;
  /** The caller has approved all changes by `--yes`. */
  readonly yes: boolean;
  /** Other options, which go to the CDK. */
  readonly others: readonly string[];
}

/**
 * The options by which the CDK deploys changes of permissions: unasked with `--yes`. Otherwise it asks at a terminal, and
 * ends without one where a change broadens permissions. An option of the caller's own stands.
 */
export function approvalOptions({ isTerminal, yes, others }: Circumstances): string[] {
  if (others.some((option) => option.startsWith('--require-approval'))) return [];
  if (yes) return ['--require-approval', 'never'];
  return isTerminal ? [] : ['--require-approval', 'broadening'];
}
