import * as z from 'zod';
import { named, Time } from '#shared/http/answer-schemas';
import { operations } from '#shared/http/operation';

const QueueState = named(
  'QueueState',
  z.object({
    name: z.string(),
    waiting: z.int(),
    inFlight: z.int(),
    delayed: z.int(),
    oldestSeconds: z.number().optional().describe('The age of the oldest message; absent while the queue is empty.'),
  }),
  'The approximate number of messages in a queue.',
);

const DeadLetterState = named(
  'DeadLetterState',
  z.object({
    name: z.string(),
    count: z.int(),
    redriveAs: z.string().optional().describe('The name for `npm run letters`; absent if they cannot be sent back.'),
  }),
  'The approximate number of messages that were given up.',
);

const AlarmState = named(
  'AlarmState',
  z.object({
    name: z.string(),
    state: z.string().describe('The state in CloudWatch: `OK`, `ALARM` or `INSUFFICIENT_DATA`.'),
    since: z.string().describe('The time of the last change of the state.'),
    reason: z.string(),
    meaning: z.string().describe('Who is affected.'),
    runbook: z.string().optional().describe('The heading in the runbook.'),
  }),
);

const DueWork = named(
  'DueWork',
  z.object({ name: z.string(), oldestSeconds: z.number() }),
  'How long work that is due has been waiting.',
);

const SystemState = named(
  'SystemState',
  z.object({
    measuredAt: Time,
    queues: z.array(QueueState),
    deadLetters: z.array(DeadLetterState),
    alarms: z.array(AlarmState),
    dueWork: z.array(DueWork),
  }),
  'The backlog, the dead letters and the alarms of the whole deployment.',
);

/** The operation on the state of the deployment. */
export const systemOperations = operations({
  getSystemState: {
    route: 'GET /manage/v1/system',
    summary: 'Get the state of the deployment',
    description: 'For operators. The state is up to ten seconds old.',
    answers: { 200: SystemState },
  },
});
