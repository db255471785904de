import { ManagementFailure } from '../management/management.ts';
import type { Screen } from '../pages/screen.ts';
import { RunDetails } from './run-answers.ts';

const missing = () => new ManagementFailure({ status: 404, code: 'not-found', detail: 'This was not kept.' });

/** The payload of a run, to the byte. */
export const payloadFile: Screen = async ({ management, path }) => {
  const { id, payload } = await management.get(`runs/${encodeURIComponent(path['id'] ?? '')}`, RunDetails);
  if (payload === null) throw missing();
  return { kind: 'download', name: `${id}.json`, bytes: new TextEncoder().encode(payload) };
};

/** What the endpoint answered to one attempt. */
export const answerFile: Screen = async ({ management, path }) => {
  const { id, attemptLog } = await management.get(`runs/${encodeURIComponent(path['id'] ?? '')}`, RunDetails);
  const place = path['place'] ?? '';
  const found = attemptLog.find(({ attempt, part }) => `${attempt}.${part}` === place);
  if (!found || found.responseBody === null) throw missing();
  const isText = found.responseBodyEncoding !== 'base64';
  const bytes = isText ? new TextEncoder().encode(found.responseBody) : Buffer.from(found.responseBody, 'base64');
  return { kind: 'download', name: `${id}-answer-${place}.${isText ? 'txt' : 'bin'}`, bytes };
};
