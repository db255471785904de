import * as z from 'zod';
import { named, Time } from '#shared/http/answer-schemas';
import { operations } from '#shared/http/operation';
import { RECORD_ID_CHARACTERS_MAX } from './subject-request.ts';

const SubjectRequest = named(
  'SubjectRequest',
  z.object({
    id: z.string(),
    status: z.string().nullable(),
    trigger: z.string(),
    updatedAt: z.string(),
    eventId: z.string(),
    eventTime: Time,
    runs: z.array(z.string()),
  }),
  'The state of a data subject request, from its newest event.',
);

/** Operations on data subject requests. */
export const subjectRequestOperations = operations({
  getSubjectRequest: {
    route: 'GET /manage/v1/subject-requests/{id}',
    summary: 'Get the status of a data subject request',
    path: z.object({ id: z.string().max(RECORD_ID_CHARACTERS_MAX) }),
    answers: { 200: SubjectRequest },
  },
});
