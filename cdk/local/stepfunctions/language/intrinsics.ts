/** The intrinsic functions of the Amazon States Language: `States.Format('{}', $.name)` and its kin. */
import type { Json } from '../../endpoint/json.ts';
import { FUNCTIONS } from './functions.ts';
import { compilePath } from './path.ts';
import type { Reader } from './scope.ts';
import { StateError } from './state-error.ts';

const LENGTH_MAX = 10_000;

export function compileIntrinsic(text: string): Reader {
  if (text.length > LENGTH_MAX) throw new Error(`an intrinsic function has more than ${LENGTH_MAX} characters`);
  const parser = new Parser(text);
  const reader = parser.call();
  parser.end();
  return reader;
}

const CALL = /States\.(\w+)\s*\(/y;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const TEXT = /'((?:[^'\\]|\\.)*)'/y;
/** A path ends at a comma or parenthesis outside brackets. */
const PATH = /\$(?:[^\s,()[\]]|\[(?:'(?:[^'\\]|\\.)*'|[^\]])*\])*/y;
const SPACE = /\s*/y;

class Parser {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  call(): Reader {
    const [, name = ''] = this.take(CALL) ?? this.fail('a function');
    const evaluate = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (!evaluate) throw new Error(`the local cloud does not know the function States.${name}`);
    const readers: Reader[] = [];
    while (!this.skip(')')) {
      if (readers.length > 0 && !this.skip(',')) this.fail('a comma');
      readers.push(this.argument());
    }
    return (scope) => {
      const values = readers.map((read) => read(scope));
      try {
        return evaluate(values, scope);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new StateError('States.IntrinsicFailure', `States.${name}: ${reason}`);
      }
    };
  }

  end(): void {
    if (this.at < this.text.length) this.fail('the end');
  }

  private argument(): Reader {
    this.take(SPACE);
    const string = this.take(TEXT);
    // Format tells its placeholders from escaped braces, so escapes of braces stay until then.
    if (string) return constant((string[1] ?? '').replaceAll(/\\([^{}])/g, '$1'));
    const path = this.take(PATH);
    if (path) return compilePath(path[0]);
    const value = this.take(WORD) ?? this.take(NUMBER);
    if (value) return constant(JSON.parse(value[0]));
    return this.call();
  }

  private skip(character: string): boolean {
    this.take(SPACE);
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    this.take(SPACE);
    return true;
  }

  private take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match) this.at = pattern.lastIndex;
    return match;
  }

  private fail(wanted: string): never {
    throw new Error(`${this.text} has no ${wanted} at character ${this.at + 1}`);
  }
}

const constant =
  (value: Json): Reader =>
  () =>
    value;
