import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { REVIEW_SORT_KEY } from '../../../functions/images/validations/review-items.dynamodb.ts';
import type { VALIDATION_SORT_KEY } from '../../../functions/images/validations/validation-items.dynamodb.ts';
import { objects, readsReceiptsWith, setting } from '../../constructs/functions/bindings.ts';
import { answersTasksOf, starts, startsAndResumes } from '../../constructs/functions/machine-bindings.ts';
import { everyHour } from '../../constructs/functions/schedules.ts';
import { ServiceFunction } from '../../constructs/functions/service-function.ts';
import { TableStream } from '../../constructs/functions/table-stream.ts';
import { WorkQueue } from '../../constructs/functions/work-queue.ts';
import { settingsOf } from '../../settings.ts';
import type { Foundations } from '../../stacks/foundations.ts';
import { ValidationMachine } from './validation-machine.ts';

/** One whole processor: recognition of print uses no more. */
const EXAMINING_MEMORY_MIB = 1_769;
/** Bounds the process that opens a file. The rest of the function, which reads print, needs 460 at most. */
const OPENING_MEMORY_MIB = 768;
/** Starting, fetching the file, and everything about a picture that is neither opening nor reading it. */
const OTHER_SECONDS = 22;

export function addWorkflow(scope: Construct, on: Foundations): void {
  const { table } = on.data.images;
  const { reviewDays } = settingsOf(scope);
  const images = new WorkQueue(scope, 'ImagesToExamine', {
    workerTimeoutSeconds: examiningSeconds(scope),
    isFifo: true,
  });
  const { machine } = new ValidationMachine(scope, 'Validation', {
    functions: workers(scope, on),
    reviewDays,
    images: images.queue,
  });
  addExaminer(scope, on, { images, machine });
  addReexamination(scope, on, machine);
  const [validation, review]: [typeof VALIDATION_SORT_KEY, typeof REVIEW_SORT_KEY] = ['VALIDATION', 'REVIEW'];
  new TableStream(scope, 'Complete', {
    table,
    reader: new ServiceFunction(scope, 'images/executions/advance-validations', {
      timeoutSeconds: 60,
      bindings: { STATE_MACHINE: startsAndResumes(machine) },
      ifItFails: 'Submitted images wait to be looked at, and decisions of reviewers to take effect.',
    }),
    filters: [
      {
        dynamodb: {
          Keys: { sk: { S: [validation] } },
          NewImage: { status: { S: ['pending'] }, review: { M: { requestedAt: { S: [{ exists: false }] } } } },
        },
      },
      { dynamodb: { Keys: { sk: { S: [review] } }, NewImage: { decision: { M: { at: { S: [{ exists: true }] } } } } } },
      { dynamodb: { Keys: { sk: { S: [review] } }, NewImage: { isOver: { BOOL: [true] } } } },
    ],
    isOnlyWitness: true,
  });
  everyHour(
    scope,
    'SweepEveryHour',
    new ServiceFunction(scope, 'images/executions/sweep-validations', {
      timeoutSeconds: 300,
      bindings: {
        IMAGES_TABLE: table.allows({ 'VALIDATION#': ['PutItem'] }, { indexes: { Undecided: 'UNDECIDED#' } }),
        STATE_MACHINE: starts(machine),
      },
      ifItFails: 'Records whose execution has failed stay undecided.',
    }),
    'Looks after records that were not decided in time.',
  );
}

function examiningSeconds(scope: Construct): number {
  const { openingSeconds, readingSeconds } = settingsOf(scope);
  return openingSeconds + readingSeconds + OTHER_SECONDS;
}

interface Examining {
  readonly images: WorkQueue;
  /** Waits for the examinations. */
  readonly machine: IStateMachine;
}

