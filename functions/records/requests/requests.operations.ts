import * as z from 'zod';
import { operations } from '#shared/http/operation';
import { onlyParameters } from '#shared/http/query';
import { DataRequest } from '../download/data-request.ts';

/** Operations of `/v3` on downloads. */
export const dataRequestOperations = operations({
  listDataRequests: {
    route: 'GET /v3/requests',
    summary: 'List downloads',
    description: 'The downloads of the account, whichever of its tokens has paid, newest first.',
    query: onlyParameters({
      cursor: { type: 'string', description: 'From the header `Link` of an answer that did not hold all.' },
    }),
    answers: { 200: z.array(DataRequest) },
    headers: { Link: 'The address of the rest, with `rel="next"`, if the list is above 5 MB.' },
  },
  getDataRequest: {
    route: 'GET /v3/requests/{id}',
    summary: 'Get a download as a list of one',
    path: z.object({ id: z.string() }),
    query: onlyParameters({}),
    answers: { 200: z.array(DataRequest) },
    errors: { 400: ['bad-request'] },
  },
});
