import { lazily as on } from '../pages/lazy-screen.ts';
import { previewing } from '../pages/preview.ts';
import type { Screens } from '../pages/screen.ts';
import { lastingResourceRoutes, resourceRoutes } from '../resources/resource-routes.ts';
import { Router } from './router.ts';

// Each module is loaded with the first request of one of its screens, so that the function starts faster.
const accountScreens = () => import('../accounts/account.screens.tsx');
const accountErasureScreens = () => import('../accounts/account-erasure.screens.tsx');
const standingScreens = () => import('../accounts/standing.screens.tsx');
const tokenScreens = () => import('../accounts/token.screens.tsx');
const eraseCustomerScreens = () => import('../erasures/erase-customer.screens.tsx');
const eraseRecordScreens = () => import('../reviews/erase-record.screens.tsx');
const erasureScreens = () => import('../erasures/erasure.screens.tsx');
const newTokenScreens = () => import('../accounts/new-token.screen.tsx');
const auditScreens = () => import('../audit/audit.screen.tsx');
const bulkReplayScreens = () => import('../bulk-replays/bulk-replay.screens.tsx');
const newBulkReplayScreens = () => import('../bulk-replays/new-bulk-replay.screen.tsx');
const configurationScreens = () => import('../configurations/configuration.screens.tsx');
const deleteConfigurationScreens = () => import('../configurations/delete-configuration.screens.tsx');
const testCallScreens = () => import('../configurations/test-call.screen.tsx');
const downloadScreens = () => import('../downloads/download.screens.tsx');
const fileRecordScreens = () => import('../downloads/file-records.screen.tsx');
const newDownloadScreens = () => import('../downloads/new-download.screen.tsx');
const importScreens = () => import('../imports/import.screens.tsx');
const fixImportScreens = () => import('../imports/fix-import.screens.tsx');
const newImportScreens = () => import('../imports/new-import.screens.tsx');
const keyScreens = () => import('../keys/key.screens.tsx');
const menuScreens = () => import('../overview/menu.screen.tsx');
const getStartedScreens = () => import('../overview/get-started.screen.tsx');
const overviewScreens = () => import('../overview/overview.screen.tsx');
const checkInsScreens = () => import('../places/check-ins.screen.tsx');
const placeScreens = () => import('../places/place.screens.tsx');
const reviewScreens = () => import('../reviews/review.screens.ts');
const newRecordScreens = () => import('../reviews/new-record.screens.tsx');
const reviewQueueScreens = () => import('../reviews/review-queue.screen.tsx');
const ruleScreens = () => import('../rules/rule.screens.tsx');
const testEventScreens = () => import('../rules/test-event.screens.tsx');
const ruleListScreens = () => import('../rules/rule-list.screen.tsx');
const deliveryLogScreens = () => import('../runs/delivery-log.screen.tsx');
const runScreens = () => import('../runs/run.screen.tsx');
const selectedReplaysScreens = () => import('../runs/selected-replays.screen.tsx');
const runFilesScreens = () => import('../runs/run-files.screen.ts');
const recordScreens = () => import('../search/record.screen.tsx');
const searchScreens = () => import('../search/search.screen.tsx');
const signInLimitScreens = () => import('../system/sign-in-limit.screen.tsx');
const deadLetterScreens = () => import('../system/dead-letters.screens.tsx');
const runbookScreens = () => import('../system/runbook.screen.tsx');
const secondFactorScreens = () => import('../sign-in/second-factor.screens.tsx');
const signingScreens = () => import('../configurations/signing.screens.tsx');
const systemScreens = () => import('../system/system.screen.tsx');
const planScreens = () => import('../usage/plan.screens.tsx');
const invoiceScreens = () => import('../usage/invoice.screen.tsx');
const usageScreens = () => import('../usage/usage.screens.tsx');
const campaignScreens = () => import('../campaigns/campaign.screens.tsx');
const appScreens = () => import('../apps/app.screens.tsx');
const customerScreens = () => import('../customers/customer.screens.tsx');
const personScreens = () => import('../people/person.screens.tsx');
const accessScreens = () => import('../people/access.screens.tsx');
const passwordScreens = () => import('../sign-in/password.screens.tsx');
const adUnitScreens = () => import('../ad-units/ad-unit.screens.tsx');

