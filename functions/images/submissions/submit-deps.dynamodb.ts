import { newId } from '#shared/ids';
import { tableIds } from '#shared/table/integer-ids.dynamodb';
import type { Table } from '#shared/table/table.dynamodb';
import { customerAwards } from '../campaigns/award-counters.dynamodb.ts';
import { campaignByPermalink } from '../campaigns/campaign-store.dynamodb.ts';
import { validationById } from '../validations/validation-items.dynamodb.ts';
import { commitSubmission, earlierRequest, submissionsOn } from './submission-items.dynamodb.ts';
import type { SubmitDeps } from './submit.ts';

/** Submissions on the table of the domain. */
export function submitDeps(table: Table, storePicture: SubmitDeps['storePicture']): SubmitDeps {
  const validationIds = tableIds(table);
  return {
    campaign: (tenant, permalink) => campaignByPermalink(table, tenant, permalink),
    awardsOf: (campaign, customer) => customerAwards(table, campaign, customer),
    submissionsOn: (day) => submissionsOn(table, day),
    storePicture,
    earlierRequest: (mark) => earlierRequest(table, mark),
    validation: (key) => validationById(table, key),
    commit: (validation, day, callMark) => commitSubmission(table, validation, day, callMark),
    newId: async (tenant) => String(await validationIds.next(`${tenant}#validation`)),
    newImageName: () => newId('img'),
  };
}
