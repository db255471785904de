import { describe, expect, it } from 'vitest';
import { lateSchedules } from '../../../functions/edge/system/late-schedules.ts';

const MINUTE = 60_000;
const START = Date.parse('2026-11-15T10:30:00.000Z');
const SCHEDULES = [
  { name: 'webhooks/SweepRuns', everyMinutes: 1 },
  { name: 'accounts/EraseCustomers', everyMinutes: 60 },
];

/** A watch that looks every minute. `runsAt` says in which minutes since the start a schedule runs. */
function watching(runsAt: Readonly<Record<string, (minute: number) => boolean>>) {
  const last = new Map<string, number>();
  const runs = { last: async () => new Map(last), record: async (name: string, at: number) => void last.set(name, at) };
  return async (minute: number) => {
    for (const [name, runsIn] of Object.entries(runsAt)) if (runsIn(minute)) last.set(name, START + minute * MINUTE);
    return lateSchedules(SCHEDULES, runs, START + minute * MINUTE);
  };
}

/** The first minute in which a schedule is late, and its name. */
async function firstLate(look: (minute: number) => Promise<readonly string[]>, from: number, to: number) {
  for (let minute = from; minute <= to; minute += 1) {
    const late = await look(minute);
    if (late.length > 0) return { minute, late };
  }
  return undefined;
}

const onTheHour = (minute: number) => minute % 60 === 30;

describe('the watch', () => {
  it('finds nothing late while all schedules run, nor before an hourly one has run for the first time', async () => {
    const look = watching({ 'webhooks/SweepRuns': () => true, 'accounts/EraseCustomers': onTheHour });
    expect(await firstLate(look, 0, 200)).toBeUndefined();
  });

  it('finds a schedule that has stopped within five minutes of the run that is missing', async () => {
    const everyMinute = watching({ 'webhooks/SweepRuns': (m) => m < 100, 'accounts/EraseCustomers': onTheHour });
    expect(await firstLate(everyMinute, 0, 200)).toEqual({ minute: 103, late: ['webhooks/SweepRuns'] });
    const everyHour = watching({ 'webhooks/SweepRuns': () => true, 'accounts/EraseCustomers': (m) => m === 30 });
    expect(await firstLate(everyHour, 0, 200)).toEqual({ minute: 93, late: ['accounts/EraseCustomers'] });
  });

  it('finds a schedule that has never run', async () => {
    const look = watching({ 'accounts/EraseCustomers': onTheHour });
    expect(await firstLate(look, 0, 200)).toEqual({ minute: 4, late: ['webhooks/SweepRuns'] });
  });

  it('gives schedules their time again after a pause of its own, in which they may have stood still too', async () => {
    const look = watching({ 'webhooks/SweepRuns': (m) => m !== 500, 'accounts/EraseCustomers': onTheHour });
    expect(await firstLate(look, 0, 40)).toBeUndefined();
    expect(await firstLate(look, 500, 600)).toBeUndefined();
  });
});
