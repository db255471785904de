import { Refusal } from '#shared/errors';
import type { HttpEvent } from '#shared/http/http-handler';
import { textOf } from '#shared/http/request-body';

const TYPE = 'application/x-www-form-urlencoded';

/** Returns the text of a submitted form. Multipart forms are refused, because their files would be lost. */
export function formTextOf(event: HttpEvent): string {
  const type = event.headers['content-type'] ?? '';
  if (type.split(';')[0]?.trim().toLowerCase() !== TYPE) throw new Refusal(415, 'not-a-form', 'Send a form.');
  return textOf(event) ?? '';
}
