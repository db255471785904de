import { expect, it } from 'vitest';
import { approvalOptions } from '../../cdk/approval.ts';

it.each([
  ['asks at a terminal, as the CDK does', { isTerminal: true, yes: false, others: [] }, []],
  [
    'ends without a terminal where permissions get broader',
    { isTerminal: false, yes: false, others: ['--verbose'] },
    ['--require-approval', 'broadening'],
  ],
  ['deploys unasked with --yes', { isTerminal: false, yes: true, others: [] }, ['--require-approval', 'never']],
  [
    'leaves the choice to the caller who states one',
    { isTerminal: false, yes: true, others: ['--require-approval=any-change'] },
    [],
  ],
])('a deployment %s', (_, circumstances, options) => {
  expect(approvalOptions(circumstances)).toEqual(options);
});
