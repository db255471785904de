import { menuScreen } from '../overview/menu.screen.tsx';
import type { Screens } from '../pages/screen.ts';
import { deliveryLog } from '../runs/delivery-log.screen.tsx';
import { replayScreen, runScreen } from '../runs/run.screen.tsx';
import { answerFile, payloadFile } from '../runs/run-files.screen.ts';

/** Every screen of people who are signed in, by method and path. */
export const SCREENS: Screens = {
  'GET /console/menu': menuScreen,
  'GET /console/t/{tenant}/menu': menuScreen,
  'GET /console/t/{tenant}/runs': deliveryLog,
  'GET /console/t/{tenant}/runs/{id}': runScreen,
  'POST /console/t/{tenant}/runs/{id}/replay': replayScreen,
  'GET /console/t/{tenant}/runs/{id}/payload': payloadFile,
  'GET /console/t/{tenant}/runs/{id}/answers/{place}': answerFile,
};