function addExaminer(scope: Construct, { data }: Foundations, { images, machine }: Examining): void {
  const { pictures } = data.images;
  const { receiptReaders, openingSeconds, readingSeconds, examinations } = settingsOf(scope);
  const examineImage = new ServiceFunction(scope, 'images/examining/examine-image', {
    memoryMiB: EXAMINING_MEMORY_MIB,
    timeoutSeconds: examiningSeconds(scope),
    bindings: {
      PICTURES_BUCKET: objects(
        pictures,
        { actions: ['GetObject'], prefixes: ['validations/'] },
        { actions: ['PutObject'], prefixes: ['validations/'] },
        // With this permission S3 reports a picture that was erased meanwhile as missing.
      ).andListsKeys(),
      STATE_MACHINE: answersTasksOf(machine),
      RECEIPT_READERS: readsReceiptsWith(receiptReaders),
      READING_SECONDS: setting(readingSeconds),
      OPENING_SECONDS: setting(openingSeconds),
      OPENING_MEMORY_MIB: setting(OPENING_MEMORY_MIB),
    },
    ifItFails: 'Every receipt and image waits, and then goes to a person.',
  });
  images.workedOnBy(examineImage, { maxConcurrency: examinations });
}

/** The route that starts another execution of a record that awaits a person. */
function addReexamination(
  scope: Construct,
  { data: { accounts, images }, edge: { api } }: Foundations,
  machine: IStateMachine,
) {
  api.serve(scope, 'images/reviews/examine-again', {
    bindings: {
      ...accounts.auditing,
      IMAGES_TABLE: images.table.allows({ 'VALIDATION#': ['GetItem'] }),
      // A missing examination must not read as access denied.
      PICTURES_BUCKET: objects(images.pictures, {
        actions: ['GetObject'],
        prefixes: ['validations/'],
      }).andListsKeys(),
      STATE_MACHINE: starts(machine),
    },
    ifItFails: 'Nobody can have images read again; those that wait for a person still wait.',
  });
}

function workers(scope: Construct, { data }: Foundations) {
  const { images, accounts } = data;
  const { table, pictures } = images;
  const { examinationsPerApp } = settingsOf(scope);
  const cases = { 'CAMPAIGN#': ['GetItem'], 'AWARDS#': ['GetItem', 'Query'] } as const;
  const ACCOUNTS_TABLE = accounts.table.allows({ 'CUSTOMER#': ['GetItem'] });
  return {
    prepare: new ServiceFunction(scope, 'images/workflow/prepare-validation', {
      bindings: {
        IMAGES_TABLE: table.allows({
          ...cases,
          'VALIDATION#': ['GetItem', 'BatchGetItem'],
          'POINTER#': ['PutItem', 'Query'],
        }),
        ACCOUNTS_TABLE,
        EXAMINATIONS_PER_APP: setting(examinationsPerApp),
      },
      ifItFails: 'Submitted images are not looked at until it works again.',
    }),
    decide: new ServiceFunction(scope, 'images/workflow/decide-validation', {
      bindings: {
        IMAGES_TABLE: table.allows({
          ...cases,
          'VALIDATION#': ['GetItem', 'BatchGetItem'],
          'POINTER#': ['PutItem', 'Query'],
          'RESERVATION#': ['GetItem'],
        }),
        ACCOUNTS_TABLE,
        PICTURES_BUCKET: objects(pictures, { actions: ['GetObject'], prefixes: ['validations/'] }),
      },
      ifItFails: 'Submitted images stay undecided until it works again.',
    }),
    ...decisionFunctions(scope, { data }),
  };
}

function decisionFunctions(scope: Construct, { data: { images, accounts } }: Pick<Foundations, 'data'>) {
  const { table } = images;
  const { reviewDays } = settingsOf(scope);
  return {
    review: new ServiceFunction(scope, 'images/workflow/request-review', {
      bindings: {
        IMAGES_TABLE: table.allows({ 'VALIDATION#': ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'] }),
        REVIEW_DAYS: setting(reviewDays),
      },
      ifItFails: 'What is uncertain does not reach the queue of reviews.',
    }),
    apply: new ServiceFunction(scope, 'images/workflow/apply-verdict', {
      bindings: {
        IMAGES_TABLE: table.allows({
          'VALIDATION#': ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'Query'],
          'CAMPAIGN#': ['GetItem'],
          'RESERVATION#': ['UpdateItem'],
          'AWARDS#': ['Query', 'UpdateItem'],
        }),
        ACCOUNTS_TABLE: accounts.table.allows({ 'POINTS#': ['PutItem', 'UpdateItem'] }),
      },
      ifItFails: 'No image validation is decided, and no points are awarded.',
    }),
  };
}
