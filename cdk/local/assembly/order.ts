/**
 * Names in an order in which each comes after all it depends on; otherwise as given. Dependencies on names outside the
 * map do not count.
 */
export function inOrder(dependencies: ReadonlyMap<string, Iterable<string>>): string[] {
  const ordered: string[] = [];
  const done = new Set<string>();
  const underWay: string[] = [];

  const visit = (name: string) => {
    if (done.has(name)) return;
    if (underWay.includes(name)) {
      throw new Error(`These depend on each other: ${[...underWay.slice(underWay.indexOf(name)), name].join(' -> ')}.`);
    }
    underWay.push(name);
    for (const needed of dependencies.get(name) ?? []) if (dependencies.has(needed)) visit(needed);
    underWay.pop();
    done.add(name);
    ordered.push(name);
  };

  for (const name of dependencies.keys()) visit(name);
  return ordered;
}
