/** The workflow of image validations over tables of an engine: its machine is interpreted, its functions are the real ones. */

import { validationDefinition } from '../../../cdk/domains/images/validation-definition.ts';
import { Engine } from '../../../cdk/local/dynamodb/engine.ts';
import { chosenEngine } from '../../../cdk/local/dynamodb/engine-choice.ts';
import type { JsonObject } from '../../../cdk/local/endpoint/json.ts';
import {
  type HistoryEvent,
  isReady,
  nextDue,
  tasksToInvoke,
} from '../../../cdk/local/stepfunctions/execution/execution.ts';
import { awardCounts } from '../../../functions/images/campaigns/award-counters.dynamodb.ts';
import type { Campaign } from '../../../functions/images/campaigns/campaign.ts';
import { campaignStore } from '../../../functions/images/campaigns/campaign-store.dynamodb.ts';
import type { Examination } from '../../../functions/images/examination/examination.ts';
import { type ExamineDeps, examineForMachine } from '../../../functions/images/examining/examine-image.ts';
import { type ExaminedImage, ExamineMessage } from '../../../functions/images/examining/image-task.ts';
import type { Validation } from '../../../functions/images/validations/validation.ts';
import { validationById } from '../../../functions/images/validations/validation-items.dynamodb.ts';
import { applyVerdict } from '../../../functions/images/workflow/apply-verdict.ts';
import { decideValidation } from '../../../functions/images/workflow/decide-validation.ts';
import { prepareValidation } from '../../../functions/images/workflow/prepare-validation.ts';
import { requestReview } from '../../../functions/images/workflow/request-review.ts';
import { ApplyInput, DecideInput, ReviewInput, ValidationInput } from '../../../functions/images/workflow/states.ts';
import {
  applyDeps,
  decideDeps,
  prepareDeps,
  reviewDeps,
  type Tables,
} from '../../../functions/images/workflow/steps.dynamodb.ts';
import type { TenantKey } from '../../../shared/ids.ts';
import { newId } from '../../../shared/ids.ts';
import { balanceOf } from '../../../shared/loyalty/points-ledger.dynamodb.ts';
import { dynamoDbClient } from '../../../shared/table/table.dynamodb.ts';
import { PATIENT, REGION } from '../cloud/local-endpoint.ts';
import { createImagesTable, createTable } from '../cloud/local-table.ts';
import { ownTables } from '../cloud/own-tables.ts';
import { TestRun } from '../cloud/state-machine.ts';
import { imageCampaign } from './image-campaigns.ts';
import { newValidation, store, storedImage } from './validations.ts';

const REVIEW_DAYS = 7;
const NAMES = { prepare: 'prepare', decide: 'decide', review: 'review', apply: 'apply' };
const DEFINITION = validationDefinition(NAMES, { reviewDays: REVIEW_DAYS, imagesQueueUrl: 'images' });
export const LANES = 3;
/** How often the queue gives a message whose worker dies, before it is a dead letter. */
const RECEIVES_MAX = 5;

/** What examining the image of a name shows; throws where the function crashes. */
type Examine = (name: string) => Examination;

/** How a call of a function ends; undefined: as it does. */
export type Ending = 'crashes-before' | 'crashes-after' | undefined;

interface MachineOptions {
  readonly stage?: 'examine' | 'apply' | 'give-up';
  /** @param call counts from 0, over all functions */
  readonly ending?: (call: number, name: string) => Ending;
  /** Between two calls: other things happen meanwhile. */
  readonly meanwhile?: (call: number, name: string) => Promise<void>;
}

export interface RunOptions extends MachineOptions {
  readonly examine: Examine;
  readonly tables?: Tables;
}

/** Does the work of a function. @param receives how often the message has come, where it is that of an image */
type Work = (name: string, payload: unknown, receives: number) => Promise<unknown>;

export interface Run {
  readonly status: string;
  /** As they are charged: states that were entered, and tasks that were tried again. */
  readonly transitions: number;
  /** Functions that were called, in order. */
  readonly calls: readonly string[];
  /** Message groups of the images that were sent to the queue, in order. */
  readonly lanes: readonly string[];
  /** Of the review that waits for a person. */
  readonly token: string | undefined;
  /** Goes on with what the person has decided. */
  readonly resume: () => Promise<Run>;
  /** Goes on when the person had its time. */
  readonly expire: () => Promise<Run>;
}

