import type { Construct } from 'constructs';
import type { STORED } from '../../../functions/images/validations/picture-keys.ts';
import { objects } from '../../constructs/functions/bindings.ts';
import type { Foundations } from '../../stacks/foundations.ts';

/** The routes for tenants: campaigns, and the review of image validations. */
export function addManagement(scope: Construct, { data: { accounts, images }, edge: { api } }: Foundations): void {
  const stored: typeof STORED = 'validations/';
  api.serve(scope, 'images/campaigns/campaigns', {
    bindings: {
      ...accounts.auditing,
      IMAGES_TABLE: images.table.allows(
        {
          'CAMPAIGN#': ['GetItem', 'PutItem', 'DeleteItem'],
          'SEQUENCE#': ['UpdateItem'],
          'AWARDS#': ['Query'],
        },
        { lists: ['CAMPAIGNS#'] },
      ),
    },
    ifItFails: 'Tenants cannot see or change their campaigns; those that run go on.',
  });
  api.serve(scope, 'images/reviews/image-validations', {
    bindings: {
      ...accounts.auditing,
      IMAGES_TABLE: images.table.allows(
        { 'VALIDATION#': ['GetItem', 'BatchGetItem', 'UpdateItem'] },
        {
          lists: ['VALIDATIONS#'],
          indexes: { Customers: 'CUSTOMER#', Campaigns: 'OF_CAMPAIGN#', Statuses: 'STATUS#', Reviews: 'REVIEW#' },
        },
      ),
      // A missing examination must not read as access denied.
      PICTURES_BUCKET: objects(images.pictures, { actions: ['GetObject'], prefixes: [stored] }).andListsKeys(),
    },
    ifItFails: 'Nobody can decide the image validations that wait for a person; those not decided in time are refused.',
  });
}
