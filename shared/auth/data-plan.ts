import * as z from 'zod/mini';

/** The views that each data plan includes, by plan name. */
export type PlanViews = 'all' | readonly string[];
export type DataPlans = Readonly<Record<string, PlanViews>>;

const Plans = z.record(z.string(), z.union([z.literal('all'), z.array(z.string())]));

/** The data plans of the stage, as JSON in the environment. */
export const dataPlans = {
  DATA_PLANS: z.pipe(
    z.string(),
    z.transform((text): DataPlans => Plans.parse(JSON.parse(text))),
  ),
};

/** The views of a data plan. A token whose plan the stage no longer names has all views. */
export const viewsOf = (plans: DataPlans, planId: string): PlanViews =>
  (Object.hasOwn(plans, planId) ? plans[planId] : undefined) ?? 'all';
