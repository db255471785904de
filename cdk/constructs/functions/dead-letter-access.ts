import type { Stack } from 'aws-cdk-lib';
import { type IRole, Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { dataKeyStatements, KEY_ACTIONS } from '../data-key.ts';
import { WorkQueue } from './work-queue.ts';

/** The actions on a dead-letter queue: reading dead letters, deleting one, and moving all of them back. */
const ON_DEAD_LETTERS = [
  'sqs:ChangeMessageVisibility',
  'sqs:DeleteMessage',
  'sqs:GetQueueAttributes',
  'sqs:ListDeadLetterSourceQueues',
  'sqs:ListMessageMoveTasks',
  'sqs:ReceiveMessage',
  'sqs:StartMessageMoveTask',
];
/** The actions on the queue to which dead letters are moved back. */
const ON_QUEUE = ['sqs:GetQueueAttributes', 'sqs:SendMessage'];

/**
 * Lets a role of a stack below work on the dead letters of this stack's queues. The policy stands here, because the stack
 * below cannot name queues that are made after it.
 */
export function allowDeadLetterAccess(stack: Stack, role: IRole): void {
  const queues = stack.node.findAll().filter((one) => one instanceof WorkQueue);
  if (queues.length === 0) return;
  new Policy(stack, 'DeadLetterAccess', {
    roles: [role],
    statements: [
      new PolicyStatement({
        actions: ON_DEAD_LETTERS,
        resources: queues.map(({ deadLetters }) => deadLetters.queueArn),
      }),
      new PolicyStatement({ actions: ON_QUEUE, resources: queues.map(({ queue }) => queue.queueArn) }),
      ...dataKeyStatements(stack, 'sqs', KEY_ACTIONS.sends),
    ],
  });
}
