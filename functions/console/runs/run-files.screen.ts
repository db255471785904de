import { ManagementFailure } from '../management/management.ts';
import type { Screen } from '../pages/screen.ts';
import { RunDetails } from './run-answers.ts';

const missing = () =>
  new ManagementFailure({ status: 404, code: 'not-found', detail: 'This was not stored or has expired.' });

/** The payload of a run as a file. */
export const payloadFile: Screen = async ({ management, path }) => {
  const { id, payload } = await management.get(`runs/${encodeURIComponent(path['id'] ?? '')}`, RunDetails);
  if (payload === null) throw missing();
  return { kind: 'download', name: `${id}.json`, bytes: new TextEncoder().encode(payload) };
};

/** The response to one attempt as a file. */
export const answerFile: Screen = async ({ management, path }) => {
  const { id, attemptLog } = await management.get(`runs/${encodeURIComponent(path['id'] ?? '')}`, RunDetails);
  const place = path['place'] ?? '';
  const match = attemptLog.find(({ attempt, part }) => `${attempt}.${part}` === place);
  if (!match || match.responseBody === null) throw missing();
  const isText = match.responseBodyEncoding !== 'base64';
  const bytes = isText ? new TextEncoder().encode(match.responseBody) : Buffer.from(match.responseBody, 'base64');
  return { kind: 'download', name: `${id}-answer-${place}.${isText ? 'txt' : 'bin'}`, bytes };
};