/** Runs one execution until it ends or waits for a person. */
export async function runMachine(key: TenantKey, work: Work, options: MachineOptions = {}): Promise<Run> {
  const input = { ...key, stage: options.stage ?? 'examine', origin: '' };
  const run = new TestRun(DEFINITION as unknown as JsonObject, { input });
  const calls: string[] = [];
  const lanes: string[] = [];
  let token: string | undefined;

  async function goOn(expires: boolean): Promise<Run> {
    for (;;) {
      const [task] = tasksToInvoke(run.execution);
      if (run.execution.frames.some(isReady)) run.happen({ kind: 'advance' });
      else if (task) await invoke(task.token, task.parameters);
      else if (!expires && isWaiting()) break;
      else if (!jump()) break;
    }
    const transitions = run.events.filter(isTransition).length;
    return { status: run.execution.status, transitions, calls, lanes, token, resume, expire: () => goOn(true) };
  }

  const isWaiting = () => run.execution.frames.some(({ activity }) => activity.kind === 'task' && activity.submitted);

  async function resume(): Promise<Run> {
    run.happen({ kind: 'succeeded', token: token!, output: {} });
    return goOn(false);
  }

  /** As the queue of images does: a message whose worker has died comes again. */
  async function receive(taskToken: string, parameters: JsonObject): Promise<void> {
    run.happen({ kind: 'submitted', token: taskToken, output: null });
    const { MessageGroupId: lane } = parameters as { MessageGroupId: string };
    lanes.push(lane);
    for (let receives = 1; receives <= RECEIVES_MAX; receives += 1) {
      const call = calls.push('examine') - 1;
      const ending = options.ending?.(call, 'examine');
      await options.meanwhile?.(call, 'examine');
      if (ending === 'crashes-before') continue;
      try {
        const answer = (await work('examine', parameters['MessageBody'], receives)) as ImageAnswer;
        // None of these if the machine waits no more.
        if ('error' in answer) run.happen({ kind: 'failed', token: taskToken, cause: '', ...answer });
        else run.happen({ kind: 'succeeded', token: taskToken, output: { ...answer } });
      } catch {
        continue;
      }
      if (ending !== 'crashes-after') return;
    }
  }

  async function invoke(taskToken: string, parameters: JsonObject): Promise<void> {
    if ('QueueUrl' in parameters) return receive(taskToken, parameters);
    const { FunctionName: name } = parameters as { FunctionName: string };
    const call = calls.push(name) - 1;
    const ending = options.ending?.(call, name);
    try {
      await options.meanwhile?.(call, name);
      if (ending === 'crashes-before') throw new Crash();
      const output = await work(name, parameters['Payload'], 1);
      if (ending === 'crashes-after') throw new Crash();
      if (name === 'review') {
        token = taskToken;
        run.happen({ kind: 'submitted', token: taskToken, output: null });
      } else {
        const answered = JSON.parse(JSON.stringify({ Payload: output ?? null }));
        run.happen({ kind: 'succeeded', token: taskToken, output: answered });
      }
    } catch (thrown) {
      const { name: error, message: cause } = thrown instanceof Error ? thrown : new Error(String(thrown));
      run.happen({ kind: 'failed', token: taskToken, error, cause });
    }
  }

  function jump(): boolean {
    const due = nextDue(run.execution);
    if (due === null) return false;
    run.now = Math.max(run.now, due);
    return run.happen({ kind: 'due' });
  }

  return goOn(false);
}

const isTransition = ({ type }: HistoryEvent) =>
  type === 'TaskScheduled' || (type.endsWith('StateEntered') && type !== 'TaskStateEntered');

class Crash extends Error {
  override readonly name = 'Lambda.Unknown';
}

const examined = new Map<string, Examination>();

/** What the worker of images tells the machine. */
type ImageAnswer = ExaminedImage | { readonly error: string };

