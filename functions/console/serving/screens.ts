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
import { downloadList, downloadScreen, fetchFile } from '../downloads/download.screens.tsx';
import { newDownload, startDownload } from '../downloads/new-download.screen.tsx';
import { importList, importScreen, rejectionsFile } from '../imports/import.screens.tsx';
import { confirmRevoking, createKey, keyList, revokeKey } from '../keys/key.screens.tsx';
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
  releaseScreen,
  reviewedRecord,
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
import { recordScreen } from '../search/record.screen.tsx';
import { searchScreen } from '../search/search.screen.tsx';
import { runbookScreen } from '../system/runbook.screen.tsx';
import { systemScreen } from '../system/system.screen.tsx';
import { changePlan, planScreen } from '../usage/plan.screens.tsx';
import { invoiceList, setSpendCap, usageScreen } from '../usage/usage.screens.tsx';

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
  'GET /console/t/{tenant}/images/{id}': reviewedRecord,
  'GET /console/t/{tenant}/images/{id}/pictures/{place}': pictureFile,
  'POST /console/t/{tenant}/images/{id}/claim': claimScreen,
  'POST /console/t/{tenant}/images/{id}/release': releaseScreen,
  'POST /console/t/{tenant}/images/{id}/review': reviewScreen,
  'GET /console/t/{tenant}/search': searchScreen,
  'GET /console/t/{tenant}/search/{type}/record': recordScreen,
  'GET /console/t/{tenant}/downloads': downloadList,
  'GET /console/t/{tenant}/downloads/new': newDownload,
  'POST /console/t/{tenant}/downloads/new': startDownload,
  'GET /console/t/{tenant}/downloads/{id}': downloadScreen,
  'GET /console/t/{tenant}/downloads/{id}/files/{number}': fetchFile,
  'GET /console/t/{tenant}/imports': importList,
  'GET /console/t/{tenant}/imports/{kind}': importList,
  'GET /console/t/{tenant}/imports/{kind}/{id}': importScreen,
  'GET /console/t/{tenant}/imports/{kind}/{id}/rejections/{number}': rejectionsFile,
  'GET /console/t/{tenant}/usage': usageScreen,
  'POST /console/t/{tenant}/usage/spend-cap': setSpendCap,
  'GET /console/t/{tenant}/usage/plan': planScreen,
  'POST /console/t/{tenant}/usage/plan': changePlan,
  'GET /console/t/{tenant}/usage/invoices': invoiceList,
  'GET /console/t/{tenant}/keys': keyList,
  'GET /console/t/{tenant}/keys/{kind}': keyList,
  'POST /console/t/{tenant}/keys/{kind}': createKey,
  'GET /console/t/{tenant}/keys/{kind}/{id}/revoke': confirmRevoking,
  'POST /console/t/{tenant}/keys/{kind}/{id}/revoke': revokeKey,
};
