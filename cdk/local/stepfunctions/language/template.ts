/** Payload templates: JSON in which members named `….$` hold a path. */
import { isObject, type Json } from '../../endpoint/json.ts';
import { compilePath, PathNotFound } from './path.ts';
import type { Reader } from './scope.ts';
import { StateError } from './state-error.ts';

export function compileTemplate(template: Json): Reader {
  if (Array.isArray(template)) {
    const readers = template.map(compileTemplate);
    return (scope) => readers.map((read) => read(scope));
  }
  if (!isObject(template)) return () => template;
  const members = Object.entries(template).flatMap(([name, value]) =>
    value === undefined ? [] : [member(name, value)],
  );
  return (scope) => Object.fromEntries(members.map(({ name, read }) => [name, read(scope)]));
}

function member(name: string, value: Json): { readonly name: string; readonly read: Reader } {
  if (!name.endsWith('.$')) return { name, read: compileTemplate(value) };
  if (typeof value !== 'string') throw new Error(`${name} holds no path`);
  const read = compilePath(value);
  return {
    name: name.slice(0, -2),
    read(scope) {
      try {
        return read(scope);
      } catch (error) {
        if (!(error instanceof PathNotFound)) throw error;
        const cause = `${error.message} for the field '${name}'.`;
        throw new StateError('States.ParameterPathFailure', cause);
      }
    },
  };
}
