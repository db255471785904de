/** ANY /manage/{proxy+}: whatever no other management route answers. */
import { Refusal } from '#shared/errors';
import { httpHandler } from '#shared/http/http-handler';
import { managementApi } from '#shared/http/management-api';

export type Env = object;

export const handler = httpHandler(managementApi, {}, () => {
  throw new Refusal(404, 'not-found', 'There is no such resource, or it does not take this method.');
});
