/** The partition of the accounts table that says when each schedule ran last. */
export const SCHEDULE_RUNS = 'SCHEDULE_RUNS';
export type ScheduleRunsKey = typeof SCHEDULE_RUNS;

/** The variables of a function that a schedule calls: the name of the schedule, and the table that holds its runs. */
export const scheduleVariables = (schedule: string, table: string) => ({
  SCHEDULE: schedule,
  SCHEDULE_RUNS_TABLE: table,
});
