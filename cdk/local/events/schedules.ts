/** Rules with a schedule. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { NextRun } from './schedule-expression.ts';

export interface Schedule {
  readonly name: string;
  /** The path of its construct. */
  readonly path: string;
  readonly next: NextRun;
  /** @param scheduledAt when it was due. */
  readonly run: (scheduledAt: Date) => void;
}

const Due = z.record(z.string(), z.iso.datetime());

export interface SchedulesOptions {
  /** The file with the time at which each schedule is due; null keeps nothing. */
  readonly file: string | null;
  readonly clock: Clock;
}

export class Schedules {
  private readonly options: SchedulesOptions;
  private readonly schedules = new Map<string, Schedule>();
  private readonly due: Map<string, Date>;
  private readonly disabled = new Set<string>();
  private cancelTimer = () => {};

  constructor(options: SchedulesOptions) {
    this.options = options;
    const { file } = options;
    const saved = file !== null && existsSync(file) ? Due.parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
    this.due = new Map(Object.entries(saved).map(([name, at]) => [name, new Date(at)]));
    if (file !== null) mkdirSync(dirname(file), { recursive: true });
  }

  add(schedule: Schedule): void {
    this.schedules.set(schedule.name, schedule);
  }

  /** Runs each schedule once that became due while the cloud was down. */
  start(): void {
    for (const name of this.due.keys()) if (!this.schedules.has(name)) this.due.delete(name);
    const now = this.options.clock.now();
    for (const schedule of this.schedules.values()) {
      const saved = this.due.get(schedule.name);
      // A changed rule may be due earlier than the saved time.
      const fresh = schedule.next(now);
      if (!saved || (saved > now && fresh < saved)) this.due.set(schedule.name, fresh);
    }
    this.keep();
    this.wait();
  }

  stop(): void {
    this.cancelTimer();
  }

  /** Stops all schedules but those with this part in the path of their construct. */
  stopAllBut(part: string): void {
    for (const { name, path } of this.schedules.values()) if (!path.includes(part)) this.due.delete(name);
    this.wait();
  }

  private wait() {
    this.cancelTimer();
    const next = Math.min(...[...this.due.values()].map((at) => at.getTime()));
    if (Number.isFinite(next)) this.cancelTimer = this.options.clock.at(next, () => this.runDue());
  }

  /** Runs what is due by the clock, each schedule once however late it is. */
  private runDue(): void {
    const now = this.options.clock.now();
    for (const schedule of this.schedules.values()) {
      const at = this.due.get(schedule.name);
      if (!at || at > now) continue;
      this.due.set(schedule.name, schedule.next(now));
      if (!this.disabled.has(schedule.name)) schedule.run(at);
    }
    this.keep();
    this.wait();
  }

  /** Disables a schedule, as the console of EventBridge can, or enables it again. */
  enable(name: string, isEnabled: boolean): void {
    const { name: only } = this.named(name);
    if (isEnabled) this.disabled.delete(only);
    else this.disabled.add(only);
  }

  /** Runs a schedule now; by its name or a part of its construct's path. */
  run(name: string): void {
    this.named(name).run(this.options.clock.now());
  }

  private named(name: string): Schedule {
    const all = [...this.schedules.values()];
    const matches = all.filter((schedule) => schedule.name === name || `/${schedule.path}/`.includes(name));
    const [only] = matches;
    if (!only || matches.length > 1) {
      throw new Error(
        `${matches.length} schedules are named ${name}; there are ${all.map(({ path }) => path).join(', ')}.`,
      );
    }
    return only;
  }

  private keep() {
    const { file } = this.options;
    if (file === null) return;
    writeFileSync(`${file}.new`, JSON.stringify(Object.fromEntries(this.due)));
    renameSync(`${file}.new`, file);
  }
}
