import { globSync, readFileSync } from 'node:fs';

export interface Rate {
  readonly perSecond: number;
  readonly perCpuSecond: number;
}

/**
 * Wall time, and the processor time of this process and the programs that it has started, where the system reports it.
 */
export function startClock() {
  const start = performance.now();
  const cpu = cpuSeconds();
  return {
    rate: (count: number): Rate => ({
      perSecond: count / ((performance.now() - start) / 1000),
      perCpuSecond: count / (cpuSeconds() - cpu),
    }),
    seconds: () => (performance.now() - start) / 1000,
    cpuShare: () => (cpuSeconds() - cpu) / ((performance.now() - start) / 1000),
  };
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + engineCpuSeconds();
}

/** The DynamoDB engine runs beside us. Only Linux reports it; a tick is a hundredth of a second there. */
function engineCpuSeconds(): number {
  const stats = process.platform === 'linux' ? globSync('/proc/[0-9]*/stat') : [];
  return stats.reduce((sum, file) => {
    const [, name = '', rest = ''] = /\((.*)\) (.*)/.exec(readIfThere(file)) ?? [];
    const fields = rest.split(' ');
    const isOurs = Number(fields[1]) === process.pid && /dynoxide|java/.test(name);
    return isOurs ? sum + (Number(fields[11]) + Number(fields[12])) / 100 : sum;
  }, 0);
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The process has ended.
    return '';
  }
}
