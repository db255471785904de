import type { Screen } from './screen.ts';

type NamesOf<Module> = { readonly [Name in keyof Module]: Module[Name] extends Screen ? Name : never }[keyof Module];

/** Returns a screen whose module is loaded with the first request. */
export function lazily<Module extends object>(load: () => Promise<Module>, name: NamesOf<Module> & string): Screen {
  return async (pageRequest) => {
    const { [name]: screen } = await load();
    return (screen as Screen)(pageRequest);
  };
}
