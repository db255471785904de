/** The state of the whole deployment, for operators: what waits, what was given up, what sounds. */
import * as z from 'zod';
import { requireOperator } from '#shared/auth/management-caller';
import { readEnv, resource } from '#shared/env';
import { apiRoutes, ok } from '#shared/http/http-handler';
import { managementApi } from '#shared/http/management-api';
import { cached } from './cached-load.ts';
import { cloudWatchFigures } from './figures.cloudwatch.ts';
import { queueCounts } from './queue-counts.sqs.ts';
import { outputsOf } from './stack-outputs.cloudformation.ts';
import { systemOperations } from './system.operations.ts';
import { partsIn } from './system-parts.ts';
import { type Figures, systemState } from './system-state.ts';

/** The names of the stacks, with commas between them. */
export const Env = z.object({ STACKS: resource });
const stacks = readEnv(Env).STACKS.split(',');

/** Outputs change with a deployment alone. */
const PARTS_MILLIS = 60_000;
/** A page that asks every few seconds makes no more calls than one that asks now and then. */
const STATE_MILLIS = 10_000;

const figures: Figures = { ...cloudWatchFigures(), counts: (url) => queueCounts(url) };
const parts = cached(PARTS_MILLIS, async () => partsIn(await outputsOf(stacks)));
const state = cached(STATE_MILLIS, async (now) => systemState(await parts(now), figures, now));

export const handler = apiRoutes(managementApi, systemOperations, {
  getSystemState: async ({ caller, now }) => {
    requireOperator(caller);
    return ok(await state(now));
  },
});
