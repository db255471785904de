import type { Construct } from 'constructs';
import type { STORED, UPLOADS } from '../../../functions/images/validations/picture-keys.ts';
import { objects } from '../../constructs/functions/bindings.ts';
import { everyHour } from '../../constructs/functions/schedules.ts';
import { ServiceFunction } from '../../constructs/functions/service-function.ts';
import type { Foundations } from '../../stacks/foundations.ts';

const [uploads, stored]: [typeof UPLOADS, typeof STORED] = ['uploads/', 'validations/'];
/** The gateway answers for a function that takes 30 seconds. */
const GATEWAY_WAITS_SECONDS = 29;

/** Erases records: at once by the route; once more, and those of deleted customers and accounts, by the schedule. */
export function addErasure(scope: Construct, { data: { accounts, images }, edge: { api } }: Foundations): void {
  const { table, pictures } = images;
  const items = { 'VALIDATION#': ['GetItem', 'DeleteItem'], 'POINTER#': ['DeleteItem'] } as const;
  const PICTURES_BUCKET = objects(
    pictures,
    { actions: ['GetObject', 'DeleteObject'], prefixes: [stored] },
    { actions: ['DeleteObject'], prefixes: [uploads] },
  ).andListsKeys();
  api.serve(scope, 'images/erasure/delete-validations', {
    timeoutSeconds: GATEWAY_WAITS_SECONDS,
    bindings: {
      ...accounts.auditing,
      IMAGES_TABLE: table.allows({ ...items, 'ERASURE#': ['PutItem'] }),
      PICTURES_BUCKET,
    },
    ifItFails: 'Tenants cannot erase image validations.',
  });
  const eraseImages = new ServiceFunction(scope, 'images/erasure/erase-images', {
    timeoutSeconds: 900,
    bindings: {
      ...accounts.erasing,
      IMAGES_TABLE: table.allows(
        {
          ...items,
          'ERASURE#': ['PutItem', 'DeleteItem'],
          'AWARDS#': ['DeleteItem'],
          'SUBMISSIONS#': ['Query', 'DeleteItem'],
          'CAMPAIGN#': ['DeleteItem'],
          'RESERVATION#': ['DeleteItem'],
          'SEQUENCE#': ['DeleteItem'],
        },
        { lists: ['ERASURES'], indexes: { Customers: 'CUSTOMER#' }, scans: true },
      ),
      PICTURES_BUCKET,
    },
    ifItFails: 'Records of deleted customers and accounts, and parts of erased records, stay until it works again.',
  });
  everyHour(scope, 'EraseEveryHour', eraseImages, 'Erases records of deleted customers and accounts.');
}
