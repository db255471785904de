/** The modules of single icons, which the types of the package leave out. */
declare module 'lucide/dist/esm/icons/*.mjs' {
  const icon: readonly (readonly [shape: string, attributes: Readonly<Record<string, string>>])[];
  export default icon;
}
