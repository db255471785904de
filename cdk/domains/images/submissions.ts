import type { Construct } from 'constructs';
import type { STORED, UPLOADS } from '../../../functions/images/validations/picture-keys.ts';
import { objects } from '../../constructs/functions/bindings.ts';
import { sendCreatedObjects } from '../../constructs/functions/object-created.ts';
import { ServiceFunction } from '../../constructs/functions/service-function.ts';
import { WorkQueue } from '../../constructs/functions/work-queue.ts';
import type { Foundations } from '../../stacks/foundations.ts';

const [uploads, stored]: [typeof UPLOADS, typeof STORED] = ['uploads/', 'validations/'];
/** A body of 6 MB is in memory as text, as JSON and as bytes. */
const BODY_MEMORY_MIB = 1_024;
/** The gateway answers for a function that takes 30 seconds. */
const GATEWAY_WAITS_SECONDS = 29;
/** An image of 10 MB is read and written in a few seconds. */
const RECEIVING_SECONDS = 60;

/** The grants on the domain's table that a submission needs. */
const submitted = {
  'CAMPAIGN#': ['GetItem'],
  'AWARDS#': ['GetItem'],
  'SUBMISSIONS#': ['GetItem', 'PutItem', 'UpdateItem'],
  'VALIDATION#': ['GetItem', 'PutItem'],
  'SEQUENCE#': ['UpdateItem'],
} as const;

/** Images of customers: their routes, and what becomes of uploads. */
export function addSubmissions(scope: Construct, on: Foundations): void {
  addIntake(scope, on);
  addManagedIntake(scope, on);
  addListing(scope, on);
  addUploads(scope, on);
}

/** Binds the tables and secrets that identify the callers of the loyalty interface. */
const callers = ({ accounts }: Foundations['data']) => ({
  ACCOUNTS_TABLE: accounts.table.allows({
    'ACCOUNT#': ['GetItem'],
    'APP#': ['GetItem'],
    'CUSTOMER#': ['GetItem'],
    'EXTERNAL#': ['GetItem'],
  }),
  ...accounts.loyaltyCallers,
});

function addIntake(scope: Construct, { data, edge: { api } }: Foundations) {
  const { table, pictures } = data.images;
  const shared = callers(data);
  // Links permit what the function is permitted.
  const storing = {
    PICTURES_BUCKET: objects(
      pictures,
      { actions: ['GetObject', 'PutObject'], prefixes: [stored] },
      { actions: ['PutObject'], prefixes: [uploads] },
    ),
  };
  api.serve(scope, 'images/submissions/submissions', {
    memoryMiB: BODY_MEMORY_MIB,
    timeoutSeconds: GATEWAY_WAITS_SECONDS,
    bindings: {
      ...shared,
      IMAGES_TABLE: table.allows(submitted),
      ...storing,
    },
    ifItFails: 'Customers cannot submit images.',
  });
  api.serve(scope, 'images/submissions/add-images', {
    memoryMiB: BODY_MEMORY_MIB,
    timeoutSeconds: GATEWAY_WAITS_SECONDS,
    bindings: { ...shared, IMAGES_TABLE: table.allows({ 'VALIDATION#': ['GetItem', 'PutItem'] }), ...storing },
    ifItFails: 'Customers cannot complete what they submit one image at a time.',
  });
}

/** Images that the tenant submits for a customer are uploaded, so a call is small. */
function addManagedIntake(scope: Construct, { data: { accounts, images }, edge: { api } }: Foundations) {
  api.serve(scope, 'images/submissions/submit-for-customer', {
    bindings: {
      ...accounts.auditing,
      ACCOUNTS_TABLE: accounts.table.allows({ 'APP#': ['GetItem'], 'CUSTOMER#': ['GetItem'] }),
      IMAGES_TABLE: images.table.allows(submitted),
      PICTURES_BUCKET: objects(images.pictures, { actions: ['PutObject'], prefixes: [uploads] }),
    },
    ifItFails: 'Tenants cannot submit images for their customers; the apps still can.',
  });
}

function addListing(scope: Construct, { data, edge: { api } }: Foundations) {
  const { table, pictures } = data.images;
  api.serve(scope, 'images/submissions/list-validations', {
    memoryMiB: 1_024,
    bindings: {
      ...callers(data),
      IMAGES_TABLE: table.allows({}, { indexes: { Customers: 'CUSTOMER#' } }),
      PICTURES_BUCKET: objects(
        pictures,
        { actions: ['GetObject'], prefixes: [stored] },
        { actions: ['PutObject'], prefixes: [uploads] },
      ),
    },
    ifItFails: 'Customers do not see what became of their images.',
  });
}

function addUploads(scope: Construct, { data: { images } }: Foundations) {
  const queue = new WorkQueue(scope, 'ImageUploads', { workerTimeoutSeconds: RECEIVING_SECONDS });
  const receiveUploads = new ServiceFunction(scope, 'images/submissions/receive-uploads', {
    timeoutSeconds: RECEIVING_SECONDS,
    bindings: {
      IMAGES_TABLE: images.table.allows({ 'VALIDATION#': ['GetItem', 'PutItem'] }),
      // Listing keys: of an upload that is gone, S3 says so.
      PICTURES_BUCKET: objects(
        images.pictures,
        { actions: ['GetObject', 'DeleteObject'], prefixes: [uploads] },
        { actions: ['PutObject'], prefixes: [stored] },
      ).andListsKeys(),
    },
    ifItFails: 'Records wait for images that were uploaded.',
  });
  queue.workedOnBy(receiveUploads, { maxConcurrency: 10 });
  sendCreatedObjects(scope, {
    bucket: images.pictures,
    queue,
    prefixes: [uploads],
    description: 'An uploaded image is received into its record.',
  });
}
