/** Wall-clock times of a time zone, as instants. */

export interface LocalTime {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

export class TimeZone {
  private readonly format: Intl.DateTimeFormat;

  /** @param name of the IANA database, for example `Europe/Berlin`. */
  constructor(name: string) {
    this.format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  localTime(instant: Date): LocalTime {
    const parts = new Map(this.format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
    return {
      year: part('year'),
      month: part('month'),
      day: part('day'),
      hour: part('hour'),
      minute: part('minute'),
      second: part('second'),
    };
  }

  /** The first instant at which clocks show this; none when they skip it. */
  instantOf(local: LocalTime): Date | undefined {
    const asUtc = utcOf(local);
    // Offsets lie within a day of UTC; those before and after a change of the clocks are both tried.
    const offsets = [-86_400_000, 86_400_000].map((shift) => this.offsetAt(new Date(asUtc + shift)));
    const candidates = offsets.map((offset) => asUtc - offset).sort((one, other) => one - other);
    const found = candidates.find((candidate) => {
      const shown = this.localTime(new Date(candidate));
      // The day as well: arithmetic takes 30 February for 2 March.
      return utcOf(shown) === asUtc && shown.day === local.day;
    });
    return found === undefined ? undefined : new Date(found);
  }

  private offsetAt(instant: Date): number {
    return utcOf(this.localTime(instant)) - Math.floor(instant.getTime() / 1000) * 1000;
  }
}

function utcOf({ year, month, day, hour, minute, second }: LocalTime): number {
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
