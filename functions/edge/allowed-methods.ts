/** The methods of each path of an API, by lines such as `GET,PATCH /manage/v1/rules/*`. */
export type PathMethods = ReadonlyMap<string, readonly string[]>;

export const pathMethodsIn = (text: string): PathMethods =>
  new Map(
    text.split('\n').map((line) => {
      const [methods = '', path = ''] = line.split(' ');
      return [path, methods.split(',')];
    }),
  );

/** Returns the methods of a path, literal parts before variables; undefined if no route has it. HEAD goes with GET. */
export function allowedAt(paths: PathMethods, path: string): string | undefined {
  const segments = path.split('/');
  const fitting = [...paths].filter(([pattern]) => fits(pattern.split('/'), segments));
  const [best] = fitting.sort(([one], [other]) => variables(one) - variables(other));
  return best?.[1].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
}

const variables = (pattern: string) => pattern.split('*').length;

const fits = (pattern: readonly string[], segments: readonly string[]) =>
  pattern.length === segments.length &&
  pattern.every((part, index) => (part === '*' ? segments[index] !== '' : part === segments[index]));
