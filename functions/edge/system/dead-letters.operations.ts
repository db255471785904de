import * as z from 'zod';
import { named, Time } from '#shared/http/answer-schemas';
import { operations } from '#shared/http/operation';

const DeadLetterLine = named(
  'DeadLetterLine',
  z.object({ id: z.string(), sentAt: Time, beginning: z.string().describe('The beginning of the body.') }),
  'A message that was given up, in the list of its queue.',
);

const DeadLetter = named(
  'DeadLetter',
  z.object({
    id: z.string(),
    sentAt: Time,
    attributes: z.record(z.string(), z.string()).describe('Those of the queue and of the message.'),
    body: z.string(),
  }),
  'A message that was given up.',
);

const DeadLetterList = named('DeadLetterList', z.object({ items: z.array(DeadLetterLine) }));
const Redrive = named(
  'Redrive',
  z.object({ moving: z.int().describe('About how many messages are sent back.') }),
  'The sending back of dead letters to the queue that they came from.',
);

const path = z.object({ queue: z.string().max(80).describe('`redriveAs` of the state of the deployment.') });
const letterPath = path.extend({ id: z.string().max(100) });

/** Operations on dead letters. */
export const deadLetterOperations = operations({
  listDeadLetters: {
    route: 'GET /manage/v1/system/dead-letters/{queue}',
    summary: 'List dead letters of a queue',
    description: 'For operators. At most 100, the oldest first; nobody else can read them meanwhile.',
    path,
    answers: { 200: DeadLetterList },
  },
  getDeadLetter: {
    route: 'GET /manage/v1/system/dead-letters/{queue}/{id}',
    summary: 'Get a dead letter',
    description: 'For operators.',
    path: letterPath,
    answers: { 200: DeadLetter },
  },
  dropDeadLetter: {
    route: 'DELETE /manage/v1/system/dead-letters/{queue}/{id}',
    summary: 'Delete a dead letter',
    description: 'For operators. Its work is not done.',
    path: letterPath,
    answers: { 204: undefined },
  },
  redriveDeadLetters: {
    route: 'POST /manage/v1/system/dead-letters/{queue}/redrive',
    summary: 'Send all dead letters of a queue back to work',
    description: 'For operators. It goes on after the answer.',
    path,
    answers: { 202: Redrive },
    errors: { 409: ['redrive-in-progress'] },
  },
});