/** The screens of imports: of records, which belong to no tenant, and of places. */
const importRoutes = (list: `/console/${string}`): Screens => ({
  [`GET ${list}`]: on(importScreens, 'importList'),
  [`GET ${list}/-/new`]: on(newImportScreens, 'newImport'),
  [`POST ${list}/-/new`]: previewing(on(newImportScreens, 'receiveFile')),
  [`POST ${list}/-/uploads`]: previewing(on(newImportScreens, 'linkParts')),
  [`POST ${list}/-/mapping`]: previewing(on(newImportScreens, 'mapColumns')),
  [`POST ${list}/-/start`]: on(newImportScreens, 'startUploaded'),
  [`GET ${list}/-/started`]: on(newImportScreens, 'startedImport'),
  [`GET ${list}/{id}`]: on(importScreens, 'importScreen'),
  [`GET ${list}/{id}/fix`]: on(fixImportScreens, 'fixImport'),
  [`POST ${list}/{id}/fix`]: on(fixImportScreens, 'importFixed'),
  [`GET ${list}/{id}/rejections/{number}`]: on(importScreens, 'rejectionsFile'),
});

/** Every screen for people who are signed in, by method and path. */
export const SCREENS: Screens = {
  'GET /console/menu': on(menuScreens, 'menuScreen'),
  'GET /console/second-factor': on(secondFactorScreens, 'secondFactorScreen'),
  'POST /console/second-factor': on(secondFactorScreens, 'offerSecret'),
  'POST /console/second-factor/confirm': on(secondFactorScreens, 'confirmSecret'),
  'POST /console/second-factor/off': on(secondFactorScreens, 'turnOffSecondFactor'),
  'GET /console/password': on(passwordScreens, 'passwordScreen'),
  'POST /console/password': on(passwordScreens, 'changePassword'),
  ...resourceRoutes('/console/t/{tenant}/people', async () => (await personScreens()).PEOPLE_SCREENS),
  'GET /console/t/{tenant}/people/{id}/reset': on(accessScreens, 'confirmReset'),
  'POST /console/t/{tenant}/people/{id}/reset': on(accessScreens, 'resetPerson'),
  'GET /console/t/{tenant}/people/{id}/sign-out': on(accessScreens, 'confirmSignOut'),
  'POST /console/t/{tenant}/people/{id}/sign-out': on(accessScreens, 'signOutPerson'),
  'GET /console/t/{tenant}/people/{id}/disable': on(accessScreens, 'confirmDisabling'),
  'POST /console/t/{tenant}/people/{id}/disable': on(accessScreens, 'disablePerson'),
  'POST /console/t/{tenant}/people/{id}/enable': on(accessScreens, 'enablePerson'),
  'GET /console/t/{tenant}/menu': on(menuScreens, 'menuScreen'),
  'GET /console/t/{tenant}': on(overviewScreens, 'overview'),
  'GET /console/t/{tenant}/get-started': on(getStartedScreens, 'getStarted'),
  ...lastingResourceRoutes('/console/accounts', async () => (await accountScreens()).ACCOUNT_SCREENS),
  'GET /console/accounts/{id}/suspend': on(standingScreens, 'confirmSuspension'),
  'POST /console/accounts/{id}/suspend': on(standingScreens, 'suspendAccount'),
  'POST /console/accounts/{id}/resume': on(standingScreens, 'resumeAccount'),
  'GET /console/accounts/{id}/erase': on(accountErasureScreens, 'confirmAccountErasure'),
  'POST /console/accounts/{id}/erase': on(accountErasureScreens, 'eraseAccount'),
  'POST /console/accounts/{id}/webhooks': on(standingScreens, 'switchWebhooks'),
  'POST /console/accounts/{id}/tokens': on(newTokenScreens, 'createToken'),
  'GET /console/accounts/{id}/tokens/{token}': on(tokenScreens, 'tokenScreen'),
  'POST /console/accounts/{id}/tokens/{token}': on(tokenScreens, 'changeToken'),
  ...importRoutes('/console/imports'),
  ...importRoutes('/console/t/{tenant}/imports'),
  'GET /console/audit': on(auditScreens, 'operatorAudit'),
  'GET /console/system': on(systemScreens, 'systemScreen'),
  'GET /console/system/dead-letters/{queue}': on(deadLetterScreens, 'deadLetterList'),
  'GET /console/system/dead-letters/{queue}/redrive': on(deadLetterScreens, 'confirmRedrive'),
  'POST /console/system/dead-letters/{queue}/redrive': on(deadLetterScreens, 'redriveDeadLetters'),
  'GET /console/system/dead-letters/{queue}/letters/{id}': on(deadLetterScreens, 'deadLetter'),
  'GET /console/system/dead-letters/{queue}/letters/{id}/drop': on(deadLetterScreens, 'confirmDrop'),
  'POST /console/system/dead-letters/{queue}/letters/{id}/drop': on(deadLetterScreens, 'dropDeadLetter'),
  'GET /console/system/sign-in-limit': on(signInLimitScreens, 'signInLimit'),
  'POST /console/system/sign-in-limit/unlock': on(signInLimitScreens, 'unlockName'),
  'GET /console/system/runbook/{section}': on(runbookScreens, 'runbookScreen'),
  'GET /console/t/{tenant}/api-configurations': on(configurationScreens, 'configurationList'),
  'GET /console/t/{tenant}/api-configurations/new': on(configurationScreens, 'newConfiguration'),
  'POST /console/t/{tenant}/api-configurations/new': on(configurationScreens, 'createConfiguration'),
  'GET /console/t/{tenant}/api-configurations/{id}': on(configurationScreens, 'configurationScreen'),
  'POST /console/t/{tenant}/api-configurations/{id}': on(configurationScreens, 'changeConfiguration'),
  'GET /console/t/{tenant}/api-configurations/{id}/delete': on(deleteConfigurationScreens, 'confirmDeletion'),
  'POST /console/t/{tenant}/api-configurations/{id}/delete': on(deleteConfigurationScreens, 'deleteConfiguration'),
  'POST /console/t/{tenant}/api-configurations/{id}/test': on(testCallScreens, 'testCall'),
  'POST /console/t/{tenant}/api-configurations/{id}/signing-secret': on(signingScreens, 'rotateSigningSecret'),
  'GET /console/t/{tenant}/api-configurations/{id}/signing-secret/previous': on(signingScreens, 'confirmEndOfPrevious'),
  'POST /console/t/{tenant}/api-configurations/{id}/signing-secret/previous': on(signingScreens, 'endPreviousSecrets'),
  'GET /console/t/{tenant}/rules': on(ruleListScreens, 'ruleList'),
  'GET /console/t/{tenant}/rules/new': on(ruleScreens, 'newRuleScreen'),
  'POST /console/t/{tenant}/rules/new': on(ruleScreens, 'createRule'),
  'POST /console/t/{tenant}/rules/preview': previewing(on(ruleScreens, 'previewRule')),
  'GET /console/t/{tenant}/rules/{id}': on(ruleScreens, 'ruleScreen'),
  'POST /console/t/{tenant}/rules/{id}': on(ruleScreens, 'changeRule'),
  'GET /console/t/{tenant}/rules/{id}/test': on(testEventScreens, 'confirmTestEvent'),
  'POST /console/t/{tenant}/rules/{id}/test': on(testEventScreens, 'sendTestEvent'),
  'GET /console/t/{tenant}/rules/{id}/delete': on(ruleScreens, 'confirmRuleDeletion'),
  'POST /console/t/{tenant}/rules/{id}/delete': on(ruleScreens, 'deleteRule'),
  'GET /console/t/{tenant}/replays': on(bulkReplayScreens, 'bulkReplayList'),
  'GET /console/t/{tenant}/replays/new': on(newBulkReplayScreens, 'newBulkReplay'),
  'POST /console/t/{tenant}/replays/new': on(newBulkReplayScreens, 'startBulkReplay'),
  'GET /console/t/{tenant}/replays/{id}': on(bulkReplayScreens, 'bulkReplayScreen'),
  'POST /console/t/{tenant}/replays/{id}/cancel': on(bulkReplayScreens, 'cancelBulkReplay'),
  'GET /console/t/{tenant}/runs': on(deliveryLogScreens, 'deliveryLog'),
  'GET /console/t/{tenant}/runs/{id}': on(runScreens, 'runScreen'),
  'POST /console/t/{tenant}/runs/-/replay': on(selectedReplaysScreens, 'replaySelected'),
  'GET /console/t/{tenant}/runs/-/replayed': on(selectedReplaysScreens, 'replayedRuns'),
  'POST /console/t/{tenant}/runs/{id}/replay': on(runScreens, 'replayScreen'),
  'POST /console/t/{tenant}/runs/{id}/retry': on(runScreens, 'retryScreen'),
  'GET /console/t/{tenant}/runs/{id}/payload': on(runFilesScreens, 'payloadFile'),
  'GET /console/t/{tenant}/runs/{id}/answers/{place}': on(runFilesScreens, 'answerFile'),
  ...resourceRoutes('/console/t/{tenant}/places', async () => (await placeScreens()).PLACE_SCREENS),
  'GET /console/t/{tenant}/places/-/check-ins': on(checkInsScreens, 'checkInList'),
  'GET /console/t/{tenant}/images': on(reviewQueueScreens, 'reviewQueue'),
  'GET /console/t/{tenant}/images/-/new': on(newRecordScreens, 'newRecord'),
  'POST /console/t/{tenant}/images/-/new': on(newRecordScreens, 'receivePicture'),
  'POST /console/t/{tenant}/images/-/uploads': previewing(on(newRecordScreens, 'linkPicture')),
  'POST /console/t/{tenant}/images/-/submitted': on(newRecordScreens, 'submittedPicture'),
  'POST /console/t/{tenant}/images/next': on(reviewScreens, 'takeNext'),
  'GET /console/t/{tenant}/images/{id}': on(reviewScreens, 'reviewedRecord'),
  'GET /console/t/{tenant}/images/{id}/pictures/{place}': on(reviewScreens, 'pictureFile'),
  'GET /console/t/{tenant}/images/{id}/erase': on(eraseRecordScreens, 'confirmRecordErasure'),
  'POST /console/t/{tenant}/images/{id}/erase': on(eraseRecordScreens, 'eraseRecord'),
  'GET /console/t/{tenant}/customers/{id}/erase': on(eraseCustomerScreens, 'confirmCustomerErasure'),
  'POST /console/t/{tenant}/customers/{id}/erase': on(eraseCustomerScreens, 'eraseCustomer'),
  'GET /console/t/{tenant}/erasures': on(erasureScreens, 'erasureList'),
  'GET /console/t/{tenant}/erasures/new': on(erasureScreens, 'customerToErase'),
  'GET /console/t/{tenant}/erasures/{id}': on(erasureScreens, 'erasureScreen'),
  'POST /console/t/{tenant}/images/{id}/claim': on(reviewScreens, 'claimScreen'),
  'POST /console/t/{tenant}/images/{id}/examine': on(reviewScreens, 'examineScreen'),
  'POST /console/t/{tenant}/images/{id}/release': on(reviewScreens, 'releaseScreen'),
  'POST /console/t/{tenant}/images/{id}/review': on(reviewScreens, 'reviewScreen'),
  'GET /console/t/{tenant}/search': on(searchScreens, 'searchScreen'),
  'GET /console/t/{tenant}/search/{type}/record': on(recordScreens, 'recordScreen'),
  'GET /console/t/{tenant}/downloads': on(downloadScreens, 'downloadList'),
  'GET /console/t/{tenant}/downloads/new': on(newDownloadScreens, 'newDownload'),
  'POST /console/t/{tenant}/downloads/new': on(newDownloadScreens, 'startDownload'),
  'GET /console/t/{tenant}/downloads/{id}': on(downloadScreens, 'downloadScreen'),
  'GET /console/t/{tenant}/downloads/{id}/files/{number}': on(downloadScreens, 'fetchFile'),
  'GET /console/t/{tenant}/downloads/{id}/files/{number}/records': on(fileRecordScreens, 'fileRecords'),
  'GET /console/t/{tenant}/usage': on(usageScreens, 'usageScreen'),
  'POST /console/t/{tenant}/usage/spend-cap': on(usageScreens, 'setSpendCap'),
  'GET /console/t/{tenant}/usage/plan': on(planScreens, 'planScreen'),
  'POST /console/t/{tenant}/usage/plan': on(planScreens, 'changePlan'),
  'GET /console/t/{tenant}/usage/invoices': on(usageScreens, 'invoiceList'),
  'GET /console/t/{tenant}/usage/invoices/{id}': on(invoiceScreens, 'invoiceScreen'),
  'GET /console/t/{tenant}/audit': on(auditScreens, 'tenantAudit'),
  'GET /console/t/{tenant}/keys': on(keyScreens, 'keyList'),
  'GET /console/t/{tenant}/keys/{kind}': on(keyScreens, 'keyList'),
  'POST /console/t/{tenant}/keys/{kind}': on(keyScreens, 'createKey'),
  'GET /console/t/{tenant}/keys/{kind}/{id}/revoke': on(keyScreens, 'confirmRevoking'),
  'POST /console/t/{tenant}/keys/{kind}/{id}/revoke': on(keyScreens, 'revokeKey'),
  ...resourceRoutes('/console/t/{tenant}/campaigns', async () => (await campaignScreens()).CAMPAIGN_SCREENS),
  'GET /console/t/{tenant}/campaigns/{id}/end': on(campaignScreens, 'confirmCampaignEnd'),
  'POST /console/t/{tenant}/campaigns/{id}/end': on(campaignScreens, 'endCampaign'),
  ...resourceRoutes('/console/t/{tenant}/apps', async () => (await appScreens()).APP_SCREENS),
  'GET /console/t/{tenant}/apps/{id}/secret': on(appScreens, 'confirmSecretReplacement'),
  'POST /console/t/{tenant}/apps/{id}/secret': on(appScreens, 'replaceSecret'),
  ...lastingResourceRoutes('/console/t/{tenant}/customers', async () => (await customerScreens()).CUSTOMER_SCREENS),
  ...resourceRoutes('/console/t/{tenant}/ad-units', async () => (await adUnitScreens()).AD_UNIT_SCREENS),
};

export const ROUTER = new Router(SCREENS);
