/** The few expressions of metric math that can be evaluated truthfully here. Any other is refused by name. */

/** The values of one period by the id of the metric; undefined where there is no data. */
type PeriodValues = ReadonlyMap<string, number | undefined>;

export type Series = (values: PeriodValues) => number | undefined;
type SeriesList = (values: PeriodValues) => readonly (number | undefined)[];

const KNOWN = 'SUM(METRICS()), MAX(METRICS()), FILL(…, number) around METRICS() or an id, and sums of ids with +';

/**
 * @param text `SUM(FILL(METRICS(), 0))`, `errors + FILL(faults, 0)`
 * @param ids of the metrics that stand beside the expression.
 */
export function parseExpression(text: string, ids: readonly string[]): Series {
  const tokens = text.match(/[A-Za-z_]\w*|\d+(?:\.\d+)?|\S/g) ?? [];
  return new Parser(tokens, { text, ids }).whole();
}

class Parser {
  private readonly tokens: readonly string[];
  private readonly text: string;
  private readonly ids: readonly string[];
  private position = 0;

  constructor(tokens: readonly string[], { text, ids }: { readonly text: string; readonly ids: readonly string[] }) {
    this.tokens = tokens;
    this.text = text;
    this.ids = ids;
  }

  whole(): Series {
    const series = this.series();
    if (this.position < this.tokens.length) throw this.unknown();
    return series;
  }

  /** A sum has a value only where all its parts have one. */
  private series(): Series {
    const terms = [this.term()];
    while (this.tokens[this.position] === '+') {
      this.position++;
      terms.push(this.term());
    }
    const [only] = terms;
    if (only && terms.length === 1) return only;
    return (values) => terms.map((term) => term(values)).reduce((sum, value) => plus(sum, value));
  }

  private term(): Series {
    const name = this.next();
    if (this.ids.includes(name)) return (values) => values.get(name);
    switch (name) {
      case 'SUM':
        return this.over((present) => present.reduce((sum, value) => sum + value, 0));
      case 'MAX':
        return this.over((present) => Math.max(...present));
      case 'FILL': {
        this.expect('(');
        const filled = this.series();
        const value = this.fillValue();
        return (values) => filled(values) ?? value;
      }
      default:
        throw this.unknown();
    }
  }

  /** Over what is there in a period; nothing where nothing is. */
  private over(statistic: (present: readonly number[]) => number): Series {
    this.expect('(');
    const list = this.list();
    this.expect(')');
    return (values) => {
      const present = list(values).filter((value) => value !== undefined);
      return present.length === 0 ? undefined : statistic(present);
    };
  }

  private list(): SeriesList {
    const name = this.next();
    this.expect('(');
    if (name === 'METRICS') {
      this.expect(')');
      return (values) => [...values.values()];
    }
    if (name !== 'FILL') throw this.unknown();
    const list = this.list();
    const fill = this.fillValue();
    return (values) => list(values).map((value) => value ?? fill);
  }

  private fillValue(): number {
    this.expect(',');
    const token = this.next();
    if (!/^\d/.test(token)) throw this.unknown();
    this.expect(')');
    return Number(token);
  }

  private next(): string {
    return this.tokens[this.position++] ?? '';
  }

  private expect(token: string) {
    if (this.next() !== token) throw this.unknown();
  }

  private unknown(): Error {
    return new Error(`The local cloud cannot evaluate the expression "${this.text}". It knows ${KNOWN}.`);
  }
}

function plus(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one + other;
}
