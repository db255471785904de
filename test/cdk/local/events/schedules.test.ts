import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Clock } from '../../../../cdk/local/clock.ts';
import { parseSchedule } from '../../../../cdk/local/events/schedule-expression.ts';
import { Schedules } from '../../../../cdk/local/events/schedules.ts';

let folder: string;
let clock: Clock;
let ran: string[];
const open: Schedules[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'schedules-'));
  const start = Date.parse('2026-03-01T00:00:00Z');
  clock = new Clock(() => start);
  ran = [];
});
afterEach(() => {
  for (const schedules of open.splice(0)) schedules.stop();
  rmSync(folder, { recursive: true });
});

function started(expressions: Record<string, string>): Schedules {
  const schedules = new Schedules({ file: join(folder, 'schedules.json'), clock });
  for (const [name, expression] of Object.entries(expressions)) {
    const run = (at: Date) => void ran.push(`${name} ${at.toISOString().slice(0, 16)}`);
    schedules.add({ name, path: `test/${name}`, next: parseSchedule(expression), run });
  }
  schedules.start();
  open.push(schedules);
  return schedules;
}

/** Moves the clock; the names of the schedules that ran. */
function at(time: string): string[] {
  const before = ran.length;
  clock.advance(Date.parse(`2026-03-${time}Z`) - clock.millis());
  return ran.slice(before).map((line) => line.split(' ')[0] ?? '');
}

describe('schedules', () => {
  it('run when they are due, and not before', () => {
    started({ often: 'rate(5 minutes)', daily: 'cron(0 3 * * ? *)' });
    expect(at('01T00:04:59')).toEqual([]);
    expect(at('01T00:05:00')).toEqual(['often']);
    expect(at('01T00:05:01')).toEqual([]);
    at('01T03:00:00');
    expect(ran).toEqual(['often 2026-03-01T00:05', 'often 2026-03-01T00:10', 'daily 2026-03-01T03:00']);
  });

  it('run once, however much time has passed', () => {
    started({ often: 'rate(1 minute)' });
    expect(at('02T00:00:00')).toEqual(['often']);
  });

  it('that became due while nothing ran are made up for', () => {
    started({ daily: 'cron(0 3 * * ? *)' }).stop();
    at('03T12:00:00');
    started({ daily: 'cron(0 3 * * ? *)' });
    clock.runDue();
    expect(ran).toEqual(['daily 2026-03-01T03:00']);
    expect(at('03T12:00:01')).toEqual([]);
  });

  it('keep their rhythm over a restart', () => {
    started({ slow: 'rate(10 hours)' }).stop();
    at('01T06:00:00');
    started({ slow: 'rate(10 hours)' });
    expect(at('01T10:00:00')).toEqual(['slow']);
  });

  it('that now run more often do so at once', () => {
    started({ changed: 'rate(10 days)' }).stop();
    started({ changed: 'rate(1 minute)' });
    expect(at('01T00:01:00')).toEqual(['changed']);
  });

  it('run when a test says so, by name or path', () => {
    const schedules = started({ one: 'rate(1 day)', two: 'rate(1 day)' });
    schedules.run('one');
    schedules.run('test/two');
    expect(ran).toEqual(['one 2026-03-01T00:00', 'two 2026-03-01T00:00']);
    expect(() => schedules.run('three')).toThrow('0 schedules are named three; there are test/one, test/two.');
  });
});
