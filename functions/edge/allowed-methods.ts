/** The methods of each path of an API, such as `/manage/v1/rules/*`. */
export type PathMethods = ReadonlyMap<string, readonly string[]>;

/** Parses lines such as `GET,PATCH rules/*`. A line without a space is the root of the paths that follow. */
export function pathMethodsIn(text: string): PathMethods {
  const paths = new Map<string, readonly string[]>();
  let root = '';
  for (const line of text.split('\n')) {
    const [methods = '', path] = line.split(' ');
    if (path === undefined) root = methods;
    else paths.set(`${root}${path}`, methods.split(','));
  }
  return paths;
}

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
