import { accountScreen, changeAccount, createAccount, newAccount } from '../accounts/account.screens.tsx';
import { accountList } from '../accounts/account-list.screen.tsx';
import { createToken } from '../accounts/new-token.screen.tsx';
import {
  bulkReplayList,
  bulkReplayScreen,
  cancelBulkReplay,
  newBulkReplay,
  startBulkReplay,
} from '../bulk-replays/bulk-replay.screens.tsx';
import {
  changeConfiguration,
  configurationList,
  configurationScreen,
  createConfiguration,
  newConfiguration,
} from '../configurations/configuration.screens.tsx';
import { confirmDeletion, deleteConfiguration, testCall } from '../configurations/delete-and-test.screens.tsx';
import { menuScreen } from '../overview/menu.screen.tsx';
import { overview } from '../overview/overview.screen.tsx';
import type { Screens } from '../pages/screen.ts';
import { checkInList } from '../places/check-ins.screen.tsx';
import {
  changePlace,
  confirmPlaceDeletion,
  createPlace,
  deletePlace,
  newPlace,
  placeScreen,
} from '../places/place.screens.tsx';
import { placeList } from '../places/place-list.screen.tsx';
import {
  claimScreen,
  pictureFile,
  recordScreen,
  releaseScreen,
  reviewScreen,
  takeNext,
} from '../reviews/review.screens.ts';
import { reviewQueue } from '../reviews/review-queue.screen.tsx';
import {
  changeRule,
  confirmRuleDeletion,
  createRule,
  deleteRule,
  newRuleScreen,
  previewRule,
  ruleScreen,
} from '../rules/rule.screens.tsx';
import { ruleList } from '../rules/rule-list.screen.tsx';
import { deliveryLog } from '../runs/delivery-log.screen.tsx';
import { replayScreen, runScreen } from '../runs/run.screen.tsx';
import { answerFile, payloadFile } from '../runs/run-files.screen.ts';
import { runbookScreen } from '../system/runbook.screen.tsx';
import { systemScreen } from '../system/system.screen.tsx';

/** Every screen of people who are signed in, by method and path. */
export const SCREENS: Screens = {
  'GET /console/menu': menuScreen,
  'GET /console/t/{tenant}/menu': menuScreen,
  'GET /console/t/{tenant}': overview,
  'GET /console/accounts': accountList,
  'GET /console/accounts/-/new': newAccount,
  'POST /console/accounts/-/new': createAccount,
  'GET /console/accounts/{id}': accountScreen,
  'POST /console/accounts/{id}': changeAccount,
  'POST /console/accounts/{id}/tokens': createToken,
  'GET /console/system': systemScreen,
  'GET /console/system/runbook/{section}': runbookScreen,
  'GET /console/t/{tenant}/api-configurations': configurationList,
  'GET /console/t/{tenant}/api-configurations/new': newConfiguration,
  'POST /console/t/{tenant}/api-configurations/new': createConfiguration,
  'GET /console/t/{tenant}/api-configurations/{id}': configurationScreen,
  'POST /console/t/{tenant}/api-configurations/{id}': changeConfiguration,
  'GET /console/t/{tenant}/api-configurations/{id}/delete': confirmDeletion,
  'POST /console/t/{tenant}/api-configurations/{id}/delete': deleteConfiguration,
  'POST /console/t/{tenant}/api-configurations/{id}/test': testCall,
  'GET /console/t/{tenant}/rules': ruleList,
  'GET /console/t/{tenant}/rules/new': newRuleScreen,
  'POST /console/t/{tenant}/rules/new': createRule,
  'POST /console/t/{tenant}/rules/preview': previewRule,
  'GET /console/t/{tenant}/rules/{id}': ruleScreen,
  'POST /console/t/{tenant}/rules/{id}': changeRule,
  'GET /console/t/{tenant}/rules/{id}/delete': confirmRuleDeletion,
  'POST /console/t/{tenant}/rules/{id}/delete': deleteRule,
  'GET /console/t/{tenant}/replays': bulkReplayList,
  'GET /console/t/{tenant}/replays/new': newBulkReplay,
  'POST /console/t/{tenant}/replays/new': startBulkReplay,
  'GET /console/t/{tenant}/replays/{id}': bulkReplayScreen,
  'POST /console/t/{tenant}/replays/{id}/cancel': cancelBulkReplay,
  'GET /console/t/{tenant}/runs': deliveryLog,
  'GET /console/t/{tenant}/runs/{id}': runScreen,
  'POST /console/t/{tenant}/runs/{id}/replay': replayScreen,
  'GET /console/t/{tenant}/runs/{id}/payload': payloadFile,
  'GET /console/t/{tenant}/runs/{id}/answers/{place}': answerFile,
  'GET /console/t/{tenant}/places': placeList,
  'GET /console/t/{tenant}/places/-/new': newPlace,
  'POST /console/t/{tenant}/places/-/new': createPlace,
  'GET /console/t/{tenant}/places/-/check-ins': checkInList,
  'GET /console/t/{tenant}/places/{id}': placeScreen,
  'POST /console/t/{tenant}/places/{id}': changePlace,
  'GET /console/t/{tenant}/places/{id}/delete': confirmPlaceDeletion,
  'POST /console/t/{tenant}/places/{id}/delete': deletePlace,
  'GET /console/t/{tenant}/images': reviewQueue,
  'POST /console/t/{tenant}/images/next': takeNext,
  'GET /console/t/{tenant}/images/{id}': recordScreen,
  'GET /console/t/{tenant}/images/{id}/pictures/{place}': pictureFile,
  'POST /console/t/{tenant}/images/{id}/claim': claimScreen,
  'POST /console/t/{tenant}/images/{id}/release': releaseScreen,
  'POST /console/t/{tenant}/images/{id}/review': reviewScreen,
};