export async function imageAnswer(
  payload: unknown,
  receives: number,
  deps: Omit<ExamineDeps, 'succeed' | 'fail'>,
): Promise<ImageAnswer> {
  let answer: ImageAnswer | undefined;
  const answers = {
    succeed: async (_token: string, image: ExaminedImage) => void (answer = image),
    fail: async (_token: string, error: string) => void (answer = { error }),
  };
  await examineForMachine({ ...deps, ...answers }, ExamineMessage.parse(payload), receives);
  return answer!;
}

async function workOn(
  tables: Tables,
  examine: Examine,
  ...[name, payload, receives]: Parameters<Work>
): Promise<unknown> {
  const now = Date.now();
  switch (name) {
    case 'prepare':
      return prepareValidation(prepareDeps(tables, LANES), ValidationInput.parse(payload), now);
    case 'examine':
      return imageAnswer(payload, receives, {
        bytes: async () => new Uint8Array(),
        examine: async (_bytes, { name }) => examine(name),
        store: async ({ id }, name, examination) => void examined.set(`${id}/${name}`, examination),
      });
    case 'decide': {
      const { images, ...key } = DecideInput.parse(payload);
      const examination = async ({ id }: TenantKey, name: string) => examined.get(`${id}/${name}`)!;
      return decideValidation(decideDeps(tables, examination), key, images, now);
    }
    case 'review':
      return requestReview(reviewDeps(tables.images), ReviewInput.parse(payload), {
        now,
        waitMillis: REVIEW_DAYS * 86_400_000,
      });
    default: {
      const { cause, ...key } = ApplyInput.parse(payload);
      return applyVerdict(applyDeps(tables), key, cause, now);
    }
  }
}

export type ValidationDesk = Awaited<ReturnType<typeof openValidationDesk>>;

export async function openValidationDesk() {
  const choice = ownTables(null).dynamodb ?? chosenEngine(process.env);
  const engine = await Engine.start(choice, null);
  const accessKeyId = (typeof choice === 'object' && choice.accessKeyId) || 'local';
  const clientOptions = () => ({
    endpoint: engine.url,
    region: REGION,
    credentials: { accessKeyId, secretAccessKey: 'secret' },
    maxAttempts: 1,
    requestHandler: PATIENT,
  });
  await createTable({ clientOptions }, 'accounts');
  await createImagesTable({ clientOptions }, 'images');
  const client = dynamoDbClient(clientOptions());
  const tables: Tables = { images: { name: 'images', client }, accounts: { name: 'accounts', client } };
  let slots = 0;

  return {
    tables,
    clientOptions,
    close: () => engine.close(),

    /** A campaign of a tenant of its own. It has a limit of awards, so that they are counted. */
    async campaign(fields: Partial<Campaign> = {}): Promise<Campaign> {
      const campaign = imageCampaign({
        tenant: newId('t'),
        permalink: 'spring',
        startsAt: '2026-01-01T00:00:00.000Z',
        endsAt: '2027-01-01T00:00:00.000Z',
        pointsPerValidation: 50,
        maxAwards: 1_000,
        ...fields,
      });
      await campaignStore(tables.images).add(campaign);
      return campaign;
    },

    /** A validation of the campaign with an image of its own for each digest. */
    async submit(
      campaign: Campaign,
      own: Partial<Validation> = {},
      digests: readonly string[] = [],
    ): Promise<Validation> {
      const { tenant, campaignId, permalink, type } = campaign;
      const blank = newValidation({ tenant, campaignId, campaignPermalink: permalink, validationType: type, ...own });
      const all = digests.length > 0 ? digests : [`digest-${(slots += 1)}`];
      const images = all.map((sha256) => ({ ...storedImage(blank, sha256), sha256 }));
      return store(tables.images, { ...blank, images, imageCount: images.length });
    },

    run: (key: TenantKey, { examine, tables: own = tables, ...options }: RunOptions) =>
      runMachine(key, (...call) => workOn(own, examine, ...call), options),
    validation: async (key: TenantKey) => (await validationById(tables.images, key))!,
    points: ({ tenant, customer }: Validation) => balanceOf(tables.accounts, { tenant, id: customer }),
    awards: (campaign: Campaign, customer = 'demo-user') => awardCounts(tables.images, campaign, customer),
  };
}
